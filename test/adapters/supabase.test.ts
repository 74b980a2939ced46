import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { type SupabaseWorld, supabase as simulateSupabase } from 'pilotfish-sandbox/supabase/index';
import { afterEach, describe, expect, test } from 'vitest';
import { supabase } from '../../src/adapters/supabase/index.ts';
import { Failure } from '../../src/core/errors.ts';
import type { Json } from '../../src/core/json.ts';
import { Sealed } from '../../src/core/sealed.ts';
import type { Params } from '../../src/ops/bound.ts';
import { findAll, recordIdOf, removeObject } from '../../src/remote/find.ts';
import { expectContracts } from '../contracts/expect.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openBench, readyLive, settle } from '../support/op-bench.ts';
import { openStage, type Stage } from '../support/stage.ts';

const project_ref = 'shopshopshopshopshop';
let used: Simulation<SupabaseWorld>[] = [];
let stages: Stage[] = [];
afterEach(async () => {
  verifyHandled(used);
  expectContracts(used);
  await Promise.all(stages.map((stage) => stage.close()));
  used = [];
  stages = [];
});

function openWorld(o: { readonly branching?: boolean } = {}) {
  const clock = new LeapingClock();
  const simulation = simulateSupabase({ clock });
  used.push(simulation);
  const project = simulation.world.addProject(project_ref, o);
  return { clock, simulation, world: simulation.world, state: simulation.world.state, project };
}

/** The operation alone, without engine and ledger. */
function open(o: { readonly branching?: boolean } = {}) {
  const opened = openWorld(o);
  const bench = openBench(supabase, opened.simulation);
  const line = (params: Params = {}) => bench.object('branch', { project_ref, branch_name: 'pr-12', ...params });
  const make = async (params: { readonly [name: string]: Json } = {}) => {
    const bound = line(params);
    const made = await bound.create(bench.io, params);
    const { ready } = bound;
    if (!ready) throw new Error('a branch must be waited for');
    return { bound, made, look: () => ready.call(bound, bench.io, made) };
  };
  return { ...opened, ...bench, line, make };
}

/** Whole runs. */
async function openRuns(lines: readonly object[], o: { readonly branching?: boolean } = {}) {
  const opened = openWorld(o);
  const { clock, simulation } = opened;
  const stage = await openStage({
    simulations: [simulation],
    clock,
    env: { PILOTFISH_REQUEST_DEADLINE_MS: '3000', PILOTFISH_LEASE_MS: '120000', SUPABASE_ACCESS_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: lines }),
  });
  stages.push(stage);
  return { ...opened, stage };
}

const branchLine = (more: object = {}) => ({ id: 'db', adapter: 'supabase', op: 'branch', project_ref, branch_name: 'pr-12', ...more });
const urlLine = (id: string, url: string, more: object = {}) => ({
  id,
  adapter: 'supabase',
  op: 'auth_redirect',
  project_ref,
  url,
  ...more,
});

const failureOf = async (work: Promise<unknown>): Promise<Failure> => {
  const thrown: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof Failure)) throw new Error(`expected a Failure, got ${String(thrown)}`);
  return thrown;
};

describe('a branch', () => {
  test('is named by its project and name, and addressed by the ref of its own project', async () => {
    const { line, make, world, io } = open();
    expect(line({ git_branch: 'feature/cart' }).key).toBe(`/v1/projects/${project_ref}/branches[name=pr-12]`);
    const { bound, made } = await make();
    const [branch] = world.branches(project_ref);
    expect(made).toMatchObject({ id: branch?.project_ref, outputs: { id: branch?.project_ref, name: 'pr-12' } });
    expect(recordIdOf(bound.reach, made.id)).toBe(`DELETE /v1/branches/${branch?.project_ref}`);
    expect((await bound.find({ ...io, share: false })).map(({ id }) => id)).toEqual([made.id]);
  });

  test('the find that an intent stores sees what the line sees, in whatever order, also before it is ready', async () => {
    const { line, make, world, io, simulation } = open();
    simulation.faults.readyAfter(5);
    for (const name of ['pr-1', 'pr-120', 'pr-12-old']) world.addBranch(project_ref, name);
    const { made } = await make();
    const { reach } = line();
    if (reach.kind !== 'object' || !reach.find) throw new Error('a branch can be found');
    expect((await findAll(io.http, reach.find, { signal: io.signal })).map(({ id }) => id)).toEqual([made.id]);
  });

  test('one that is going is never claimed: it is no match', async () => {
    const { line, world, io } = open();
    const going = world.addBranch(project_ref, 'pr-12');
    going.deletion_scheduled_at = '2026-11-21T12:00:00Z';
    const bound = line();
    expect(await bound.find(io)).toEqual([]);
    if (bound.reach.kind !== 'object' || !bound.reach.find) throw new Error('a branch can be found');
    expect(await findAll(io.http, bound.reach.find, { signal: io.signal })).toEqual([]);
  });

  test.each([
    [
      'a person reads what goes on, flapping or not',
      ['COMING_UP', 'UNKNOWN', 'COMING_UP', 'ACTIVE_UNHEALTHY', 'RESTARTING'],
      ['state unknown', 'provisioning', 'starting services', 'restarting'],
    ],
    ['it is slow', ['COMING_UP'], ['provisioning', 'provisioning', 'provisioning', 'provisioning']],
  ] as const)('is ready when its own project is healthy: %s', async (_, steps, told) => {
    const { make, simulation, state } = open();
    Object.assign(state, { steps });
    simulation.faults.readyAfter(5);
    const { look, made } = await make();
    const { last, waits } = await settle(look);
    expect(readyLive(last).id).toBe(made.id);
    expect(waits).toEqual(told);
  });

  test.each([
    ['INIT_FAILED', 'could not be set up'],
    ['RESTORE_FAILED', 'could not be restored'],
    ['PAUSE_FAILED', 'could not be paused'],
    ['REMOVED', 'was removed'],
    ['INACTIVE', 'is paused. Restore it'],
  ] as const)('%s ends the wait, with what to do', async (end, sentence) => {
    const { make, state } = open();
    Object.assign(state, { end });
    const { last } = await settle((await make()).look);
    expect(last).toMatchObject({ state: 'failed', detail: expect.stringContaining(sentence) });
  });

  test.each([422, 'empty list'] as const)(
    'that branching is not enabled, told by %s, is explained before anything is written',
    async (without) => {
      const { stage, state, simulation } = await openRuns([branchLine()], { branching: false });
      state.without = without;
      const refused = {
        code: 'PROVIDER_INVALID',
        detail: expect.stringContaining('Branching is not enabled'),
        fix: expect.stringContaining('Enable branching'),
      };
      expect(await stage.plan()).toMatchObject({ lines: [{ error: refused }] });
      expect(await stage.apply()).toMatchObject({ ok: false, error: refused });
      expect(simulation.writes()).toEqual([]);
      expect((await stage.ledger()).intents.size).toBe(0);
    },
  );

  test('after branching was turned off a destroy takes its branches for gone', async () => {
    const { stage, state, world } = await openRuns([branchLine()]);
    expect(await stage.apply()).toMatchObject({ ok: true });
    world.removeBranch(project_ref, 'pr-12');
    state.branching.pop();
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect((await stage.ledger()).records.size).toBe(0);
  });

  test('one that the plan makes persistent is made ordinary again before it is deleted', async () => {
    const { stage, world, simulation } = await openRuns([branchLine({ persistent: true })]);
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(world.branches(project_ref)).toMatchObject([{ persistent: true }]);
    const before = simulation.log.length;
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(simulation.writes(before).map(({ method, status }) => [method, status])).toEqual([
      ['DELETE', 422],
      ['PATCH', 200],
      ['DELETE', 200],
    ]);
    expect(world.branches(project_ref)).toEqual([]);
  });

  test('one that somebody else made persistent stays, and its record as well', async () => {
    const { stage, world } = await openRuns([branchLine()]);
    expect(await stage.apply()).toMatchObject({ ok: true });
    const [branch] = world.branches(project_ref);
    if (!branch) throw new Error('there is no branch');
    branch.persistent = true;
    expect(await stage.destroy()).toMatchObject({
      ok: false,
      error: { code: 'PROVIDER_INVALID', fix: expect.stringContaining('persistent') },
    });
    expect((await stage.ledger()).records.size).toBe(1);
    await stage.write(JSON.stringify({ version: 1, changes: [branchLine({ persistent: true })] }));
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(world.branches(project_ref)).toEqual([]);
  });

  test.each([404, 500] as const)('one that is gone already, which is answered with %i, is forgotten by destroy', async (absent) => {
    const { stage, state, world } = await openRuns([branchLine()]);
    state.absent = absent;
    expect(await stage.apply()).toMatchObject({ ok: true });
    world.removeBranch(project_ref, 'pr-12');
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect((await stage.ledger()).records.size).toBe(0);
  });

  test('a delete that fails while the branch stands forgets nothing', async () => {
    const { stage, world, simulation } = await openRuns([branchLine()]);
    expect(await stage.apply()).toMatchObject({ ok: true });
    simulation.faults.times(20, 'DELETE /v1/branches/{ref}', 500, { message: 'Failed to delete database branch' });
    expect(await stage.destroy()).toMatchObject({ ok: false });
    expect((await stage.ledger()).records.size).toBe(1);
    simulation.faults.clear();
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(world.branches(project_ref)).toEqual([]);
  });

  test.each([400, 409, 422, 500] as const)(
    'a name that somebody took between look and create, refused with %i, stays theirs',
    async (duplicate) => {
      const { stage, state, world, simulation } = await openRuns([branchLine()]);
      state.duplicate = duplicate;
      const stop = simulation.watch(({ phase, method }) => {
        if (phase === 'before' && method === 'POST' && world.branches(project_ref).length === 0) world.addBranch(project_ref, 'pr-12');
      });
      expect(await stage.apply()).toMatchObject({ ok: false });
      stop();
      expect((await stage.ledger()).records.size).toBe(0);
      expect(world.branches(project_ref)).toHaveLength(1);
    },
  );

  test('one whose create got lost on its way back, in a list that lags, is claimed and not made twice', async () => {
    const { stage, state, world, simulation } = await openRuns([branchLine()]);
    const stop = simulation.watch(({ phase, method }) => {
      if (phase === 'before' && method === 'POST' && simulation.writes().length === 0) state.lag = 1;
    });
    const lost = simulation.faults.loseAnswer('POST /v1/projects/{ref}/branches');
    expect(await stage.apply()).toMatchObject({ ok: true });
    stop();
    expect(lost.hits).toBe(1);
    expect(world.branches(project_ref)).toHaveLength(1);
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(world.branches(project_ref)).toEqual([]);
  });

  test('a create that was answered with 500 and took effect is claimed by the next run', async () => {
    const { stage, world, simulation } = await openRuns([branchLine()]);
    const stop = simulation.watch(({ phase, method }) => {
      if (phase === 'before' && method === 'POST') world.addBranch(project_ref, 'pr-12');
    });
    simulation.faults.once('POST /v1/projects/{ref}/branches', 500, { message: 'Failed to create database branch' });
    expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_TRANSIENT' } });
    stop();
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(simulation.writes()).toHaveLength(1);
    expect(world.branches(project_ref)).toHaveLength(1);
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(world.branches(project_ref)).toEqual([]);
  });

  test('one that is stuck is waited for by the next run as well, and used by no line before it is ready', async () => {
    const { stage, world, simulation } = await openRuns([
      branchLine({ timeout: 2 }),
      urlLine('back', 'https://pr-12.acme.example/**', { project_ref: { from: 'db.id' } }),
    ]);
    simulation.faults.readyAfter(Number.POSITIVE_INFINITY);
    const stuck = { ok: false, error: { code: 'WAIT_TIMEOUT', detail: expect.stringContaining('provisioning') } };
    expect(await stage.apply()).toMatchObject(stuck);
    expect(await stage.apply()).toMatchObject(stuck);
    const [branch] = world.branches(project_ref);
    if (!branch) throw new Error('there is no branch');
    expect(simulation.writes().map(({ method }) => method)).toEqual(['POST']);
    Object.assign(world.projectOf(branch), { pollsLeft: 1 });
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(world.projectOf(branch).uri_allow_list).toBe('https://pr-12.acme.example/**');
    expect(world.branches(project_ref)).toHaveLength(1);
  });
});

describe('its outputs', () => {
  test('parts of the connection and keys are read when a line asks, and what is secret is sealed', async () => {
    const { make, world, io } = open();
    const { bound, made } = await make();
    const [branch] = world.branches(project_ref);
    if (!branch || !bound.output) throw new Error('there is no branch');
    const { ref, db_pass, jwt_secret, keys } = world.projectOf(branch);
    const read = async (name: string): Promise<unknown> => await bound.output?.(io, made, name);
    const revealed = async (name: string): Promise<string> => {
      const value = await read(name);
      if (!(value instanceof Sealed)) throw new Error(`${name} must be sealed`);
      return value.reveal();
    };
    expect(await read('db_host')).toBe(`db.${ref}.supabase.co`);
    expect(await read('db_port')).toBe(5432);
    expect(await read('db_user')).toBe('postgres');
    expect(await revealed('db_pass')).toBe(db_pass);
    expect(await revealed('jwt_secret')).toBe(jwt_secret);
    expect(await revealed('db_url')).toBe(`postgresql://postgres:${db_pass}@db.${ref}.supabase.co:5432/postgres`);
    const all = await Promise.all(['anon_key', 'service_role_key', 'publishable_key', 'secret_key'].map(revealed));
    expect(all).toEqual(keys.map(({ api_key }) => api_key));
    expect(made.outputs.api_url).toBe(`https://${ref}.supabase.co`);
  });

  test('what the token may not see, or the project does not have, is explained', async () => {
    const { make, world, io } = open();
    const { bound, made } = await make();
    const [branch] = world.branches(project_ref);
    if (!branch || !bound.output) throw new Error('there is no branch');
    const project = world.projectOf(branch);
    project.showsSecrets = false;
    project.keys.splice(0, 1);
    for (const name of ['db_url', 'db_pass', 'anon_key']) {
      expect(await failureOf(bound.output(io, made, name))).toMatchObject({
        code: 'PROVIDER_NOT_FOUND',
        detail: expect.stringContaining(name),
      });
    }
  });

  test('of several keys of a type the one named default is meant, and none when no name says so', async () => {
    const { make, world, io } = open();
    const { bound, made } = await make();
    const [branch] = world.branches(project_ref);
    if (!branch || !bound.output) throw new Error('there is no branch');
    const { keys } = world.projectOf(branch);
    keys.unshift({ name: 'mobile', type: 'publishable', api_key: 'sb_publishable_mobile' });
    const chosen = await bound.output({ ...io, share: false }, made, 'publishable_key');
    expect(chosen instanceof Sealed && chosen.reveal()).toBe(
      keys.find(({ name, type }) => name === 'default' && type === 'publishable')?.api_key,
    );
    keys.splice(
      0,
      keys.length,
      ...keys.map((key) => (key.type === 'publishable' && key.name === 'default' ? { ...key, name: 'web' } : key)),
    );
    expect(await failureOf(bound.output({ ...io, share: false }, made, 'publishable_key'))).toMatchObject({ code: 'PROVIDER_NOT_FOUND' });
  });
});

test('the delete that a record stores removes one branch', async () => {
  const { make, world, io } = open();
  const other = world.addBranch(project_ref, 'pr-13');
  const { bound, made } = await make();
  if (bound.reach.kind !== 'object') throw new Error('a branch is an object');
  expect(await removeObject(io.http, bound.reach, made.id, io.signal)).toBe('removed');
  expect(await removeObject(io.http, bound.reach, made.id, io.signal)).toBe('gone');
  expect(world.branches(project_ref)).toEqual([other]);
});
