import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { launchdarkly } from 'pilotfish-sandbox/launchdarkly';
import { afterEach, expect, test } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { expectContracts } from '../contracts/expect.ts';
import { quickClock } from '../support/quick-clock.ts';
import { openStage } from '../support/stage.ts';

const flag = 'shop/checkout';
const line = { id: 'flag', adapter: 'launchdarkly', op: 'flag_target', project_key: 'shop', flag_key: 'checkout', environment_key: 'test' };
const mine = { ...line, context_key: 'pr-12', variation: true };

let ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

async function openShop(changes: readonly object[] = [mine]) {
  const simulation = launchdarkly({ clock: quickClock });
  const { world } = simulation;
  world.addFlag(flag, ['test', 'production']);
  const planOf = (lines: readonly object[]): string => JSON.stringify({ version: 1, changes: lines });
  const stage = await openStage({
    simulations: [simulation],
    clock: quickClock,
    env: { LAUNCHDARKLY_ACCESS_TOKEN: simulation.tokens.full },
    plan: planOf(changes),
  });
  ends.push(async () => {
    await stage.close();
    verifyHandled([simulation]);
    expectContracts([simulation]);
  });
  return { simulation, world, stage, write: (lines: readonly object[]) => stage.write(planOf(lines)) };
}

const isPatch = { method: 'PATCH' };

test('lines of one flag, environment and kind are read together and written by one patch', async () => {
  const keys = Array.from({ length: 20 }, (_, n) => `pr-12-${n}`);
  const { simulation, world, stage } = await openShop(
    keys.map((context_key, n) => ({ ...mine, id: `flag-${n}`, context_key, variation: n % 2 === 0 })),
  );
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(simulation.writes()).toHaveLength(1);
  expect(simulation.log.length).toBeLessThanOrEqual(4);
  expect(keys.map((key) => world.servedTo(flag, 'test', key))).toEqual(keys.map((_, n) => [n % 2]));
  const watched = stage.watch();
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(watched.all().map(({ method }) => method)).toEqual(['GET']);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(keys.flatMap((key) => world.servedTo(flag, 'test', key))).toEqual([]);
  expect(simulation.writes()).toHaveLength(2);
});

test('a key that moves to another variation is taken away from the first one in the same patch', async () => {
  const { simulation, world, stage, write } = await openShop();
  await stage.apply();
  await write([{ ...mine, variation: false }]);
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(world.servedTo(flag, 'test', 'pr-12')).toEqual([1]);
  const { variations } = world.flag(flag);
  expect(simulation.writes().at(-1)?.body).toEqual({
    environmentKey: 'test',
    instructions: [
      { kind: 'removeTargets', contextKind: 'user', values: ['pr-12'], variationId: variations[0]?._id },
      { kind: 'addTargets', contextKind: 'user', values: ['pr-12'], variationId: variations[1]?._id },
    ],
  });
});

test('one key of several context kinds is a target of each: they are told apart, and each goes alone', async () => {
  const kinds = { user: true, deployment: false, device: true };
  const lines = Object.entries(kinds).map(([kind, variation]) => ({ ...mine, id: kind, context_kind: kind, variation }));
  const { simulation, world, stage } = await openShop(lines);
  world.serve(flag, 'test', 1, 'pr-12', 'account');
  const served = () => [...Object.keys(kinds), 'account'].map((kind) => world.servedTo(flag, 'test', 'pr-12', kind));
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'create' }, { verdict: 'create' }, { verdict: 'create' }] });
  expect(served()).toEqual([[0], [1], [0], [1]]);
  const sent = simulation.writes().flatMap(({ body }) => (body as { instructions: { kind: string; contextKind: string }[] }).instructions);
  expect(sent.map(({ kind, contextKind }) => `${kind} ${contextKind}`).sort()).toEqual([
    'addTargets deployment',
    'addTargets device',
    'addTargets user',
  ]);
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }, { verdict: 'none' }, { verdict: 'none' }] });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(served()).toEqual([[], [], [], [1]]);
});

test('a change in flight (409) is met by reading again, up to three times', async () => {
  const { simulation, world, stage } = await openShop();
  world.state.conflicts = 3;
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(simulation.writes()).toHaveLength(4);
  expect(world.servedTo(flag, 'test', 'pr-12')).toEqual([0]);
  world.state.conflicts = 3;
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(simulation.writes()).toHaveLength(8);
  expect(world.servedTo(flag, 'test', 'pr-12')).toEqual([]);
});

test('a change in flight that does not end is PROVIDER_CONFLICT, and nothing is recorded', async () => {
  const { simulation, world, stage } = await openShop();
  world.state.conflicts = 100;
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_CONFLICT' } });
  expect(simulation.writes()).toHaveLength(4);
  const { records, intents } = await stage.ledger();
  expect([records.size, intents.size]).toEqual([0, 0]);
});

test('an environment whose changes need an approval (405) is explained, and nothing is recorded', async () => {
  const { world, stage } = await openShop();
  world.environment(flag, 'test').needsApproval = true;
  const { ok, error } = await stage.apply();
  expect(ok).toBe(false);
  expect(error).toMatchObject({ code: 'PROVIDER_INVALID', fix: expect.stringContaining('without required approvals') });
  expect(error?.detail).toContain('need an approval');
  const { records, intents } = await stage.ledger();
  expect([records.size, intents.size]).toEqual([0, 0]);
});

test('an approval that is required only later is explained by destroy, which needs the ledger alone', async () => {
  const { world, stage } = await openShop();
  await stage.apply();
  world.environment(flag, 'test').needsApproval = true;
  await stage.write('changes: [');
  expect(await stage.destroy()).toMatchObject({ ok: false, error: { detail: expect.stringContaining('need an approval') } });
  expect((await stage.ledger()).records.size).toBe(1);
  world.environment(flag, 'test').needsApproval = false;
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(world.servedTo(flag, 'test', 'pr-12')).toEqual([]);
});

test('a scheduled change that would fail (400) is explained and never overridden', async () => {
  const { simulation, world, stage } = await openShop();
  world.environment(flag, 'test').pending = 'pr-12';
  const { error } = await stage.apply();
  expect(error).toMatchObject({ code: 'PROVIDER_INVALID', fix: expect.stringContaining('apply or withdraw that change') });
  expect(simulation.writes().map(({ query }) => query)).toEqual([{}]);
});

test('a target that is not served the wanted variation after the write is PROVIDER_RESPONSE', async () => {
  const { simulation, stage } = await openShop();
  simulation.faults.dropWrite(isPatch, 10);
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_RESPONSE', detail: expect.stringContaining('pr-12') } });
});

test('an environment that the flag does not show is PROVIDER_NOT_FOUND', async () => {
  const { stage } = await openShop([{ ...mine, environment_key: 'nowhere' }]);
  const { error } = await stage.apply();
  expect(error).toMatchObject({ code: 'PROVIDER_NOT_FOUND', detail: expect.stringContaining('environments/nowhere') });
});

test.each([
  [{ variation: 'blue' }, /None of the 2 choices/],
  [{ variation: undefined, variation_name: 'Nope' }, /None of the 2 choices.*Available/],
  [{ variation: undefined, variation_id: 'x' }, /None of the 2 choices/],
])('a variation that the flag does not have (%o) is refused by the plan, which shows those it has', async (said, words) => {
  const { stage } = await openShop([{ ...mine, ...said }]);
  expect(await stage.plan()).toMatchObject({ ok: false, error: { code: 'PARAM_INVALID', detail: expect.stringMatching(words) } });
});

test('of two variations with one value the line must name one by its id or name', async () => {
  const { world, stage, write } = await openShop();
  world.addFlag(
    flag,
    ['test'],
    [
      { value: 'a', name: 'one' },
      { value: 'a', name: 'two' },
    ],
  );
  await write([{ ...mine, variation: 'a' }]);
  expect(await stage.plan()).toMatchObject({
    ok: false,
    error: { code: 'PARAM_INVALID', detail: expect.stringContaining('More than one') },
  });
  await write([{ ...mine, variation: undefined, variation_id: world.flag(flag).variations[1]?._id }]);
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(world.servedTo(flag, 'test', 'pr-12')).toEqual([1]);
  await write([{ ...mine, variation: undefined, variation_name: 'two' }]);
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }] });
});

test.each([{ variation: undefined }, { variation_name: 'Available' }])(
  'a line says its variation in exactly one way (not %o)',
  async (said) => {
    const { simulation, stage } = await openShop([{ ...mine, ...said }]);
    await expect(stage.plan()).rejects.toThrow(/exactly one of/);
    expect(simulation.log).toEqual([]);
  },
);

test('one line that names no variation of the flag does not stop the other lines of the flag', async () => {
  const { world, stage } = await openShop([mine, { ...mine, id: 'wrong', context_key: 'pr-12-b', variation: 'blue' }]);
  expect(await stage.apply()).toMatchObject({ ok: false, lines: [{ state: 'settled' }, { state: 'failed' }] });
  expect(world.servedTo(flag, 'test', 'pr-12')).toEqual([0]);
});

test('a flag that is off is told of', async () => {
  const { world, stage } = await openShop();
  world.environment(flag, 'test').on = false;
  const events: RunEvent[] = [];
  const doc = await stage.apply({}, events);
  expect(doc.ok).toBe(true);
  expect(JSON.stringify([doc, events])).toContain('is off in test');
});

test('a target that somebody else made is foreign, and may be adopted as it is', async () => {
  const { simulation, world, stage, write } = await openShop();
  world.serve(flag, 'test', 1, 'pr-12');
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
  await write([{ ...mine, variation: { keep: true } }]);
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'adopt' }] });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(simulation.writes()).toEqual([]);
  expect(world.servedTo(flag, 'test', 'pr-12')).toEqual([1]);
});

test('a line that writes the production environment needs an approval', async () => {
  const { simulation, stage } = await openShop([{ ...mine, environment_key: 'production' }]);
  await expect(stage.apply()).rejects.toThrow(/ENV_NOT_APPROVED/);
  expect(simulation.log).toEqual([]);
});
