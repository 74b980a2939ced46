import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { vercel } from 'pilotfish-sandbox/vercel/index';
import { expect, it, onTestFinished } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { expectContracts } from '../contracts/expect.ts';
import { fastClock } from '../support/fast-clock.ts';
import { openStage } from '../support/stage.ts';

const gitBranch = 'feat/x';
const names = Array.from({ length: 30 }, (_, i) => `VARIABLE_${i + 1}`);
const lineOf = (key: string, value: unknown = `value of ${key}`) => ({
  id: key.toLowerCase().replaceAll('_', '-'),
  adapter: 'vercel',
  op: 'env',
  project: 'shop',
  key,
  value,
  git_branch: gitBranch,
});
const planOf = (lines: readonly unknown[]): string => JSON.stringify({ version: 1, changes: lines });

/** Thirty variables for one branch of one project. */
async function open(lines = names.map((key) => lineOf(key))) {
  const clock = fastClock(10);
  const simulation = vercel({ clock });
  simulation.world.addBranch(gitBranch);
  const stage = await openStage({
    simulations: [simulation],
    clock,
    env: {
      VERCEL_TOKEN: simulation.tokens.full,
      FIRST_VALUE: 'hunter2-hunter2',
      PILOTFISH_REQUEST_DEADLINE_MS: '3000',
      PILOTFISH_LEASE_MS: '120000',
    },
    plan: planOf(lines),
  });
  onTestFinished(async () => {
    await stage.close();
    verifyHandled([simulation]);
    expectContracts([simulation]);
  });
  const apply = async (events: RunEvent[] = []) => {
    const watched = stage.watch();
    const doc = await stage.apply({}, events);
    const requests = watched.all().map(({ method, path }) => `${method} ${path}`);
    return { doc, requests, ended: doc.lines.map(({ verdict, state }) => `${verdict} ${state}`) };
  };
  const values = () => Object.fromEntries(simulation.world.project().env.map(({ key, value }) => [key, value]));
  return { simulation, world: simulation.world, faults: simulation.faults, stage, apply, values };
}

const list = 'GET /v10/projects/shop/env';
const create = 'POST /v10/projects/shop/env';
const every = Object.fromEntries(names.map((key) => [key, `value of ${key}`]));

it('thirty variables of a branch are one list and one write, and when they stand one list', async () => {
  const { apply, values, stage } = await open();
  const first = await apply();
  expect(first.ended).toEqual(names.map(() => 'create settled'));
  expect(first.requests).toEqual([list, create]);
  expect(values()).toEqual(every);
  const second = await apply();
  expect(second.ended).toEqual(names.map(() => 'none settled'));
  expect(second.requests).toEqual([list]);
  expect((await stage.destroy()).ok).toBe(true);
  expect(values()).toEqual({});
});

it('a type that the plan does not name is not compared: a team may turn all of its variables into sensitive ones', async () => {
  const { apply, world } = await open();
  await apply();
  for (const name of names) Object.assign(world.env(name) ?? {}, { type: 'sensitive' });
  const { requests } = await apply();
  expect(requests).toEqual([list]);
});

it('one that somebody changed is read, and alone is written', async () => {
  const { apply, values, world } = await open();
  await apply();
  world.setEnv('VARIABLE_7', 'by hand', { target: ['preview'], gitBranch });
  const { requests, ended } = await apply();
  expect(ended.filter((one) => one !== 'none settled')).toEqual(['update settled']);
  expect(requests.map((one) => one.replace(/\/env\/\w+/, '/env/{id}'))).toEqual([
    list,
    'GET /v1/projects/shop/env/{id}',
    'PATCH /v9/projects/shop/env/{id}',
  ]);
  expect(values()).toEqual(every);
});

it('one that came into being after the look is somebody else’s, one to keep is not there, and the others are made', async () => {
  const { apply, values, world, faults } = await open([...names.slice(0, 3).map((key) => lineOf(key)), lineOf('KEPT', { keep: true })]);
  faults.slow(({ method }) => {
    if (method === 'POST' && !world.env('VARIABLE_2')) world.setEnv('VARIABLE_2', 'somebody', { target: ['preview'], gitBranch });
    return false;
  }, 0);
  const { doc, ended, requests } = await apply();
  expect(ended).toEqual(['create settled', 'create failed', 'create settled', 'refused refused']);
  expect(doc.lines.flatMap(({ error }) => error?.code ?? [])).toEqual(['RESOURCE_FOREIGN', 'PROVIDER_NOT_FOUND']);
  expect(requests.filter((one) => one === create)).toHaveLength(1);
  expect(values()).toEqual({ VARIABLE_1: every.VARIABLE_1, VARIABLE_2: 'somebody', VARIABLE_3: every.VARIABLE_3 });
});

it('a project that has no room for all takes as many as it can, each by a request of its own', async () => {
  const { apply, world, stage } = await open(names.slice(0, 4).map((key) => lineOf(key)));
  Object.assign(world.state, { envLimit: world.project().env.length + 3 });
  const { requests, ended, doc } = await apply();
  expect(requests.filter((one) => one === create)).toHaveLength(5);
  expect(ended.filter((one) => one === 'create settled')).toHaveLength(3);
  expect(doc.lines.flatMap(({ error }) => error?.code ?? [])).toEqual(['PROVIDER_QUOTA']);
  expect((await stage.ledger()).records.size).toBe(3);
});

it('a write whose answer was lost is looked for, and nothing is made twice', async () => {
  const { apply, faults, values, world } = await open();
  faults.loseAnswer(create.replace('shop', '{project}'));
  const { ended, requests } = await apply();
  expect(ended).toEqual(names.map(() => 'claim settled'));
  expect(requests.filter((one) => one === create)).toHaveLength(1);
  expect(values()).toEqual(every);
  expect(world.project().env).toHaveLength(30);
});

it('a write that never arrived is sent again, for those that come together in one', async () => {
  const { apply, faults, values } = await open();
  faults.loseRequest(create.replace('shop', '{project}'));
  const { ended, requests } = await apply();
  expect(ended).toEqual(names.map(() => 'create settled'));
  expect(requests.filter((one) => one === create).length).toBeLessThan(names.length);
  expect(values()).toEqual(every);
});

it('one alone that came into being after the look (ENV_ALREADY_EXISTS) is somebody else’s, and one that a dead run made is claimed', async () => {
  const { apply, world, faults, values, stage } = await open([lineOf('ALONE')]);
  const theirs = faults.slow(({ method }) => {
    if (method === 'POST' && !world.env('ALONE')) world.setEnv('ALONE', 'somebody', { target: ['preview'], gitBranch });
    return false;
  }, 0);
  const first = await apply();
  expect(first.doc.lines.map(({ error }) => error?.code)).toEqual(['RESOURCE_FOREIGN']);
  expect([(await stage.ledger()).intents.size, values()]).toEqual([0, { ALONE: 'somebody' }]);
  theirs.disarm();
  world.removeEnv('ALONE');
  // The answer to the create is lost, and so is every look after it.
  let isLost = false;
  faults.loseAnswer(create.replace('shop', '{project}'));
  const blind = faults.loseRequest(({ method }) => {
    isLost ||= world.env('ALONE') !== undefined;
    return method === 'GET' && isLost;
  }, 200);
  expect((await apply()).doc.ok).toBe(false);
  blind.disarm();
  expect((await stage.ledger()).intents.size).toBe(1);
  const { ended, requests } = await apply();
  expect([ended, requests.filter((one) => one === create)]).toEqual([['claim settled'], []]);
  expect(values()).toEqual({ ALONE: 'value of ALONE' });
});

it('an answer of 201 that made none of several says why for each, and nothing of them is recorded', async () => {
  const { apply, faults, values, stage } = await open(['ONE', 'TWO', 'THREE'].map((key) => lineOf(key)));
  const failed = [
    { error: { code: 'INVALID_VALUE', message: 'The value of TWO is too long.', envVarKey: 'TWO' } },
    { error: { code: 'MAX_ENVS_EXCEEDED', message: 'No more than 100.', envVarKey: 'THREE' } },
  ];
  faults.once(create.replace('shop', '{project}'), 201, { created: [], failed });
  const { doc, requests } = await apply();
  expect(doc.lines.map(({ error }) => error?.code)).toEqual(['PROVIDER_INVALID', 'PROVIDER_INVALID', 'PROVIDER_QUOTA']);
  expect(doc.lines.map(({ error }) => error?.detail)).toEqual([
    expect.stringContaining('it gave no reason'),
    expect.stringContaining('The value of TWO is too long.'),
    expect.stringContaining('No more than 100.'),
  ]);
  expect(requests.filter((one) => one === create)).toHaveLength(1);
  const { records, intents } = await stage.ledger();
  expect([records.size, intents.size]).toEqual([0, 0]);
  expect((await apply()).ended).toEqual(['create settled', 'create settled', 'create settled']);
  expect(Object.keys(values())).toEqual(['ONE', 'TWO', 'THREE']);
});
