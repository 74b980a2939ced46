import { asking } from 'pilotfish-sandbox/ask';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { netlify } from 'pilotfish-sandbox/netlify/index';
import { afterEach, describe, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';

const env = '/api/v1/accounts/acme/env';
const key = `${env}/API_URL`;
const at = '?site_id=shop';
let simulations: ReturnType<typeof netlify>[] = [];
afterEach(() => {
  verifyHandled(simulations);
  expectContracts(simulations);
  simulations = [];
});

function world(token: 'full' | 'readOnly' | 'blind' = 'full') {
  const simulation = netlify();
  simulations.push(simulation);
  simulation.world.addSite('acme', 'shop');
  return { simulation, shop: simulation.world, ask: asking(simulation, { authorization: `Bearer ${simulation.tokens[token]}` }) };
}
const variable = (more = {}) => ({ key: 'API_URL', values: [{ context: 'branch', context_parameter: 'feat', value: 'a' }], ...more });

describe('netlify variables', () => {
  it('a create answers 201 with a list, and a second of the key is refused', async () => {
    const { ask } = world();
    const made = await ask('POST', `${env}${at}`, [variable()]);
    expect([made.status, made.at(0, 'values', 0, 'context_parameter')]).toEqual([201, 'feat']);
    expect((await ask('POST', `${env}${at}`, [variable({ values: [] })])).status).toBe(422);
    expect((await ask('GET', `${key}${at}`)).at('values')).toEqual(made.at(0, 'values'));
  });

  it('a patch sets one value and leaves the others; a put replaces them all', async () => {
    const { ask } = world();
    await ask('POST', `${env}${at}`, [variable()]);
    expect((await ask('PATCH', `${key}${at}`, { context: 'deploy-preview', value: 'b' })).status).toBe(201);
    await ask('PATCH', `${key}${at}`, { context: 'branch', context_parameter: 'feat', value: 'c' });
    const values = async () => {
      const found = (await ask('GET', `${key}${at}`)).at('values');
      return Array.isArray(found) ? found.map(({ value }: { value: string }) => value) : found;
    };
    expect(await values()).toEqual(['c', 'b']);
    expect((await ask('PUT', `${key}${at}`, variable())).status).toBe(200);
    expect(await values()).toEqual(['a']);
    expect((await ask('PATCH', `${env}/NONE${at}`, { context: 'all', value: 'b' })).status).toBe(404);
  });

  it.each([true, false])('a value is deleted by its id, and a variable without one goes or stays (%s)', async (dropsEmpty) => {
    const { shop, ask } = world();
    shop.state.dropsEmpty = dropsEmpty;
    const { id } = shop.setValue('shop', 'API_URL', 'a', { branch: 'feat' });
    expect((await ask('DELETE', `${key}/value/none${at}`)).status).toBe(404);
    expect((await ask('DELETE', `${key}/value/${id}${at}`)).status).toBe(204);
    expect((await ask('GET', `${key}${at}`)).status).toBe(dropsEmpty ? 404 : 200);
  });

  it('a secret shows no value, has none in `all` or `dev`, and no post processing', async () => {
    const { ask } = world();
    const made = await ask('POST', `${env}${at}`, [variable({ is_secret: true })]);
    expect(made.at(0, 'values', 0, 'value')).toMatch(/^\*+$/);
    for (const context of ['all', 'dev']) expect((await ask('PATCH', `${key}${at}`, { context, value: 'b' })).status).toBe(422);
    const scoped = variable({ key: 'B', is_secret: true, scopes: ['post-processing'] });
    expect((await ask('POST', `${env}${at}`, [scoped])).status).toBe(422);
  });

  it.each([
    ['an unknown field', [variable({ context: 'branch' })]],
    ['an unknown context', [variable({ values: [{ context: 'staging', value: 'a' }] })]],
    ['a branch without its name', [variable({ values: [{ context: 'branch', value: 'a' }] })]],
    ['one that is no list', variable()],
    ['one good and one bad', [variable(), variable({ key: '1' })]],
  ])('%s is refused, and nothing is made', async (_, body) => {
    const { shop, ask } = world();
    expect((await ask('POST', `${env}${at}`, body)).status).toBe(422);
    expect(shop.variable('shop', 'API_URL')).toBeUndefined();
  });

  it('a branch is no context to ask for, and without a site nothing here answers', async () => {
    const { ask } = world();
    expect((await ask('GET', `${env}${at}&context_name=branch`)).status).toBe(400);
    expect((await ask('GET', `${env}${at}&context_name=production`)).status).toBe(200);
    expect((await ask('GET', `${env}?site_id=none`)).status).toBe(404);
  });

  it('a token that may only read is 403, one that sees nothing finds no account', async () => {
    expect((await world('readOnly').ask('POST', `${env}${at}`, [variable()])).status).toBe(403);
    expect((await world('blind').ask('GET', `${env}${at}`)).status).toBe(404);
  });
});

it('netlify deploys have the values of the moment when they started, the branch before the context', async () => {
  const { shop, ask } = world();
  shop.setValue('shop', 'A', 'shared', { context: 'deploy-preview' });
  shop.setValue('shop', 'B', 'shared', { context: 'deploy-preview' });
  shop.setValue('shop', 'B', 'bound', { branch: 'feat' });
  const deploy = shop.deploy('shop', { context: 'deploy-preview', branch: 'feat' });
  shop.setValue('shop', 'A', 'later', { context: 'deploy-preview' });
  shop.deploy('shop', { context: 'production', branch: 'main' });
  expect(deploy.env).toEqual({ A: 'shared', B: 'bound' });
  const ids = async (query: string) => (await ask('GET', `/api/v1/sites/shop/deploys?${query}`)).body;
  expect(await ids('deploy-previews=true')).toMatchObject([{ id: deploy.id }]);
  expect(await ids('branch=main')).toHaveLength(1);
  expect(await ids('per_page=1&page=2')).toMatchObject([{ id: deploy.id }]);
  expect((await ask('GET', '/api/v1/sites/none/deploys')).status).toBe(404);
  expect((await ask('GET', '/api/v1/sites/shop')).at('account_id')).toBe('acme');
});
