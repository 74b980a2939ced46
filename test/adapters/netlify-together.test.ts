import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { type NetlifyState, netlify } from 'pilotfish-sandbox/netlify/index';
import { expect, it, onTestFinished } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';

const site = '3970e0fe-8564-4903-9a55-c5f8de49fb8b';
const branch = 'feat/x';
const names = Array.from({ length: 30 }, (_, i) => `VARIABLE_${i + 1}`);

interface Line {
  readonly key: string;
  readonly [param: string]: unknown;
}
const where = ({ context }: Line) => (context === undefined ? { context_parameter: branch } : {});
const planOf = (lines: readonly Line[]): string =>
  JSON.stringify({
    version: 1,
    changes: lines.map((line, i) => ({
      id: `line-${i + 1}`,
      adapter: 'netlify',
      op: 'env',
      account_id: 'acme',
      site_id: site,
      value: `value ${i + 1}`,
      ...where(line),
      ...line,
    })),
  });

/** Variables of one site, each a line. */
async function open(lines: readonly Line[], unknowns: Partial<NetlifyState> = {}) {
  const clock = new LeapingClock();
  const simulation = netlify({ clock });
  const { world } = simulation;
  world.addSite('acme', site);
  Object.assign(world.state, unknowns);
  const stage = await openStage({
    simulations: [simulation],
    clock,
    env: { NETLIFY_AUTH_TOKEN: simulation.tokens.full, PILOTFISH_REQUEST_DEADLINE_MS: '3000', PILOTFISH_LEASE_MS: '120000' },
    plan: planOf(lines),
  });
  onTestFinished(async () => {
    await stage.close();
    verifyHandled([simulation]);
    expectContracts([simulation]);
  });
  const asked = async (work: () => Promise<unknown>) => {
    const watched = stage.watch();
    await work();
    return watched.all().map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`);
  };
  const values = (key: string) =>
    world.variable(site, key)?.values.map(({ context, context_parameter: at, value }) => [at ?? context, value]);
  return { simulation, world, stage, asked, values };
}

const list = 'GET /accounts/acme/env';
const make = 'POST /accounts/acme/env';
const deploys = `GET /sites/${site}/deploys`;

it('thirty variables that are new are one write, and when they stand one list', async () => {
  const { stage, asked, values } = await open(names.map((key) => ({ key })));
  // The list that decides, the one in the moment before the write, and the deploys that may have come too early.
  expect(await asked(() => stage.apply())).toEqual([list, list, make, deploys]);
  expect(names.map((key) => values(key))).toEqual(names.map((_, i) => [[branch, `value ${i + 1}`]]));
  expect(await asked(() => stage.apply())).toEqual([list]);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(names.flatMap((key) => values(key) ?? [])).toEqual([]);
});

it('values that join variables of others are one write each, and what others have stays', async () => {
  const { stage, asked, values, world } = await open([{ key: 'A' }, { key: 'B' }, { key: 'C' }]);
  for (const key of ['A', 'B']) world.setValue(site, key, 'theirs', { branch: 'main' });
  const seen = await asked(() => stage.apply());
  expect(seen.toSorted()).toEqual([list, list, make, 'PATCH /accounts/acme/env/A', 'PATCH /accounts/acme/env/B', deploys].toSorted());
  expect(values('A')).toEqual([
    ['main', 'theirs'],
    [branch, 'value 1'],
  ]);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect([values('A'), values('C')]).toEqual([[['main', 'theirs']], undefined]);
});

it('several values of one new variable are made with it', async () => {
  const { stage, asked, values, world } = await open([
    { key: 'A' },
    { key: 'A', context: 'deploy-preview', secret: true },
    { key: 'A', context_parameter: 'feat/y', secret: true },
  ]);
  expect((await asked(() => stage.apply())).filter((request) => !request.startsWith('GET'))).toEqual([make]);
  expect(values('A')?.toSorted()).toEqual([
    ['deploy-preview', 'value 2'],
    [branch, 'value 1'],
    ['feat/y', 'value 3'],
  ]);
  expect(world.variable(site, 'A')?.is_secret).toBe(true);
  expect(await stage.plan()).toMatchObject({ summary: { none: 3 } });
});

it('a line that wants the variable otherwise is refused, and the others stand', async () => {
  const { stage, values } = await open([
    { key: 'A', secret: true },
    { key: 'A', context: 'production', secret: false },
    { key: 'A', context: 'dev' },
    { key: 'B' },
  ]);
  const { lines } = await stage.apply({ approvedBy: 'ada' });
  expect(lines.map(({ state, error }) => error?.code ?? state)).toEqual(['settled', 'PARAM_INVALID', 'PARAM_INVALID', 'settled']);
  expect([values('A'), values('B')]).toEqual([[[branch, 'value 1']], [[branch, 'value 4']]]);
  expect((await stage.ledger()).intents.size).toBe(0);
});

it.each([409, 422])('when the new ones are refused together (%d), each is sent alone', async (duplicateStatus) => {
  const { simulation, world, stage, values } = await open([{ key: 'A' }, { key: 'B' }], { duplicateStatus });
  const stop = simulation.watch((event) => {
    if (event.phase !== 'before' || event.method !== 'POST') return;
    stop();
    world.setValue(site, 'A', 'theirs', { branch: 'main' });
  });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect([values('A'), values('B')]).toEqual([
    [
      ['main', 'theirs'],
      [branch, 'value 1'],
    ],
    [[branch, 'value 2']],
  ]);
});

it.each(['POST', 'PATCH'])('when the answer of a %s is lost, what it made is claimed and made once', async (method) => {
  const { simulation, world, stage, values } = await open([{ key: 'A' }, { key: 'B' }, { key: 'C' }]);
  world.setValue(site, 'C', 'theirs', { branch: 'main' });
  simulation.faults.loseAnswer({ method });
  const { lines } = await stage.apply();
  expect(lines.map(({ state }) => state)).toEqual(['settled', 'settled', 'settled']);
  expect(['A', 'B', 'C'].map((key) => values(key)?.at(-1))).toEqual([
    [branch, 'value 1'],
    [branch, 'value 2'],
    [branch, 'value 3'],
  ]);
  expect(await stage.plan()).toMatchObject({ summary: { none: 3 } });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect([values('A'), values('B'), values('C')]).toEqual([undefined, undefined, [['main', 'theirs']]]);
});

it('a deploy that came too early is told once for all that was written', async () => {
  const { world, stage } = await open([{ key: 'A' }, { key: 'B' }]);
  world.deploy(site, { context: 'branch-deploy', branch, created_at: '2020-01-01T00:00:00Z' });
  const { lines } = await stage.apply();
  const notes = lines.flatMap((line) => line.notes ?? []);
  expect(notes).toEqual([expect.stringContaining('before A, B was written')]);
});

it('a list that lags behind the writes makes nothing be written twice', async () => {
  const { simulation, stage, asked, values } = await open([{ key: 'A' }, { key: 'B' }]);
  // Both lists of the first run, which has written nothing yet, and the one that decides the second.
  const lags = simulation.faults.staleRead('GET /api/v1/accounts/{account}/env', 1, 3);
  await stage.apply();
  const before = values('A');
  const seen = await asked(async () => {
    const { lines } = await stage.apply();
    expect(lines.map(({ state }) => state)).toEqual(['settled', 'settled']);
  });
  expect(lags.left).toBe(0);
  expect(seen.filter((request) => !request.startsWith('GET'))).toEqual([]);
  expect(values('A')).toEqual(before);
  expect(await stage.plan()).toMatchObject({ summary: { none: 2 } });
});
