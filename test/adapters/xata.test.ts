import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { xata as simulateXata, type XataWorld } from 'pilotfish-sandbox/xata';
import { afterEach, describe, expect, test } from 'vitest';
import { xata } from '../../src/adapters/xata/index.ts';
import { Failure } from '../../src/core/errors.ts';
import type { Json } from '../../src/core/json.ts';
import { Sealed } from '../../src/core/sealed.ts';
import type { Params } from '../../src/ops/bound.ts';
import { findAll, recordIdOf } from '../../src/remote/find.ts';
import { expectContracts } from '../contracts/expect.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openBench, readyLive, settle } from '../support/op-bench.ts';
import { openStage, type Stage } from '../support/stage.ts';

let used: Simulation<XataWorld>[] = [];
let stages: Stage[] = [];
afterEach(async () => {
  verifyHandled(used);
  expectContracts(used);
  await Promise.all(stages.map((stage) => stage.close()));
  used = [];
  stages = [];
});

const place = { organization_id: 'acme', project_id: 'shop' };

function openWorld() {
  const clock = new LeapingClock();
  const simulation = simulateXata({ clock });
  used.push(simulation);
  const main = simulation.world.addProject('acme', 'shop');
  const branches = () => simulation.world.branches('acme', 'shop');
  const own = () => branches().find(({ name }) => name === 'pr-12');
  return { clock, simulation, world: simulation.world, state: simulation.world.state, main, branches, own };
}

/** The operation alone, without engine and ledger. */
function open() {
  const opened = openWorld();
  const bench = openBench(xata, opened.simulation);
  const line = (params: Params = {}) => bench.object('branch', { ...place, name: 'pr-12', parent_id: opened.main.id, ...params });
  const make = async (params: { readonly [name: string]: Json } = {}) => {
    const bound = line(params);
    const made = await bound.create(bench.io, { parent_id: opened.main.id, ...params });
    const { ready } = bound;
    if (!ready) throw new Error('a branch must be waited for');
    return { bound, made, look: () => ready.call(bound, bench.io, made) };
  };
  return { ...opened, ...bench, line, make };
}

/** Whole runs. */
async function openRuns(more: object = {}) {
  const opened = openWorld();
  const { clock, simulation, main } = opened;
  const stage = await openStage({
    simulations: [simulation],
    clock,
    env: { PILOTFISH_REQUEST_DEADLINE_MS: '3000', PILOTFISH_LEASE_MS: '120000', XATA_API_KEY: simulation.tokens.full },
    plan: JSON.stringify({
      version: 1,
      changes: [{ id: 'db', adapter: 'xata', op: 'branch', ...place, name: 'pr-12', parent_id: main.id, ...more }],
    }),
  });
  stages.push(stage);
  return { ...opened, stage };
}

const failureOf = async (work: Promise<unknown>): Promise<Failure> => {
  const thrown: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof Failure)) throw new Error(`expected a Failure, got ${String(thrown)}`);
  return thrown;
};

describe('a branch', () => {
  test('is named by its project and name; what it is made with is in no key and not compared', async () => {
    const { line, make, io, own } = open();
    expect(line({ description: 'x' }).key).toBe('/organizations/acme/projects/shop/branches[name=pr-12]');
    const { bound, made } = await make({ scale_to_zero_minutes: 0 });
    expect(recordIdOf(bound.reach, made.id)).toBe(`DELETE /organizations/acme/projects/shop/branches/${made.id}`);
    expect(own()?.scaleToZero.enabled).toBe(false);
    expect(await bound.find({ ...io, share: false })).toMatchObject([{ id: made.id, values: {} }]);
    expect(bound.update).toBeUndefined();
  });

  test('the find that an intent stores sees it before it is ready, in whatever order', async () => {
    const { line, make, world, io, simulation } = open();
    simulation.faults.readyAfter(5);
    for (const name of ['pr-1', 'pr-120', 'main-pr-12']) world.addBranch('acme', 'shop', name);
    const { made } = await make();
    const { reach } = line();
    if (reach.kind !== 'object' || !reach.find) throw new Error('a branch can be found');
    const [found, ...more] = await findAll(io.http, reach.find, { signal: io.signal });
    expect(found?.id).toBe(made.id);
    expect(more).toEqual([]);
  });

  test.each([
    ['slow', ['STATUS_TYPE_TRANSIENT'], 'STATUS_TYPE_HEALTHY'],
    ['flapping', ['STATUS_TYPE_UNSPECIFIED', 'STATUS_TYPE_TRANSIENT', 'STATUS_TYPE_UNSPECIFIED'], 'STATUS_TYPE_HEALTHY'],
    ['hibernated at once', ['STATUS_TYPE_TRANSIENT'], 'STATUS_TYPE_HIBERNATED'],
  ] as const)('that is %s is waited for, and a person reads what goes on', async (_, steps, end) => {
    const { make, simulation, state } = open();
    Object.assign(state, { steps, end });
    simulation.faults.readyAfter(4);
    const { look, made } = await make();
    const { last, waits } = await settle(look);
    expect(readyLive(last).id).toBe(made.id);
    expect(waits).toHaveLength(3);
    for (const detail of waits) expect(['setting up primary', 'waiting for the cluster']).toContain(detail);
  });

  test('in a fault ends the wait, with what the provider says of it', async () => {
    const { make, state } = open();
    state.end = 'STATUS_TYPE_FAULT';
    const { last } = await settle((await make()).look);
    expect(last).toEqual({ state: 'failed', detail: 'The Xata branch pr-12 is faulty: the volume could not be restored.' });
  });

  test.each(['STATUS_TYPE_FAULT', 'STATUS_TYPE_TRANSIENT'] as const)(
    'of a parent that is %s is refused, and nothing is left of it',
    async (statusType) => {
      const { stage, main, own } = await openRuns();
      main.statusType = statusType;
      expect(await stage.apply()).toMatchObject({
        ok: false,
        error: { code: 'PROVIDER_INVALID', detail: expect.stringContaining('not healthy'), fix: expect.stringContaining('`parent_id`') },
      });
      const { records, intents } = await stage.ledger();
      expect([records.size, intents.size]).toEqual([0, 0]);
      main.statusType = 'STATUS_TYPE_HIBERNATED';
      expect(await stage.apply()).toMatchObject({ ok: true });
      expect(own()?.parentID).toBe(main.id);
    },
  );

  test('of a parent that is not there is refused by its id', async () => {
    const { line, io } = open();
    expect(await failureOf(line().create(io, { parent_id: 'nowhere' }))).toMatchObject({
      code: 'PROVIDER_NOT_FOUND',
      detail: expect.stringContaining('nowhere'),
    });
  });

  test('whose name somebody took between look and create stays theirs', async () => {
    const { stage, world, simulation, own } = await openRuns();
    const stop = simulation.watch(({ phase, method }) => {
      if (phase === 'before' && method === 'POST' && !own()) world.addBranch('acme', 'shop', 'pr-12');
    });
    expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
    stop();
    expect((await stage.ledger()).records.size).toBe(0);
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(own()).toBeDefined();
  });

  test('whose create got lost on its way back, in a list that lags, is claimed and not made twice', async () => {
    const { stage, state, branches, simulation } = await openRuns();
    const stop = simulation.watch(({ phase, method }) => {
      if (phase === 'before' && method === 'POST' && simulation.writes().length === 0) state.lag = 1;
    });
    const lost = simulation.faults.loseAnswer('POST /organizations/{organization}/projects/{project}/branches');
    expect(await stage.apply()).toMatchObject({ ok: true });
    stop();
    expect(lost.hits).toBe(1);
    expect(branches().filter(({ name }) => name === 'pr-12')).toHaveLength(1);
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(branches().filter(({ name }) => name === 'pr-12')).toEqual([]);
  });

  test('is not made while Xata makes none, which passes', async () => {
    const { stage, state, own, simulation } = await openRuns();
    state.takesBranches = false;
    expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_TRANSIENT' } });
    expect(simulation.writes().length).toBeLessThan(6);
    expect((await stage.ledger()).records.size).toBe(0);
    state.takesBranches = true;
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(own()).toBeDefined();
  });

  test('with another description or parent in the plan is left as it is', async () => {
    const { stage, main, own, simulation } = await openRuns({ description: 'one' });
    expect(await stage.apply()).toMatchObject({ ok: true });
    await stage.write(
      JSON.stringify({
        version: 1,
        changes: [{ id: 'db', adapter: 'xata', op: 'branch', ...place, name: 'pr-12', parent_id: `${main.id}x`, description: 'two' }],
      }),
    );
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(simulation.writes()).toHaveLength(1);
    expect(own()?.description).toBe('one');
  });
});

describe('its outputs', () => {
  test('connection string and credentials are read when a line asks, and what is secret is sealed', async () => {
    const { make, io, own, world } = open();
    const { bound, made } = await make();
    const branch = own();
    if (!branch || !bound.output) throw new Error('there is no branch');
    expect(made.outputs).toEqual({ id: branch.id, name: 'pr-12' });
    expect(await bound.output(io, made, 'username')).toBe('xata');
    for (const [name, text] of [
      ['password', branch.password],
      ['connection_string', world.uri(branch)],
    ] as const) {
      const value = await bound.output(io, made, name);
      expect(value instanceof Sealed && value.reveal()).toBe(text);
    }
  });

  test('a connection string that is not there yet is explained', async () => {
    const { make, io, state } = open();
    const { bound, made } = await make();
    state.hasConnections = false;
    if (!bound.output) throw new Error('a branch has outputs');
    expect(await failureOf(bound.output(io, made, 'connection_string'))).toMatchObject({ code: 'PROVIDER_NOT_FOUND' });
  });
});

test.each([
  ['a description with an umlaut', { description: 'für' }, /description/],
  ['a long description', { description: 'x'.repeat(51) }, /description/],
  ['an organization with a slash', { organization_id: 'a/b' }, /organization_id/],
  ['no parent', { parent_id: undefined }, /parent_id/],
])('%s is refused before any request', async (_, params, sentence) => {
  const { stage, simulation } = await openRuns(params);
  await expect(stage.apply()).rejects.toThrow(sentence);
  expect(simulation.log).toEqual([]);
});
