import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ApplyDoc } from '../../src/engine/document.ts';
import { bakery } from '../bad-input/bakery.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { MemoryRemote } from '../support/memory-store.ts';
import { openStage } from '../support/stage.ts';

// Between the answer to a create and its record nothing may fail: what is not recorded is nobody's.

const head = `version: 1
providers: { http: { bakery: { base_url: https://bakery.example/v1, auth: { bearer_env: BAKERY_KEY } } } }
changes:
`;

const resource = (more: string): string => `${head}  - id: loaf
    adapter: http
    op: resource
    api: bakery
    find: { path: /loaves, list_path: /items, match: { /name: pr-12 } }
    create: { path: /loaves, body: { name: pr-12 } }
    delete: { path: "/loaves/{id}" }
    id_path: /id
    fields: { /grain: rye }
${more}`;

const action = (more: string): string => `${head}  - id: bell
    adapter: http
    op: action
    api: bakery
    trigger: { scope: pr-12 }
    request: { path: /bells, body: { tone: rye } }
${more}`;

/** A plugin whose operation does what \`create\` says, once the provider has answered. */
const plugin = (how: { readonly create?: string; readonly more?: string }): string => `
const list = { method: 'GET', path: '/loaves' };
const live = (loaf) => ({ id: loaf.id, values: { grain: loaf.grain }, outputs: { id: loaf.id } });
const post = (io, name) =>
  io.http.send({ method: 'POST', path: '/loaves', body: { name, grain: 'rye' } }, { purpose: 'write', signal: io.signal, retry: 'none' });
const ops = {
  loaf: {
    kind: 'object',
    doc: 'A loaf by its name.',
    params: { name: { type: 'string', required: true, doc: 'Its name.' } },
    outputs: { id: { doc: 'Its id.' } },
    bind: ({ name }) => ({
      kind: 'object',
      key: 'loaf:' + name,
      fields: { grain: 'rye' },
      reach: {
        kind: 'object',
        find: { request: list, list: '/items', match: { '/name': name }, id: '/id' },
        remove: { method: 'DELETE', path: '/loaves/{id}' },
        witness: list,
      },
      async find(io) {
        const { body } = await io.http.send(list, { purpose: 'read', signal: io.signal });
        return body.items.filter((loaf) => loaf.name === name).map(live);
      },
      async create(io) {
        const { body } = await post(io, name);
        ${how.create ?? 'return live(body);'}
      },
      ${how.more ?? ''}
    }),
  },
  bell: {
    kind: 'action',
    doc: 'A bell that is rung once.',
    params: {},
    outputs: { tone: { doc: 'Its tone.' } },
    bind: () => ({
      kind: 'action',
      key: 'bell',
      fields: { scope: 'pr-12' },
      reach: { kind: 'none' },
      async send(io) {
        const { body } = await io.http.send({ method: 'POST', path: '/bells', body: {} }, { purpose: 'write', signal: io.signal });
        ${how.create ?? 'return { outputs: { tone: body.id } };'}
      },
    }),
  },
};
export const register = (registry) =>
  registry.addAdapter({
    name: 'baker',
    title: 'Baker',
    docs: 'https://bakery.example/docs',
    provider: { base_url: 'https://bakery.example/v1', auth: { bearer_env: 'BAKERY_KEY' } },
    ops,
  });
`;
const loaves = (...names: readonly string[]): string =>
  `version: 1\nchanges:\n${names.map((name) => `  - { id: ${name}, adapter: baker, op: loaf, name: ${name} }\n`).join('')}`;

async function open(plan: string, code?: string) {
  const clock = new LeapingClock();
  const shop = bakery();
  const remote = new MemoryRemote();
  const env = { BAKERY_KEY: shop.tokens.full, ...(code !== undefined && { PILOTFISH_PLUGINS: './baker.mjs' }) };
  const stage = await openStage({ simulations: [shop], env, plan, clock, store: () => remote.open() });
  onTestFinished(() => stage.close());
  if (code !== undefined) await writeFile(join(stage.folder, 'baker.mjs'), code);
  const posts = (): number => shop.log.filter(({ method }) => method === 'POST').length;
  return { ...stage, shop, posts, wares: () => shop.world.wares('loaves') };
}

const errorsOf = (doc: ApplyDoc): readonly string[] =>
  doc.lines.flatMap(({ id, error }) => (error ? [`${id} ${error.code} ${error.detail}`] : []));

describe('what a provider made is recorded before its line fails', () => {
  it.each([
    ['a sensitive output that is too short', resource('    outputs: { grain: { path: /grain, sensitive: true } }\n')],
    ['one that is shown once', resource('    outputs: { grain: { path: /grain, sensitive: true, once: true } }\n')],
    [
      'one that is empty',
      resource('    outputs: { note: { path: /note, sensitive: true } }\n').replace(
        '{ name: pr-12 } }\n    delete',
        '{ name: pr-12, note: "" } }\n    delete',
      ),
    ],
    ['one of two', resource('    outputs: { grain: { path: /grain, sensitive: true }, shelf: { path: /shelf, sensitive: true } }\n')],
  ])('%s', async (_, plan) => {
    const s = await open(plan);
    const first = await s.apply();
    expect(first.lines.map(({ id, state }) => `${id} ${state}`)).toEqual(['loaf failed']);
    const [error] = first.lines.flatMap((line) => line.error ?? []);
    expect(error).toMatchObject({ code: 'SECRET_UNRESOLVED', place: 'release.plan.yaml:4:9' });
    expect(error?.detail).toMatch(/fewer than 6 characters/);
    expect(error?.fix).toMatch(/Correct the path of \w+/);
    const { records, intents } = await s.ledger();
    expect([...records.values()].map(({ line, objectId, owned }) => ({ line, objectId, owned }))).toEqual([
      { line: 'loaf', objectId: s.wares()[0]?.id, owned: true },
    ]);
    expect(intents.size).toBe(0);

    const again = await s.apply();
    expect(errorsOf(again)).toEqual(errorsOf(first));
    expect([s.posts(), s.wares().length]).toEqual([1, 1]);
    expect((await s.plan()).lines.map(({ verdict }) => verdict)).toEqual(['failed']);

    expect((await s.destroy()).status).toBe('complete');
    expect(s.wares()).toEqual([]);
    expect((await s.ledger()).records.size).toBe(0);
  });

  it('a create that was cut off before its answer is claimed and recorded, and fails then', async () => {
    const s = await open(resource('    outputs: { grain: { path: /grain, sensitive: true } }\n'));
    s.shop.faults.loseAnswer('POST /v1/{kind}');
    const doc = await s.apply();
    expect(errorsOf(doc)).toEqual([expect.stringContaining('fewer than 6 characters')]);
    expect((await s.ledger()).records.size).toBe(1);
    expect((await s.apply()).status).toBe('failed');
    expect([s.posts(), s.wares().length]).toEqual([1, 1]);
    expect((await s.destroy()).status).toBe('complete');
    expect(s.wares()).toEqual([]);
  });

  it.each([
    ['throws', 'throw new TypeError("no member shelf");', /no member shelf/],
    ['gives no object', 'return null;', /create/],
    ['gives an object without outputs', 'return { id: body.id, values: {} };', /create/],
    ['gives an id that is no text', 'return { ...live(body), id: { nested: body.id } };', /create/],
  ])('a plugin whose create %s after the provider answered', async (_, create, why) => {
    const s = await open(loaves('loaf'), plugin({ create }));
    const first = await s.apply();
    expect(errorsOf(first)).toEqual([expect.stringMatching(why)]);
    expect([...(await s.ledger()).records.values()].map(({ objectId }) => objectId)).toEqual([s.wares()[0]?.id]);
    await s.apply();
    expect([s.posts(), s.wares().length]).toEqual([1, 1]);
    expect((await s.destroy()).status).toBe('complete');
    expect(s.wares()).toEqual([]);
  });

  it.each([
    ['throws', 'throw new TypeError("not ready at all");', /not ready at all/],
    ['gives nothing', 'return undefined;', /ready/],
  ])('a plugin whose ready %s', async (_, ready, why) => {
    const s = await open(loaves('loaf'), plugin({ more: `async ready() { ${ready} },` }));
    const first = await s.apply();
    expect(errorsOf(first)).toEqual([expect.stringMatching(why)]);
    expect([...(await s.ledger()).records.values()].map(({ objectId }) => objectId)).toEqual([s.wares()[0]?.id]);
    await s.apply();
    expect([s.posts(), s.wares().length]).toEqual([1, 1]);
    expect((await s.destroy()).status).toBe('complete');
    expect(s.wares()).toEqual([]);
  });

  it.each([
    ['throws', 'for (const { bound } of asks) await post(io, bound.key.slice(5)); throw new TypeError("no list came");', 'no list came'],
    [
      'says nothing of one',
      'const made = []; for (const { bound } of asks) made.push(live((await post(io, bound.key.slice(5))).body)); return made.slice(0, 1);',
      'got no answer',
    ],
  ])('a create of several that %s', async (_, create, why) => {
    const bulk = `bulk: { key: 'loaves', most: 10, create: async (io, asks) => { ${create} } },`;
    const s = await open(loaves('one', 'two'), plugin({ more: bulk }));
    const first = await s.apply();
    expect(errorsOf(first).join(' ')).toContain(why);
    const recorded = [...(await s.ledger()).records.values()].map(({ objectId }) => objectId);
    expect(recorded.toSorted()).toEqual(
      s
        .wares()
        .map(({ id }) => id)
        .toSorted(),
    );
    await s.apply();
    expect([s.posts(), s.wares().length]).toEqual([2, 2]);
    expect((await s.destroy()).status).toBe('complete');
    expect(s.wares()).toEqual([]);
  });

  it('an action whose sensitive output is too short is not sent twice', async () => {
    const s = await open(action('    outputs: { tone: { path: /tone, sensitive: true } }\n'));
    expect(errorsOf(await s.apply())).toEqual([expect.stringMatching(/^bell SECRET_UNRESOLVED .*fewer than 6 characters/)]);
    expect((await s.ledger()).records.size).toBe(1);
    await s.apply();
    expect(s.posts()).toBe(1);
  });

  it.each([
    ['throws', 'throw new TypeError("no tone");'],
    ['gives nothing', 'return undefined;'],
  ])('an action of a plugin that %s after its request was answered is not sent twice', async (_, create) => {
    const s = await open('version: 1\nchanges:\n  - { id: bell, adapter: baker, op: bell }\n', plugin({ create }));
    expect(errorsOf(await s.apply())).toEqual([expect.stringMatching(/^bell PLUGIN_FAILED/)]);
    expect((await s.ledger()).records.size).toBe(1);
    await s.apply();
    expect(s.posts()).toBe(1);
  });

  it('an action that the provider refused is sent again', async () => {
    const s = await open(action(''));
    s.shop.faults.once('POST /v1/{kind}', 422, { error: 'not now' });
    expect((await s.apply()).status).toBe('failed');
    expect((await s.ledger()).records.size).toBe(0);
    expect((await s.apply()).status).toBe('complete');
    expect(s.posts()).toBe(2);
  });
});
