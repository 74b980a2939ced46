import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { type NetlifyState, type NetlifyWorld, netlify as simulateNetlify } from 'pilotfish-sandbox/netlify/index';
import { afterEach, describe, expect, test } from 'vitest';
import { netlify } from '../../src/adapters/netlify/index.ts';
import { Failure } from '../../src/core/errors.ts';
import { Sealed } from '../../src/core/sealed.ts';
import type { Params } from '../../src/ops/bound.ts';
import { findAll, removeObject } from '../../src/remote/find.ts';
import { unreadable } from '../../src/remote/live-object.ts';
import { Kept } from '../../src/remote/value.ts';
import { expectContracts } from '../contracts/expect.ts';
import { openBench } from '../support/op-bench.ts';

const site = '3970e0fe-8564-4903-9a55-c5f8de49fb8b';
const sha = 'a'.repeat(40);
const branch = 'feat/x';
const wanted = { value: 'https://a.example' };
let used: Simulation<NetlifyWorld>[] = [];
afterEach(() => {
  verifyHandled(used);
  expectContracts(used);
  used = [];
});

function open(unknowns: Partial<NetlifyState> = {}) {
  const simulation = simulateNetlify();
  used.push(simulation);
  const { world } = simulation;
  world.addSite('acme', site);
  Object.assign(world.state, unknowns);
  const bench = openBench(netlify, simulation);
  const line = (params: Params = {}, revision: { sha?: string | null; branch?: string | null } = {}) => {
    const where = params.context === undefined ? { context_parameter: branch } : {};
    return bench.object('env', { account_id: 'acme', site_id: site, key: 'API_URL', ...wanted, ...where, ...params }, revision);
  };
  const writes = () => simulation.writes().map(({ method, path, body }) => [method, path.split('/env').at(-1), body]);
  const values = () =>
    world.variable(site, 'API_URL')?.values.map(({ value, context_parameter, context }) => [context_parameter ?? context, value]);
  /** Somebody is quicker: `act` happens when the write arrives. */
  const meanwhile = (method: string, act: () => void) => {
    const stop = simulation.watch((event) => {
      if (event.phase !== 'before' || event.method !== method) return;
      stop();
      act();
    });
  };
  return { ...bench, simulation, world, line, writes, values, meanwhile };
}

const failureOf = async (work: Promise<unknown> | undefined): Promise<Failure> => {
  const thrown: unknown = await work?.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof Failure)) throw new Error(`expected a Failure, got ${String(thrown)}`);
  return thrown;
};
const revealed = (value: unknown): unknown => (value instanceof Sealed ? value.reveal() : value);

describe('a value', () => {
  test('of a new key makes the variable; of a key that is there it joins the others', async () => {
    const { line, io, writes, values } = open();
    await line().create(io, wanted);
    await line({ context_parameter: 'feat/y' }).create(io, { value: 'https://b.example' });
    expect(writes()).toEqual([
      ['POST', '', [{ key: 'API_URL', values: [{ context: 'branch', context_parameter: branch, value: wanted.value }] }]],
      ['PATCH', '/API_URL', { context: 'branch', context_parameter: 'feat/y', value: 'https://b.example' }],
    ]);
    expect(values()).toEqual([
      [branch, wanted.value],
      ['feat/y', 'https://b.example'],
    ]);
  });

  test('is told apart by context and branch, and stays sealed', async () => {
    const { world, line, io } = open();
    world.setValue(site, 'API_URL', '1', { context: 'deploy-preview' });
    world.setValue(site, 'API_URL', '2', { branch: 'feat/y' });
    expect(await line().find(io)).toEqual([]);
    const [shared] = await line({ context: 'deploy-preview' }).find(io);
    expect(shared?.values.value).toBeInstanceOf(Sealed);
    expect(revealed(shared?.values.value)).toBe('1');
    expect((await line({ context_parameter: 'feat/y' }).find(io)).map(({ values }) => revealed(values.value))).toEqual(['2']);
    expect(line().key).toBe(`/accounts/acme/env/API_URL?site_id=${site}[context=branch,context_parameter=feat/x]`);
  });

  test('is looked for in one list that all lines of the site share, which asks for no context', async () => {
    const { world, simulation, line, io } = open();
    world.setValue(site, 'API_URL', '1', { branch });
    world.setValue(site, 'B', '2', { branch });
    const found = await Promise.all([line(), line({ key: 'B' }), line({ key: 'C' })].map((one) => one.find(io)));
    expect(found.map((one) => one.length)).toEqual([1, 1, 0]);
    expect(simulation.log.map(({ path, query }) => [path, query])).toEqual([['/api/v1/accounts/acme/env', { site_id: site }]]);
  });

  test('that appeared between the look and the write is left as it is', async () => {
    const { world, simulation, line, io, values } = open();
    world.setValue(site, 'API_URL', 'theirs', { branch });
    expect(await failureOf(line().create(io, wanted))).toMatchObject({ code: 'PROVIDER_CONFLICT' });
    expect(values()).toEqual([[branch, 'theirs']]);
    expect(simulation.writes()).toEqual([]);
  });

  test.each([400, 409, 422])('joins a variable that somebody made first, which answers %d', async (duplicateStatus) => {
    const { world, line, io, values, meanwhile } = open({ duplicateStatus });
    meanwhile('POST', () => world.setValue(site, 'API_URL', 'theirs', { context: 'deploy-preview' }));
    await line().create(io, wanted);
    expect(values()).toEqual([
      ['deploy-preview', 'theirs'],
      [branch, wanted.value],
    ]);
  });

  test('that is refused for another reason is told as it is', async () => {
    const { line, io } = open({ limit: 0 });
    expect(await failureOf(line().create(io, wanted))).toMatchObject({ code: 'PROVIDER_INVALID', status: 422 });
  });

  test('whose id changes with it is known by the new one', async () => {
    const { world, line, io } = open({ renewsIds: true });
    const made = await line().create(io, wanted);
    const now = await line().update?.(io, made, { value: 'https://b.example' }, ['value']);
    expect(now?.id).toBe(world.variable(site, 'API_URL')?.values[0]?.id);
    expect(now?.id).not.toBe(made.id);
  });

  test('is found and removed by what the ledger keeps, and nothing else with it', async () => {
    const { world, line, io, values } = open();
    world.setValue(site, 'API_URL', 'theirs', { context: 'deploy-preview' });
    const bound = line();
    const made = await bound.create(io, wanted);
    const { reach } = bound;
    if (reach.kind !== 'object' || !reach.find) throw new Error('a value can be found');
    expect((await findAll(io.http, reach.find, { signal: io.signal })).map(({ id }) => id)).toEqual([made.id]);
    expect(await removeObject(io.http, reach, made.id, io.signal)).toBe('removed');
    expect(await removeObject(io.http, reach, made.id, io.signal)).toBe('gone');
    expect(values()).toEqual([['deploy-preview', 'theirs']]);
  });

  test.each([true, false])(
    'may be the last: whether its variable goes with it (%s) does not matter to the next one',
    async (dropsEmpty) => {
      const { world, line, io, values } = open({ dropsEmpty });
      const bound = line({ secret: true });
      const made = await line().create(io, wanted);
      if (bound.reach.kind !== 'object') throw new Error('a value is an object');
      await removeObject(io.http, bound.reach, made.id, io.signal);
      expect(values()).toEqual(dropsEmpty ? undefined : []);
      await bound.create(io, { ...wanted, secret: true });
      expect(values()).toEqual([[branch, wanted.value]]);
      expect(world.variable(site, 'API_URL')?.is_secret).toBe(true);
    },
  );

  test('that the plan keeps is neither compared nor made', async () => {
    const { line, io, simulation } = open();
    const kept = line({ value: new Kept() });
    expect(kept.fields).toEqual({ value: expect.any(Kept) });
    expect(await failureOf(kept.create(io, {}))).toMatchObject({ code: 'PARAM_INVALID' });
    expect(simulation.writes()).toEqual([]);
  });
});

describe('a secret', () => {
  test('is never read again', async () => {
    const { world, line, io } = open();
    world.setValue(site, 'API_URL', 'hidden-1234', { branch, secret: true });
    const [found] = await line().find(io);
    expect(found?.values).toMatchObject({ value: unreadable, secret: true });
    expect(JSON.stringify(found)).not.toContain('hidden');
  });

  test('has no value in `all` or `dev`, which is told before any request', () => {
    const { line, simulation } = open();
    for (const context of ['all', 'dev'])
      expect(line({ context, secret: true }).problems).toEqual([{ at: expect.any(Array), detail: expect.stringContaining(context) }]);
    expect(line({ context: 'deploy-preview', secret: true }).problems).toEqual([]);
    expect(line({ secret: true, scopes: ['post-processing'] }).problems).toEqual([
      { at: expect.any(Array), detail: expect.stringContaining('post_processing') },
    ]);
    expect(simulation.log).toEqual([]);
  });

  test.each(['all', 'dev'])('that is one in Netlify takes no value in %s either, also where the plan does not say so', async (context) => {
    const { world, line, io, simulation } = open();
    world.setValue(site, 'API_URL', 'hidden-1234', { branch, secret: true });
    expect(await failureOf(line({ context }).create(io, wanted))).toMatchObject({ code: 'PARAM_INVALID' });
    expect(simulation.writes()).toEqual([]);
  });

  test('is not made of a variable in which others have values', async () => {
    const { world, line, io, simulation } = open();
    world.setValue(site, 'API_URL', 'theirs', { context: 'deploy-preview' });
    const failure = await failureOf(line({ secret: true }).create(io, { ...wanted, secret: true }));
    expect(failure).toMatchObject({ code: 'PARAM_INVALID', detail: expect.stringContaining('is no secret') });
    const ours = world.setValue(site, 'API_URL', 'ours', { branch });
    const live = { id: ours.id, values: {}, outputs: {} };
    expect(await failureOf(line().update?.(io, live, { ...wanted, secret: true }, ['secret']))).toMatchObject({ code: 'PARAM_INVALID' });
    expect(simulation.writes()).toEqual([]);
  });
});

test('a scope is the same in both spellings and any order', async () => {
  for (const postProcessing of ['post_processing', 'post-processing'] as const) {
    const { world, line, io } = open({ postProcessing });
    const bound = line({ scopes: ['runtime', 'post-processing', 'builds'] });
    expect(bound.fields.scopes).toEqual(['builds', 'post_processing', 'runtime']);
    const made = await bound.create(io, { ...wanted, scopes: ['builds', 'post_processing', 'runtime'] });
    expect(world.variable(site, 'API_URL')?.scopes).toContain(postProcessing);
    expect(made.values.scopes).toEqual(bound.fields.scopes);
    expect((await bound.find(io))[0]?.values.scopes).toEqual(bound.fields.scopes);
  }
});

test('a branch belongs to the context branch, and to no other', () => {
  const { line } = open();
  expect(line({ context: 'branch' }).problems).toEqual([{ at: expect.any(Array), detail: expect.stringContaining('context_parameter') }]);
  expect(line({ context: 'deploy-preview', context_parameter: branch }).problems).toEqual([
    { at: expect.any(Array), detail: expect.stringContaining('context branch only') },
  ]);
  expect(line().problems).toEqual([]);
});

test('production is written by `production` and `all`', () => {
  const writes = netlify.ops.env?.writesProduction;
  expect(['branch', 'deploy-preview', 'production', 'all'].map((context) => writes?.({ context }))).toEqual([false, false, true, true]);
});

describe('a deploy that started before the write', () => {
  const previews = { context: 'deploy-preview', branch, commit_ref: sha };
  const early = { created_at: '2020-01-01T00:00:00Z' };

  test('is named, and nothing is rebuilt', async () => {
    const { world, line, io, notes, writes } = open();
    const deploy = world.deploy(site, { ...previews, ...early });
    await line({ context: 'deploy-preview' }, { sha, branch }).create(io, wanted);
    expect(notes).toEqual([expect.stringContaining(`The deploy ${deploy.id}`)]);
    expect(notes[0]).toContain('was written, so it does not have the new value');
    expect(deploy.env).toEqual({});
    expect(writes().map(([method]) => method)).toEqual(['POST']);
  });

  test('is named after an update as well, and for a branch by that branch', async () => {
    const { world, line, io, notes } = open();
    const made = await line().create(io, wanted);
    expect(notes).toEqual([]);
    world.deploy(site, { context: 'branch-deploy', branch: 'feat/y', ...early });
    await line().update?.(io, made, { value: 'https://b.example' }, ['value']);
    expect(notes).toEqual([]);
    world.deploy(site, { context: 'branch-deploy', branch, ...early });
    await line().update?.(io, made, { value: 'https://c.example' }, ['value']);
    expect(notes).toHaveLength(1);
  });

  test.each([
    ['one that started later', { created_at: '2100-01-01T00:00:00Z' }],
    ['one that failed', { ...early, state: 'error' }],
    ['one of another commit', { ...early, commit_ref: 'b'.repeat(40) }],
    ['one of another branch', { ...early, branch: 'feat/y' }],
    ['one of another context', { ...early, context: 'branch-deploy' }],
  ])('is not %s', async (_, more) => {
    const { world, line, io, notes } = open();
    world.deploy(site, { ...previews, ...more });
    await line({ context: 'deploy-preview' }, { sha, branch }).create(io, wanted);
    expect(notes).toEqual([]);
  });

  test.each(['production', 'all', 'branch-deploy'])('is one of the context %s', async (context) => {
    const { world, line, io, notes } = open();
    world.deploy(site, { context: context === 'all' ? 'production' : context, branch: 'main', ...early });
    await line({ context }).create(io, wanted);
    expect(notes).toHaveLength(1);
  });

  test('is none in local development, and nobody looks for it', async () => {
    const { line, io, notes, simulation } = open();
    await line({ context: 'dev' }).create(io, wanted);
    expect(notes).toEqual([]);
    expect(simulation.log.some(({ path }) => path.endsWith('/deploys'))).toBe(false);
  });

  test('may not be seen, and the value stands all the same', async () => {
    const { line, io, notes, simulation, values } = open();
    simulation.faults.once('GET /api/v1/sites/{site}/deploys', 403, { code: 403, message: 'Forbidden' });
    await line().create(io, wanted);
    expect(notes).toEqual([expect.stringContaining('cannot tell whether')]);
    expect(values()).toEqual([[branch, wanted.value]]);
  });
});
