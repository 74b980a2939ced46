import { expect, onTestFinished, test } from 'vitest';
import { openStage } from '../support/stage.ts';

const line = {
  id: 'thing',
  adapter: 'http',
  op: 'resource',
  api: 'acme',
  find: { path: '/things', list_path: '', match: { '/name': 'pr-12' } },
  create: { path: '/things' },
  update: { path: '/things/{id}' },
  delete: { method: 'POST', path: '/things/remove', body: { id: '{id}' } },
  fields: { name: 'pr-12' },
};

async function planOf(change: object) {
  const stage = await openStage({
    simulations: [],
    env: { ACME_TOKEN: 'acme-token-0123456789' },
    plan: JSON.stringify({
      version: 1,
      providers: { http: { acme: { base_url: 'https://api.acme.example', auth: { bearer_env: 'ACME_TOKEN' } } } },
      changes: [{ ...line, ...change }],
    }),
  });
  onTestFinished(() => stage.close());
  return stage.plan();
}

test.each([
  ['create.path', { create: { path: '/things/{id}' } }],
  ['create.body', { create: { path: '/things', body: { parent: { ref: '{id}' } } } }],
  ['create.headers', { create: { path: '/things', headers: { 'X-Thing': 'thing-{id}' } } }],
  ['create.query', { create: { path: '/things', query: { of: '{id}' } } }],
  ['update.body', { update: { path: '/things/{id}', body: { id: '{id}' } } }],
  ['update.headers', { update: { path: '/things/{id}', headers: { 'X-Thing': '{id}' } } }],
  ['find.path', { find: { ...line.find, path: '/things/{id}' } }],
  ['find.match', { find: { ...line.find, match: { '/name': 'pr-{id}' } } }],
])('{id} in %s, where nothing fills it in, is refused before any request', async (place, change) => {
  await expect(planOf(change)).rejects.toThrow(new RegExp(`PARAM_INVALID.*${place.replace('.', '\\.')} has \\{id\\}`, 's'));
});

test('{id} stays where the id of an object is filled in', async () => {
  await expect(planOf({})).resolves.toMatchObject({ ok: false, error: { code: 'PROVIDER_TRANSIENT' } });
});
