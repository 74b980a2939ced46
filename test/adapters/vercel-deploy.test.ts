import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { vercel as simulateVercel, type VercelWorld } from 'pilotfish-sandbox/vercel/index';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { vercel } from '../../src/adapters/vercel/index.ts';
import type { RunEvent } from '../../src/engine/document.ts';
import type { Params } from '../../src/ops/bound.ts';
import type { BindContext } from '../../src/ops/op.ts';
import { expectContracts } from '../contracts/expect.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openBench, readyLive, settle } from '../support/op-bench.ts';
import { openStage } from '../support/stage.ts';

let used: Simulation<VercelWorld>[] = [];
afterEach(() => {
  verifyHandled(used);
  expectContracts(used);
  used = [];
});

const sha = 'a'.repeat(40);

function open() {
  const simulation = simulateVercel();
  used.push(simulation);
  const bench = openBench(vercel, simulation);
  const line = (params: Params = {}, context: Partial<BindContext> = {}) =>
    bench.wait('deploy', { project: 'shop', ...params }, { sha, ...context });
  /** A deployment of the commit that stays in a state. */
  const pushed = (state: Parameters<VercelWorld['settle']>[1]) => {
    const made = simulation.world.push('feat/x', sha);
    simulation.world.settle(made, state);
    made.isHeld = true;
    return made;
  };
  return { ...bench, simulation, world: simulation.world, line, pushed };
}

test('waits for a deployment of the commit, through its states, until it has an address', async () => {
  const { simulation, world, line, io } = open();
  simulation.faults.readyAfter(8);
  const bound = line();
  expect(await bound.poll(io, null)).toEqual({
    state: 'wait',
    detail: expect.stringContaining('no preview deployment of the commit aaaaaaaaaaaa'),
  });
  const made = world.push('feat/x', sha);
  const { last, waits } = await settle(() => bound.poll(io, null));
  expect(waits.join(' ')).toMatch(/QUEUED.*BUILDING|INITIALIZING.*BUILDING/);
  expect(readyLive(last).outputs).toEqual({ id: made.id, url: `https://${made.host}`, hostname: made.host, inspector_url: null });
  expect(simulation.writes()).toEqual([]);
});

test.each(['ERROR', 'CANCELED', 'BLOCKED', 'DELETED'] as const)('a deployment that is %s fails the line', async (state) => {
  const { line, io, pushed } = open();
  pushed(state);
  const readiness = await line().poll(io, null);
  expect(readiness).toMatchObject({ state: 'failed' });
});

test('a deployment that is older than what it needs is made again, and the new one is waited for', async () => {
  const { simulation, world, line, io, notes } = open();
  const old = world.push('feat/x', sha);
  world.settle(old, 'READY');
  const bound = line();
  const since = old.createdAt + 1;
  const stale = await bound.poll(io, since);
  if (stale.state !== 'stale') throw new Error(`it is ${stale.state}`);
  world.setEnv('DATABASE_URL', 'new', { target: ['preview'] });
  await bound.kick?.(io, stale.live);
  expect(simulation.log.at(-1)).toMatchObject({ method: 'POST', path: '/v13/deployments', body: { deploymentId: old.id } });
  const { last } = await settle(() => bound.poll(io, since));
  const live = readyLive(last);
  expect(live.id).not.toBe(old.id);
  expect(world.deployments()).toHaveLength(2);
  expect(notes).toEqual([expect.stringContaining('Redeployed')]);
});

test.each(['BUILDING', 'ERROR'] as const)('one that is %s and too old is made again as well', async (state) => {
  const { line, io, pushed } = open();
  const old = pushed(state);
  expect(await line().poll(io, old.createdAt + 1)).toMatchObject({ state: 'stale' });
});

test.each(['CANCELED', 'BLOCKED', 'DELETED'] as const)('one that is %s and too old fails the line: somebody decided so', async (state) => {
  const { line, io, pushed } = open();
  const old = pushed(state);
  expect(await line().poll(io, old.createdAt + 1)).toMatchObject({ state: 'failed' });
});

test('a newer deployment that others started is watched instead', async () => {
  const { simulation, world, line, io } = open();
  const old = world.push('feat/x', sha);
  world.settle(old, 'ERROR');
  const newer = world.push('feat/x', sha);
  world.settle(newer, 'READY');
  expect(readyLive(await line().poll(io, old.createdAt + 1)).id).toBe(newer.id);
  expect(simulation.writes()).toEqual([]);
});

test('a redeploy whose answer was lost is not sent again', async () => {
  const { simulation, world, line, io } = open();
  const old = world.push('feat/x', sha);
  world.settle(old, 'READY');
  const stale = await line().poll(io, old.createdAt + 1);
  if (stale.state !== 'stale') throw new Error(`it is ${stale.state}`);
  simulation.faults.loseAnswer({ method: 'POST', path: /deployments$/ });
  await line().kick?.(io, stale.live);
  expect(world.deployments()).toHaveLength(2);
});

test('previews and production are not taken for each other', async () => {
  const { world, line, io } = open();
  const preview = world.push('feat/x', sha);
  world.settle(preview, 'READY');
  expect(await line({ target: 'production' }).poll(io, null)).toMatchObject({ state: 'wait' });
  expect(await line({}, { environment: 'production' }).poll(io, null)).toMatchObject({ state: 'wait' });
  expect(readyLive(await line({ git_branch: 'feat/x' }).poll(io, null)).id).toBe(preview.id);
  expect(await line({ git_branch: 'other' }).poll(io, null)).toMatchObject({ state: 'wait' });
});

test('a deployment of a custom environment is no preview, however new it is', async () => {
  const { simulation, world, line, io } = open();
  const preview = world.push('feat/x', sha);
  world.settle(preview, 'READY');
  const listed = (uid: string, more: object) => ({ uid, name: 'shop', url: null, readyState: 'READY', target: null, ...more });
  const deployments = [
    listed('dpl_staging', { createdAt: preview.createdAt + 1000, customEnvironment: { id: 'env_1', slug: 'staging' } }),
    listed(preview.id, { createdAt: preview.createdAt }),
  ];
  simulation.faults.once('GET /v7/deployments', 200, { deployments, pagination: { count: 2, next: null, prev: null } });
  expect(readyLive(await line().poll(io, null)).id).toBe(preview.id);
});

test('without a commit there is nothing to wait for', () => {
  const { line } = open();
  expect(() => line({}, { sha: null })).toThrow(/no commit/);
  expect(line({ sha: 'b'.repeat(40) }, { sha: null }).key).toContain(`sha=${'b'.repeat(40)}`);
});

test('it owns nothing, and only a production target writes production', () => {
  const { line } = open();
  expect(line().reach).toEqual({ kind: 'none' });
  expect(vercel.ops.deploy?.writesProduction?.({ target: 'production' })).toBe(true);
  expect(vercel.ops.deploy?.writesProduction?.({})).toBe(false);
});

test('a build that the project skipped is explained, and with `when_skipped: keep` the last one of the branch stands in', async () => {
  const { world, line, io, pushed } = open();
  const earlier = world.push('feat/x', 'c'.repeat(40));
  world.settle(earlier, 'READY');
  world.settle(world.push('other', 'd'.repeat(40)), 'READY');
  Object.assign(pushed('CANCELED'), { isSkipped: true });
  expect(await line().poll(io, null)).toMatchObject({
    state: 'failed',
    detail: expect.stringMatching(/Ignored Build Step.*`when_skipped: keep`/),
  });
  const kept = line({ when_skipped: 'keep' }, { branch: 'feat/x' });
  expect(readyLive(await kept.poll(io, null)).outputs).toEqual({
    id: earlier.id,
    url: `https://${earlier.host}`,
    hostname: earlier.host,
    inspector_url: null,
  });
  // A build that a person canceled is none that was skipped.
  Object.assign(pushed('CANCELED'), { isSkipped: false });
  expect(await kept.poll(io, null)).toMatchObject({ state: 'failed', detail: expect.stringContaining('was canceled') });
});

test('what stands in for a skipped build and is older than what it needs is made again', async () => {
  const { world, line, io, pushed } = open();
  const earlier = world.push('feat/x', 'c'.repeat(40));
  world.settle(earlier, 'READY');
  Object.assign(pushed('CANCELED'), { isSkipped: true });
  const kept = line({ when_skipped: 'keep', git_branch: 'feat/x' });
  const since = Date.now() + 3_600_000;
  const stale = await kept.poll(io, earlier.createdAt + 1);
  if (stale.state !== 'stale') throw new Error(`it is ${stale.state}`);
  await kept.kick?.(io, stale.live);
  const redeployed = world.deployments().at(-1);
  expect(redeployed).toMatchObject({ source: 'redeploy', sha: 'c'.repeat(40) });
  const { last } = await settle(() => kept.poll(io, earlier.createdAt + 1));
  expect(readyLive(last).id).toBe(redeployed?.id);
  expect(await kept.poll(io, since)).toMatchObject({ state: 'stale' });
});

test('a skipped build of a branch that has no other deployment fails the line', async () => {
  const { line, io, pushed } = open();
  Object.assign(pushed('CANCELED'), { isSkipped: true });
  expect(await line({ when_skipped: 'keep', git_branch: 'feat/x' }).poll(io, null)).toMatchObject({ state: 'failed' });
});

test('of several projects that build one commit, that of the line counts', async () => {
  const { world, line, io } = open();
  world.addProject('docs');
  world.addBranch('feat/x', sha, 'docs');
  const ours = world.push('feat/x', sha);
  const theirs = world.push('feat/x', sha, 'docs');
  world.settle(ours, 'READY');
  world.settle(theirs, 'ERROR');
  expect(readyLive(await line().poll(io, null)).id).toBe(ours.id);
  expect(await line({ project: 'docs' }).poll(io, null)).toMatchObject({ state: 'failed' });
  expect(readyLive(await line({ project: world.project('shop').id }).poll(io, null)).id).toBe(ours.id);
});

test('a line may give up before the run does, says what it waited for, and the next run waits on', async () => {
  const clock = new LeapingClock();
  const simulation = simulateVercel({ clock });
  used.push(simulation);
  const { world } = simulation;
  const stage = await openStage({
    simulations: [simulation],
    clock,
    env: { VERCEL_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [{ id: 'site', adapter: 'vercel', op: 'deploy', project: 'shop', timeout: 3 }] }),
  });
  onTestFinished(() => stage.close());
  world.addBranch('feat/x', sha);
  const made = world.push('feat/x', sha);
  world.settle(made, 'BUILDING');
  made.isHeld = true;
  const started = clock.mono();
  expect(await stage.apply({ sha, waitTimeoutMs: 600_000 })).toMatchObject({
    ok: false,
    error: { code: 'WAIT_TIMEOUT', detail: `site: It was not ready after 3 s: The deployment ${made.id} is BUILDING.` },
  });
  expect(clock.mono() - started).toBeLessThan(300_000);
  made.isHeld = false;
  world.settle(made, 'READY');
  expect(await stage.apply({ sha })).toMatchObject({ ok: true, outputs: { site: { id: made.id } } });
  expect(simulation.writes()).toEqual([]);
});

test('an older deployment is made again once: the next run, and a run of another scope, watch the one that was made', async () => {
  const clock = new LeapingClock();
  const simulation = simulateVercel({ clock });
  used.push(simulation);
  const { world } = simulation;
  const stage = await openStage({
    simulations: [simulation],
    clock,
    env: { VERCEL_TOKEN: simulation.tokens.full, PILOTFISH_REQUEST_DEADLINE_MS: '3000', PILOTFISH_LEASE_MS: '120000' },
    plan: JSON.stringify({
      version: 1,
      changes: [
        { id: 'url', adapter: 'vercel', op: 'env', project: 'shop', key: 'DATABASE_URL', value: 'postgres://pr-12', git_branch: 'feat/x' },
        { id: 'site', adapter: 'vercel', op: 'deploy', project: 'shop', depends_on: ['url'] },
      ],
    }),
  });
  onTestFinished(() => stage.close());
  world.addBranch('feat/x', sha);
  const early = world.push('feat/x', sha);
  world.settle(early, 'READY');
  const events: RunEvent[] = [];
  const first = await stage.apply({ sha }, events);
  expect(first.lines.map(({ error }) => error ?? null)).toEqual([null, null]);
  const [, made] = world.deployments();
  expect(first.lines[1]?.notes).toEqual([expect.stringContaining(`Redeployed ${early.id}`)]);
  const second = await stage.apply({ sha });
  expect(second).toMatchObject({ ok: true, outputs: { site: { id: made?.id } } });
  await stage.write(JSON.stringify({ version: 1, changes: [{ id: 'site', adapter: 'vercel', op: 'deploy', project: 'shop' }] }));
  expect(await stage.apply({ sha, scope: 'pr-13' })).toMatchObject({ ok: true, outputs: { site: { id: made?.id } } });
  expect(world.deployments()).toHaveLength(2);
});
