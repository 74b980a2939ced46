import { auth0 } from 'pilotfish-sandbox/auth0/index';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { vercel } from 'pilotfish-sandbox/vercel/index';
import { afterEach, describe, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { lines, planOf as textOf } from '../lifecycle/shop.ts';
import { openTown, second } from '../lifecycle/town.ts';
import { openStage, type Stage } from '../support/stage.ts';

const close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of close.splice(0)) await one();
});

const persons = 'https://shop.acme.example/callback';
const urlOf = (name: string): string => `https://${name}.acme.example/callback`;
const tokens = { A_TOKEN: 'token-of-the-first-line', B_TOKEN: 'token-of-the-second-line', C_TOKEN: 'token-of-the-second-line' } as const;
type TokenName = keyof typeof tokens;

/** A tenant whose applications three tokens may change, beside the pair that the API block names. */
async function open(plan: object) {
  const simulation = auth0();
  const { state } = simulation.world;
  for (const token of Object.values(tokens)) state.issued[token] = { tier: 'full', expiresAt: Number.MAX_SAFE_INTEGER, isRevoked: false };
  simulation.world.addClient('shop', { callbacks: [persons] });
  const env = { ...tokens, AUTH0_CLIENT_ID: simulation.world.machineClients.full, AUTH0_CLIENT_SECRET: simulation.tokens.full };
  const stage = await openStage({
    simulations: [simulation],
    env: { ...env, AUTH0_API_URL: 'https://acme.eu.auth0.com/api/v2' },
    plan: JSON.stringify(plan),
  });
  close.push(async () => {
    verifyHandled([simulation]);
    expectContracts([simulation]);
    await stage.close();
  });
  const client = () => simulation.world.client('shop');
  return {
    stage,
    client,
    list: (): readonly string[] => [...(client().callbacks as string[])].sort(),
    writes: () => simulation.writes().length,
    /** The credentials of this name are refused from now on. */
    revoke: (name: TokenName): void => void Object.assign(state.issued[tokens[name]] ?? {}, { isRevoked: true }),
  };
}

const line = (id: string, token?: TokenName, more: object = {}): object => ({
  id,
  recipe: 'auth0.callback_url',
  client_id: 'shop',
  url: urlOf(id),
  ...(token && { credential: { secret: `env://${token}` } }),
  ...more,
});
const planOf = (...changes: readonly object[]) => ({ version: 1, changes });
const endsOf = ({ lines }: Awaited<ReturnType<Stage['apply']>>): readonly string[] =>
  lines.map(({ id, state, error }) => [id, state, error?.code].filter(Boolean).join(' '));

describe('lines of one list', () => {
  it.each([
    ['two credentials of their own', [line('one', 'A_TOKEN'), line('two', 'B_TOKEN')]],
    ['a credential of its own and that of the block', [line('one', 'A_TOKEN'), line('two')]],
    ['two of one credential and a third of another', [line('one', 'A_TOKEN'), line('two', 'B_TOKEN'), line('three', 'A_TOKEN')]],
  ])('with %s all stand, stay, are put back and go', async (_, changes) => {
    const { stage, list, client, writes } = await open(planOf(...changes));
    const ours = changes.map((one) => (one as { url: string }).url);
    const all = [persons, ...ours].sort();
    expect((await stage.apply()).status).toBe('complete');
    expect(list()).toEqual(all);
    expect((await stage.ledger()).records.size).toBe(ours.length);
    const before = writes();
    expect((await stage.apply()).status).toBe('complete');
    expect(writes()).toBe(before);
    client().callbacks = all.filter((url) => url !== ours[1]);
    expect((await stage.apply()).status).toBe('complete');
    expect(list()).toEqual(all);
    expect((await stage.destroy()).status).toBe('complete');
    expect(list()).toEqual([persons]);
    expect((await stage.ledger()).records.size).toBe(0);
  });

  it('share the requests of one credential, by whatever names it comes, and no others', async () => {
    const { stage, list, writes } = await open(planOf(line('one', 'B_TOKEN'), line('two', 'C_TOKEN'), line('three', 'A_TOKEN')));
    expect((await stage.apply()).status).toBe('complete');
    expect(list()).toEqual([persons, urlOf('one'), urlOf('three'), urlOf('two')].sort());
    expect(writes()).toBe(2);
  });

  it.each(['A_TOKEN', 'B_TOKEN'] as const)(
    'use their own credential in a destroy: where %s is refused, its line alone stays',
    async (token) => {
      const { stage, list, revoke } = await open(planOf(line('one', 'A_TOKEN'), line('two', 'B_TOKEN')));
      await stage.apply();
      revoke(token);
      const [stays, goes] = token === 'A_TOKEN' ? ['one', 'two'] : ['two', 'one'];
      const doc = await stage.destroy();
      expect(endsOf(doc).toSorted()).toEqual([`${stays} failed PROVIDER_AUTH`, `${goes} settled`].sort());
      expect(list()).toEqual([persons, urlOf(stays)].sort());
      expect([...(await stage.ledger()).records.values()].map((record) => record.line)).toEqual([stays]);
    },
  );

  it('use their own credential in an apply: where one is refused, the lines of the other stand', async () => {
    const { stage, list, revoke } = await open(planOf(line('one', 'A_TOKEN'), line('two', 'B_TOKEN')));
    await stage.apply();
    const moved = (id: string, token: TokenName): object => line(`${id}-b`, token);
    await stage.write(
      JSON.stringify(planOf(line('one', 'A_TOKEN'), line('two', 'B_TOKEN'), moved('one', 'A_TOKEN'), moved('two', 'B_TOKEN'))),
    );
    revoke('A_TOKEN');
    expect(endsOf(await stage.apply())).toEqual(['one failed PROVIDER_AUTH', 'two settled', 'one-b failed PROVIDER_AUTH', 'two-b settled']);
    expect(list()).toEqual([persons, urlOf('one'), urlOf('two'), urlOf('two-b')].sort());
  });

  it('of API blocks that name one address are written one after the other, each with the credential of its block', async () => {
    const base = 'https://acme.eu.auth0.com/api/v2';
    const item = (id: string, api: string): object => ({
      ...{ id, adapter: 'http', op: 'list_item', api, item: urlOf(id), list_path: '/callbacks' },
      parent: { path: '/clients/shop', method: 'PATCH' },
    });
    const http = {
      first: { base_url: base, auth: { bearer_env: 'A_TOKEN' } },
      second: { base_url: `${base}/`, auth: { bearer_env: 'B_TOKEN' } },
      third: { base_url: base.replace('acme', 'ACME'), auth: { bearer_env: 'B_TOKEN' } },
    };
    const changes = [item('one', 'first'), item('two', 'second'), item('three', 'third')];
    const { stage, list, revoke } = await open({ version: 1, providers: { http }, changes });
    expect((await stage.apply()).status).toBe('complete');
    expect(list()).toEqual([persons, urlOf('one'), urlOf('two'), urlOf('three')].sort());
    revoke('B_TOKEN');
    expect(endsOf(await stage.destroy()).toSorted()).toEqual(['one settled', 'three failed PROVIDER_AUTH', 'two failed PROVIDER_AUTH']);
    expect(list()).toEqual([persons, urlOf('two'), urlOf('three')].sort());
  });
});

it('a write that takes long undoes no other one of the same run', async () => {
  const of = (id: string, token: TokenName): string =>
    `${lines.callback.replace('id: callback', `id: ${id}`).replace('/callback', `/${id}`)}\n    credential: { secret: "env://${token}" }`;
  const town = await openTown(textOf(of('one', 'A_TOKEN'), of('two', 'B_TOKEN')));
  close.push(async () => {
    town.verify();
    await town.close();
  });
  const { issued } = town.world.auth0.world.state;
  for (const token of Object.values(tokens)) issued[token] = { tier: 'full', expiresAt: Number.MAX_SAFE_INTEGER, isRevoked: false };
  const one = town.computer();
  one.machine.slow({ method: 'PATCH', path: /\/clients\// }, 5 * second);
  expect((await one.apply({ env: { ...tokens } })).status).toBe('complete');
  expect(town.callbacks()).toEqual(expect.arrayContaining(['https://pr-12.acme.example/one', 'https://pr-12.acme.example/two']));
  const two = town.computer();
  two.machine.slow({ method: 'PATCH', path: /\/clients\// }, 5 * second);
  expect((await two.destroy({ env: { ...tokens } })).status).toBe('complete');
  expect(town.callbacks()).toEqual(['https://shop.acme.example/callback']);
});

it('variables that one credential makes come in one request, by whatever names it comes', async () => {
  const simulation = vercel();
  const env = { VERCEL_TOKEN: simulation.tokens.full, FIRST: simulation.tokens.full, SECOND: simulation.tokens.full };
  const keys = ['A', 'B', 'C', 'D'];
  const changes = keys.map((key, i) => ({
    ...{ id: key, adapter: 'vercel', op: 'env', project: 'shop', key, value: { public: key } },
    credential: { secret: `env://${i % 2 === 0 ? 'FIRST' : 'SECOND'}` },
  }));
  const stage = await openStage({ simulations: [simulation], env, plan: JSON.stringify(planOf(...changes)) });
  close.push(async () => {
    verifyHandled([simulation]);
    await stage.close();
  });
  expect((await stage.apply()).status).toBe('complete');
  expect(keys.map((key) => simulation.world.env(key)?.value)).toEqual(keys);
  expect(simulation.writes()).toHaveLength(1);
});
