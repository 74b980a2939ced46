import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { vercel as simulateVercel, type VercelWorld } from 'pilotfish-sandbox/vercel/index';
import { afterEach, describe, expect, test } from 'vitest';
import { vercel } from '../../src/adapters/vercel/index.ts';
import { Failure } from '../../src/core/errors.ts';
import type { Json } from '../../src/core/json.ts';
import { Sealed } from '../../src/core/sealed.ts';
import type { Params } from '../../src/ops/bound.ts';
import { findAll, removeObject } from '../../src/remote/find.ts';
import { type Live, unreadable, withValues } from '../../src/remote/live-object.ts';
import { Kept } from '../../src/remote/value.ts';
import { expectContracts } from '../contracts/expect.ts';
import { openBench } from '../support/op-bench.ts';

let used: Simulation<VercelWorld>[] = [];
afterEach(() => {
  verifyHandled(used);
  expectContracts(used);
  used = [];
});

function open(token: 'full' | 'readOnly' | 'blind' = 'full', settings: { [key: string]: Json } = {}) {
  const simulation = simulateVercel();
  used.push(simulation);
  simulation.world.addBranch('feat/x', 'a'.repeat(40));
  const bench = openBench(vercel, simulation, { token: simulation.tokens[token], settings });
  const line = (params: Params = {}) =>
    bench.object('env', { project: 'shop', key: 'API_URL', value: 'https://a.example', target: ['preview'], ...params });
  const sent = () => simulation.log.map(({ method, path }) => `${method} ${path}`);
  return { ...bench, simulation, world: simulation.world, line, sent };
}

const failureOf = async (work: Promise<unknown>): Promise<Failure> => {
  const thrown: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof Failure)) throw new Error(`expected a Failure, got ${String(thrown)}`);
  return thrown;
};
const revealed = (value: unknown): unknown => (value instanceof Sealed ? value.reveal() : value);
const read = async (live: Live | undefined) => live && (await withValues(live, null)).values.value;
const asMade = { value: 'https://a.example', type: 'encrypted' };

describe('a variable', () => {
  test('is made encrypted for previews and found again with its value, which stays sealed', async () => {
    const { world, line, io } = open();
    const bound = line();
    expect(await bound.find(io)).toEqual([]);
    const made = await bound.create(io, asMade);
    expect(world.env('API_URL')).toMatchObject({ value: 'https://a.example', type: 'encrypted', target: ['preview'], gitBranch: null });
    const [found] = await bound.find(io);
    expect(found).toMatchObject({ id: made.id, values: { type: 'encrypted' }, outputs: { id: made.id, key: 'API_URL' } });
    const value = await read(found);
    expect(value).toBeInstanceOf(Sealed);
    expect(revealed(value)).toBe('https://a.example');
  });

  test('takes a secret as its value and shows it nowhere', async () => {
    const { world, line, io } = open();
    const made = await line({ value: new Sealed('hunter2-hunter2', 'env://DB') }).create(io, {
      value: new Sealed('hunter2-hunter2', 'env://DB'),
      type: 'encrypted',
    });
    expect(world.env('API_URL')?.value).toBe('hunter2-hunter2');
    expect(JSON.stringify(made)).not.toContain('hunter2');
  });

  test('is told apart by key, exact targets and branch', async () => {
    const { world, line, io } = open();
    world.setEnv('API_URL', '1', { target: ['preview', 'production'] });
    world.setEnv('API_URL', '2', { target: ['preview'], gitBranch: 'feat/x' });
    world.setEnv('OTHER', '3', { target: ['preview'] });
    const valuesOf = async (one: ReturnType<typeof line>) =>
      Promise.all((await one.find(io)).map(async (live) => revealed(await read(live))));
    expect(await line().find(io)).toEqual([]);
    expect(await valuesOf(line({ target: ['production', 'preview'] }))).toEqual(['1']);
    expect(await valuesOf(line({ git_branch: 'feat/x' }))).toEqual(['2']);
    const keys = [line(), line({ target: ['production', 'preview'] }), line({ git_branch: 'feat/x' })].map(({ key }) => key);
    expect(keys).toEqual([
      '/projects/shop/env[key=API_URL,target=preview,gitBranch=]',
      '/projects/shop/env[key=API_URL,target=preview+production,gitBranch=]',
      '/projects/shop/env[key=API_URL,target=preview,gitBranch=feat/x]',
    ]);
    expect(line({ target: ['preview', 'production'] }).key).toBe(keys[1]);
  });

  test.each(['paged', 'single', 'whole'])('all lines of a project share one list, in the form %s', async (form) => {
    const { world, line, io, sent } = open();
    Object.assign(world.state, { envListForm: form, envPageSize: 1 });
    world.setEnv('API_URL', '1', { target: ['preview'], type: 'plain' });
    if (form !== 'single') for (const key of ['B', 'C']) world.setEnv(key, '2', { target: ['preview'], type: 'plain' });
    const lines = form === 'single' ? [line()] : [line(), line({ key: 'B' }), line({ key: 'C' })];
    const found = await Promise.all(lines.map((one) => one.find(io)));
    expect(found.map(([one]) => one?.outputs.key)).toEqual(form === 'single' ? ['API_URL'] : ['API_URL', 'B', 'C']);
    expect(sent()).toHaveLength(form === 'paged' ? 3 : 1);
  });

  test('the next page of the list holds what was made before the last of this one, in milliseconds', async () => {
    const { world, simulation, line, io } = open();
    Object.assign(world.state, { envListForm: 'paged', envPageSize: 2 });
    const made = ['API_URL', 'B', 'C', 'D', 'E'].map((key) => world.setEnv(key, '1', { target: ['preview'], type: 'plain' }).createdAt);
    expect((await line().find(io)).map(({ outputs }) => outputs.key)).toEqual(['API_URL']);
    expect(simulation.log.map(({ path, query }) => [path, query])).toEqual(
      [{}, { until: String(made[3]) }, { until: String(made[1]) }].map((query) => ['/v10/projects/shop/env', query]),
    );
  });

  test('a plain value is read from the list, a sensitive one never, a kept one not at all', async () => {
    const { world, line, io, sent } = open();
    world.setEnv('API_URL', 'seen', { target: ['preview'], type: 'plain' });
    expect((await line().find(io))[0]?.values).toMatchObject({ value: 'seen', type: 'plain' });
    world.setEnv('S', 'unseen', { target: ['preview'], type: 'sensitive' });
    expect((await line({ key: 'S' }).find({ ...io, share: false }))[0]?.values.value).toBe(unreadable);
    world.setEnv('K', 'kept', { target: ['preview'] });
    const kept = line({ key: 'K', value: new Kept() });
    expect(Object.keys(kept.fields)).toEqual(['value']);
    expect((await kept.find({ ...io, share: false }))[0]?.values.value).toBe(unreadable);
    expect(sent().filter((request) => request.includes('/v1/'))).toEqual([]);
  });

  test('only what changed is sent, and the value with a new type', async () => {
    const { world, simulation, line, io } = open();
    const bound = line({ comment: 'new', type: 'sensitive' });
    const made = await line().create(io, asMade);
    const desired = { value: 'https://b.example', comment: 'new', type: 'sensitive' };
    await bound.update?.(io, made, desired, ['comment']);
    expect(simulation.log.at(-1)?.body).toEqual({ comment: 'new' });
    expect(world.env('API_URL')).toMatchObject({ value: 'https://a.example', comment: 'new', type: 'encrypted' });
    const now = await bound.update?.(io, made, desired, ['type']);
    expect(world.env('API_URL')).toMatchObject({ value: 'https://b.example', type: 'sensitive' });
    expect(now).toMatchObject({ id: made.id, values: { type: 'sensitive', comment: 'new' } });
  });

  test('what an intent and a record store finds and removes it', async () => {
    const { world, line, io } = open('full');
    for (const bound of [line(), line({ key: 'B', git_branch: 'feat/x' })]) {
      const made = await bound.create(io, asMade);
      const { reach } = bound;
      if (reach.kind !== 'object' || !reach.find) throw new Error('a variable can be found');
      expect((await findAll(io.http, reach.find, { signal: io.signal, isAlike: true })).map(({ id }) => id)).toEqual([made.id]);
      expect(await removeObject(io.http, reach, made.id, io.signal)).toBe('removed');
      expect(await removeObject(io.http, reach, made.id, io.signal)).toBe('gone');
    }
    expect(world.env('API_URL')).toBeUndefined();
  });

  test('what an intent stores finds it on whatever page', async () => {
    const { world, line, io } = open();
    const bound = line();
    const made = await bound.create(io, asMade);
    for (const key of ['B', 'C', 'D', 'E']) world.setEnv(key, '1', { target: ['preview'] });
    Object.assign(world.state, { envListForm: 'paged', envPageSize: 2 });
    if (bound.reach.kind !== 'object' || !bound.reach.find) throw new Error('a variable can be found');
    expect((await findAll(io.http, bound.reach.find, { signal: io.signal, isAlike: true })).map(({ id }) => id)).toEqual([made.id]);
  });

  test('of a team is reached with the team in every request', async () => {
    const { world, line, io } = open('full', { team_id: 'team_acme' });
    world.state.team = { id: 'team_acme', slug: 'acme' };
    const bound = line();
    const made = await bound.create(io, asMade);
    expect((await bound.find(io)).map(({ id }) => id)).toEqual([made.id]);
    if (bound.reach.kind !== 'object') throw new Error('a variable is an object');
    expect(bound.reach.remove).toMatchObject({ query: { teamId: 'team_acme' } });
    expect(await removeObject(io.http, bound.reach, made.id, io.signal)).toBe('removed');
  });
});

describe('what the provider refuses', () => {
  test('an existing variable is a conflict, although the status is that of a missing permission', async () => {
    const { world, line, io } = open();
    world.setEnv('API_URL', 'theirs', { target: ['preview'] });
    expect(await failureOf(line().create(io, asMade))).toMatchObject({ code: 'PROVIDER_CONFLICT', status: 403 });
    expect(world.env('API_URL')?.value).toBe('theirs');
    const readOnly = open('readOnly');
    expect(await failureOf(readOnly.line().create(readOnly.io, asMade))).toMatchObject({ code: 'PROVIDER_AUTH', status: 403 });
  });

  test.each([
    ['ENV_ALREADY_EXISTS', 403],
    ['EXISTING_KEY_AND_TARGET', 400],
    ['ENV_CONFLICT', 409],
  ] as const)('%s (%i) says that it exists, whoever made it and whatever the status', async (code, status) => {
    const { simulation, line, io } = open();
    simulation.faults.once({ method: 'POST', path: /env$/ }, status, { error: { code, message: 'it exists' } });
    expect(await failureOf(line().create(io, asMade))).toMatchObject({ code: 'PROVIDER_CONFLICT', status });
    expect(simulation.writes()).toHaveLength(1);
  });

  test('a variable that serves several targets is left alone and named', async () => {
    const { world, line, io } = open();
    world.setEnv('API_URL', 'shared', { target: ['preview', 'production'] });
    const failure = await failureOf(line().create(io, asMade));
    expect(failure.code).toBe('RESOURCE_FOREIGN');
    expect(failure.detail).toContain('preview, production together');
    expect(world.env('API_URL')?.value).toBe('shared');
  });

  test('an answer that says 201 and created nothing is no success', async () => {
    const { simulation, line, io } = open();
    const failed = (code: string) => ({ created: [], failed: [{ error: { code, message: 'Nothing was created' } }] });
    const create = { method: 'POST', path: /env$/ };
    simulation.faults.once(create, 201, failed('ENV_CONFLICT'));
    expect(await failureOf(line().create(io, asMade))).toMatchObject({ code: 'PROVIDER_CONFLICT' });
    simulation.faults.once(create, 201, failed('INVALID_VALUE'));
    expect(await failureOf(line().create(io, asMade))).toMatchObject({
      code: 'PROVIDER_INVALID',
      detail: expect.stringContaining('Nothing was created'),
    });
  });

  test('a branch-bound variable of a project without a repository is a mistake of the plan', async () => {
    const { line, io } = open();
    const failure = await failureOf(line({ project: 'plain', git_branch: 'feat/x' }).create(io, asMade));
    expect(failure).toMatchObject({ code: 'PARAM_INVALID', fix: expect.stringContaining('Connect the project') });
  });

  test('any other 400 is told as it is', async () => {
    const { world, line, io, simulation } = open();
    expect(await failureOf(line({ git_branch: 'no-such' }).create(io, asMade))).toMatchObject({ code: 'PROVIDER_INVALID', status: 400 });
    world.state.ongoingUpdates = 1;
    const before = simulation.writes().length;
    const failure = await failureOf(line().create(io, asMade));
    expect(failure).toMatchObject({ code: 'PROVIDER_INVALID', status: 400 });
    expect(failure.detail).toContain('ongoing update');
    expect(simulation.writes(before)).toHaveLength(1);
  });

  test('a full project is told as a quota, a project in transfer as a conflict', async () => {
    const { world, line, io } = open();
    world.state.envLimit = 0;
    expect(await failureOf(line().create(io, asMade))).toMatchObject({ code: 'PROVIDER_QUOTA' });
    world.state.envLimit = 100;
    world.project().isTransferring = true;
    expect(await failureOf(line().create(io, asMade))).toMatchObject({ code: 'PROVIDER_CONFLICT', status: 409 });
  });

  test('a create whose answer was lost is left to the engine', async () => {
    const { simulation, line, io } = open();
    simulation.faults.loseAnswer({ method: 'POST', path: /env$/ });
    expect(await failureOf(line().create(io, asMade))).toMatchObject({ code: 'PROVIDER_TRANSIENT', unanswered: true });
  });
});

test('combinations that the provider refuses are told before any request', () => {
  const { line, sent } = open();
  expect(line({ git_branch: 'x', target: ['production'] }).problems).toEqual([
    { at: expect.any(Array), detail: expect.stringContaining('target: [preview]') },
  ]);
  expect(line({ type: 'sensitive', target: ['development'] }).problems).toEqual([
    { at: expect.any(Array), detail: expect.stringContaining('sensitive') },
  ]);
  expect(sent()).toEqual([]);
});

test('production is written by the target production alone', () => {
  const writes = vercel.ops.env?.writesProduction;
  expect([['preview'], ['preview', 'production'], ['development']].map((target) => writes?.({ target }))).toEqual([false, true, false]);
});
