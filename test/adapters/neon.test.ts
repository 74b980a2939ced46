import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { type NeonWorld, neon as simulateNeon } from 'pilotfish-sandbox/neon/index';
import { afterEach, describe, expect, test } from 'vitest';
import { neon } from '../../src/adapters/neon/index.ts';
import { Failure } from '../../src/core/errors.ts';
import type { Json } from '../../src/core/json.ts';
import { Sealed } from '../../src/core/sealed.ts';
import type { Params } from '../../src/ops/bound.ts';
import { findAll, recordIdOf, removeObject } from '../../src/remote/find.ts';
import { Kept, Pending, PendingValue } from '../../src/remote/value.ts';
import { expectContracts } from '../contracts/expect.ts';
import { openBench, readyLive, settle } from '../support/op-bench.ts';

let used: Simulation<NeonWorld>[] = [];
afterEach(() => {
  verifyHandled(used);
  expectContracts(used);
  used = [];
});

function open(token: 'full' | 'readOnly' | 'blind' = 'full') {
  const simulation = simulateNeon();
  used.push(simulation);
  const bench = openBench(neon, simulation, { token: simulation.tokens[token] });
  const project_id = simulation.world.project;
  const line = (params: Params = {}, destroy?: 'keep') =>
    bench.object('branch', { project_id, name: 'pr-12', ...params }, destroy ? { destroy } : {});
  const make = async (params: { readonly [name: string]: Json } = {}) => {
    const bound = line(params);
    const made = await bound.create(bench.io, params);
    return { bound, live: readyLive((await settle(() => ready(bound, made))).last) };
  };
  const ready = async (bound: ReturnType<typeof line>, live: Awaited<ReturnType<typeof bound.create>>) => {
    if (!bound.ready) throw new Error('a branch must be waited for');
    return await bound.ready(bench.io, live);
  };
  return { ...bench, simulation, world: simulation.world, line, make, ready };
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
  test('is made from the default branch, with a compute, and is ready when branch, compute and operations are', async () => {
    const { simulation, world, line, io, ready } = open();
    simulation.faults.readyAfter(6);
    const bound = line();
    expect(await bound.find(io)).toEqual([]);
    const made = await bound.create(io, {});
    expect(made.outputs).toEqual({ id: world.branch('pr-12')?.id, name: 'pr-12' });
    const { last, waits } = await settle(() => ready(bound, made));
    expect(waits.length).toBeGreaterThan(0);
    expect(readyLive(last).outputs).toMatchObject({ host: expect.stringMatching(/^ep-.*neon\.tech$/) });
    expect(world.branch('pr-12')).toMatchObject({ parent_id: world.branch('main')?.id, current_state: 'ready' });
    expect(world.branch('pr-12')?.endpoints).toMatchObject([{ type: 'read_write', current_state: 'active' }]);
    expect((await bound.find(io)).map(({ id }) => id)).toEqual([made.id]);
  });

  test.each(['finished', 'failed'] as const)(
    'waits for what its create set going, however ready branch and compute look (%s)',
    async (ends) => {
      const { simulation, world, line, io, ready } = open();
      simulation.faults.readyAfter(1);
      const project = world.state.projects[world.project];
      if (!project) throw new Error('there is no project');
      Object.assign(project, { lateLooks: 6, ends });
      const bound = line();
      const made = await bound.create(io, {});
      const { last, waits } = await settle(() => ready(bound, made));
      expect(world.branch('pr-12')).toMatchObject({ current_state: 'ready', endpoints: [{ current_state: 'active' }] });
      expect(waits).toContain('The operation create_branch is running.');
      if (ends === 'finished') expect(readyLive(last).id).toBe(made.id);
      else expect(last).toEqual({ state: 'failed', detail: 'Neon ended the operation create_branch of the branch pr-12 as failed.' });
    },
  );

  test('has its project and name as identity; nothing else of the line is in the key', () => {
    const { line } = open();
    expect(line({ protected: false, parent: 'main' }).key).toBe('/projects/quiet-river-12345678/branches[name=pr-12]');
    expect(line().reach).toMatchObject({ remove: { method: 'DELETE', path: '/projects/quiet-river-12345678/branches/{id}' } });
    expect(() => line({ name: new Pending('a', 'id') })).toThrow(PendingValue);
    expect(() => line({ name: new Sealed('hunter2', 'env://X') })).toThrow(/identity/);
  });

  test('is found by its exact name on whatever page, and never among deleted ones', async () => {
    const { world, line, io } = open();
    world.state.pageSize = 2;
    for (const name of ['pr-1', 'pr-12-old', 'pr-12', 'x-pr-12', 'pr-120']) world.addBranch(name);
    const bound = line();
    const [found, ...more] = await bound.find(io);
    expect(found?.id).toBe(world.branch('pr-12')?.id);
    expect(more).toEqual([]);
    world.removeBranch('pr-12');
    expect(await bound.find({ ...io, share: false })).toEqual([]);
  });

  test('the find that an intent stores sees the same object, and the delete that a record stores removes it', async () => {
    const { world, make, io } = open();
    const { bound, live } = await make();
    const { reach } = bound;
    if (reach.kind !== 'object' || !reach.find) throw new Error('a branch can be found');
    expect((await findAll(io.http, reach.find, { signal: io.signal })).map(({ id }) => id)).toEqual([live.id]);
    expect(recordIdOf(reach, live.id)).toBe(`DELETE /projects/quiet-river-12345678/branches/${live.id}`);
    expect(await removeObject(io.http, reach, live.id, io.signal)).toBe('removed');
    expect(world.branch('pr-12')).toBeUndefined();
    // While the first delete goes on, another one is refused with 422 or 404; afterwards the provider answers 204.
    await expect(removeObject(io.http, reach, live.id, io.signal)).rejects.toMatchObject({ status: 422 });
    expect(await removeObject(io.http, reach, live.id, io.signal)).toBe('gone');
    expect(await removeObject(io.http, reach, live.id, io.signal)).toBe('removed');
  });

  test('a name that is taken is a conflict, which the engine looks into', async () => {
    const { world, line, io } = open();
    world.addBranch('pr-12');
    expect(await failureOf(line().create(io, {}))).toMatchObject({ code: 'PROVIDER_CONFLICT', status: 409 });
  });

  test('a create is sent once, whatever the provider answers', async () => {
    const { simulation, line, io } = open();
    simulation.faults.times(3, { method: 'POST', path: /branches$/ }, 423, { code: '', message: 'locked' });
    expect(await failureOf(line().create(io, {}))).toMatchObject({ status: 423, repeatable: true });
    expect(simulation.writes()).toHaveLength(1);
  });

  test('a full project is told as a quota', async () => {
    const { world, line, io } = open();
    world.state.branchLimit = 1;
    const failure = await failureOf(line().create(io, {}));
    expect(failure.code).toBe('PROVIDER_QUOTA');
    expect(failure.detail).toContain('allows no more branches');
  });

  test('a parent is named by name or id, and reads back as the plan says it', async () => {
    const { world, line, io } = open();
    const staging = world.addBranch('staging');
    for (const parent of ['staging', staging.id]) {
      const bound = line({ name: `from-${parent}`, parent });
      const made = await bound.create(io, { parent });
      expect(world.branch(`from-${parent}`)?.parent_id).toBe(staging.id);
      expect(made.id).toBe(world.branch(`from-${parent}`)?.id);
      expect((await bound.find({ ...io, share: false }))[0]?.values.parent).toBe(parent);
    }
    expect(line({ parent: 'staging' }).immutable).toContain('parent');
    expect(await failureOf(line({ parent: 'nowhere' }).create(io, { parent: 'nowhere' }))).toMatchObject({ code: 'PROVIDER_NOT_FOUND' });
  });

  test('protection and expiry are changed in place; an equal moment is no drift', async () => {
    const { world, make, io } = open();
    const expires_at = '2099-01-31T00:00:00Z';
    const { bound, live } = await make({ expires_at });
    const branch = world.branch('pr-12');
    if (!branch) throw new Error('there is no branch');
    branch.expires_at = '2099-01-31T00:00:00.000Z';
    expect((await bound.find({ ...io, share: false }))[0]?.values).toMatchObject({ expires_at, protected: false });
    const now = await bound.update?.(io, live, { protected: true, expires_at: '2099-02-01T00:00:00Z' }, ['protected']);
    expect(now?.values.protected).toBe(true);
    expect(branch).toMatchObject({ isProtected: true, expires_at: '2099-01-31T00:00:00.000Z' });
  });

  test('a protected branch cannot be destroyed, so the line must keep it', () => {
    const { line } = open();
    expect(line({ protected: true }).problems).toEqual([{ at: ['protected'], detail: expect.stringContaining('destroy: keep') }]);
    expect(line({ protected: true }, 'keep').problems).toEqual([]);
    expect(line({ protected: new Kept() }).problems).toEqual([]);
  });

  test('compute settings are sent when it is made and never compared', async () => {
    const { world, make } = open();
    const { bound } = await make({ min_cu: 0.5, max_cu: 4, suspend_timeout_seconds: 300 });
    expect(world.branch('pr-12')?.endpoints[0]).toMatchObject({
      autoscaling_limit_min_cu: 0.5,
      autoscaling_limit_max_cu: 4,
      suspend_timeout_seconds: 300,
    });
    expect(bound.writeOnly).toEqual(['min_cu', 'max_cu', 'suspend_timeout_seconds']);
  });
});

describe('its outputs', () => {
  test('connection strings are read on demand, sealed, from the only role and database', async () => {
    const { world, make, io } = open();
    const { bound, live } = await make();
    for (const [name, pooled] of [
      ['connection_uri', false],
      ['pooled_connection_uri', true],
    ] as const) {
      const uri = await bound.output?.(io, live, name);
      if (!(uri instanceof Sealed)) throw new Error('a connection string must be sealed');
      expect(uri.reveal()).toBe(world.uri('pr-12', pooled));
      expect(JSON.stringify(uri)).not.toContain('npg_');
    }
    expect(await bound.output?.(io, live, 'host')).toMatch(/neon\.tech$/);
  });

  test('with several roles or databases the line must choose', async () => {
    const { world, make, io, line } = open();
    const { bound, live } = await make();
    const branch = world.branch('pr-12');
    const [role] = branch?.roles ?? [];
    if (!branch || !role || !bound.output) throw new Error('there is no role');
    branch.roles.push({ ...role, name: 'reader' });
    const failure = await failureOf(bound.output({ ...io, share: false }, live, 'connection_uri'));
    expect(failure).toMatchObject({ code: 'PARAM_INVALID', fix: expect.stringContaining('`role:`') });
    expect(failure.detail).toContain('neondb_owner, reader');
    const chosen = await line({ role: 'reader' }).output?.({ ...io, share: false }, live, 'connection_uri');
    expect(chosen instanceof Sealed && chosen.reveal()).toContain('//reader:');
  });

  test('a connection string comes by its own call alone, for the role and the database that the line names, pooled or direct', async () => {
    const { simulation, world, make, io, line } = open();
    const { bound, live } = await make();
    await bound.find({ ...io, share: false });
    // The create answer holds one, which nobody asked for.
    expect(simulation.log.some(({ path }) => path.endsWith('/connection_uri'))).toBe(false);
    expect(Object.keys(live.outputs).sort()).toEqual(['host', 'id', 'name']);
    const branch = world.branch('pr-12');
    const [[role] = [], [database] = []] = [branch?.roles, branch?.databases];
    if (!branch || !role || !database) throw new Error('there is no database');
    branch.roles.push({ ...role, name: 'reader' });
    branch.databases.push({ ...database, name: 'audit', owner_name: 'reader' });
    const chosen = line({ role: 'reader', database: 'audit' });
    const before = simulation.log.length;
    const texts: string[] = [];
    for (const name of ['connection_uri', 'pooled_connection_uri']) {
      const uri = await chosen.output?.({ ...io, share: false }, live, name);
      texts.push(uri instanceof Sealed ? uri.reveal() : 'not sealed');
    }
    expect(texts).toEqual([
      expect.stringMatching(/^postgres(?:ql)?:\/\/reader:[^@]+@ep-[^/]+(?<!-pooler)\.[^/-]+\..*\/audit/),
      expect.stringMatching(/^postgres(?:ql)?:\/\/reader:[^@]+@ep-[^/]+-pooler\..*\/audit/),
    ]);
    const asked = { branch_id: live.id, role_name: 'reader', database_name: 'audit' };
    expect(simulation.log.slice(before).map(({ path, query }) => [path.split('/').at(-1), query])).toEqual([
      ['connection_uri', { ...asked, pooled: 'false' }],
      ['connection_uri', { ...asked, pooled: 'true' }],
    ]);
    const unclear = await failureOf(
      line({ role: 'reader' }).output?.({ ...io, share: false }, live, 'connection_uri') ?? Promise.resolve(),
    );
    expect(unclear).toMatchObject({ code: 'PARAM_INVALID', fix: expect.stringContaining('`database:`') });
    expect(unclear.detail).toContain('neondb, audit');
  });

  test('a branch that was made elsewhere without a compute has no host', async () => {
    const { world, line, io } = open();
    world.addBranch('pr-12', { compute: false });
    const bound = line();
    const [live] = await bound.find(io);
    if (!live || !bound.output) throw new Error('there is no branch');
    expect(await failureOf(bound.output(io, live, 'host'))).toMatchObject({ code: 'PROVIDER_NOT_FOUND' });
  });
});

test('a project that cannot be seen is no empty list', async () => {
  const { line, io } = open('blind');
  expect(await failureOf(line().find(io))).toMatchObject({ code: 'PROVIDER_NOT_FOUND' });
});
