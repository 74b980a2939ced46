import { qstash } from 'pilotfish-sandbox/upstash-qstash';
import { expect, it, onTestFinished } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';
import { livesOn } from '../support/suite/kept.ts';

type Given = Readonly<Record<string, unknown>>;

const schedule_id = 'shop-pr-12-digest';
const url = 'https://pr-12.acme.example';
const elsewhere = 'https://elsewhere.example/hook';

describeRecipe('qstash.schedule', {
  simulate: qstash,
  subject: ({ world }) => {
    world.add({ scheduleId: 'shop-pr-13-digest', destination: `${url}/api/digest`, cron: '0 6 * * *' });
    const mine = () => world.schedules().filter(({ scheduleId }) => scheduleId === schedule_id);
    return {
      credential: 'QSTASH_TOKEN',
      env: { BYPASS: 'let-me-in-please' },
      params: {
        schedule_id,
        url,
        path: '/api/digest',
        cron: '0 6 * * *',
        method: 'PUT',
        body: { kind: 'digest' },
        forward_headers: { 'x-preview-bypass': { secret: 'env://BYPASS' }, 'X-Scope': 'pr-12' },
        retries: 2,
        timeout: '30s',
        callback: `${url}/api/told`,
        failure_callback: `${url}/api/failed`,
      },
      mine,
      others: () => world.schedules().filter(({ scheduleId }) => scheduleId !== schedule_id),
      stands: {
        destination: `${url}/api/digest`,
        cron: '0 6 * * *',
        method: 'PUT',
        body: '{"kind":"digest"}',
        header: { 'x-preview-bypass': ['let-me-in-please'], 'x-scope': ['pr-12'] },
        retries: 2,
        timeout: '30s',
        callback: `${url}/api/told`,
        failureCallback: `${url}/api/failed`,
      },
      edits: {
        destination: { destination: elsewhere },
        cron: { cron: '* * * * *' },
        method: { method: 'GET' },
        body: { body: '{"kind":"theirs"}' },
        retries: { retries: 0 },
        callback: { callback: undefined },
        failureCallback: { failureCallback: elsewhere },
      },
      unseen: {
        timeout: 'in no answer',
        forward_headers: 'shown in the spelling of the service',
      },
      changes: {
        destination: { path: '/api/weekly' },
        cron: { cron: 'CRON_TZ=Europe/Berlin 0 6 * * 1' },
        method: { method: 'POST' },
        body: { body: { kind: 'weekly' } },
        forward_headers: { forward_headers: { 'x-scope': 'pr-13' } },
        retries: { retries: 5 },
        timeout: { timeout: '1m' },
        callback: { callback: `${url}/api/told-again` },
        failureCallback: { failure_callback: `${url}/api/failed-again` },
      },
      undeclared: { labels: ['digest', 'shop'], delay: 30, queueName: 'slow', isPaused: true },
      remove: () => world.remove(schedule_id),
      fill: () => Object.assign(world.state, { scheduleLimit: 1 }),
      foreign: () => world.add({ scheduleId: schedule_id, destination: elsewhere }),
    };
  },
  skip: {
    twoMatches: 'an account has one schedule of an id',
    full: 'the answer is 412, which reads as a conflict wherever it comes from; what becomes of the line is tried below',
    blind: 'the token of another account reads an empty list, as an empty account does',
    blindDestroy: 'the token of another account reads an empty list, as an empty account does',
  },
});

/** One schedule that a person may change between two runs. */
async function openDigest(params: Given = {}) {
  const simulation = qstash();
  const plan = (more: Given): string =>
    JSON.stringify({
      version: 1,
      changes: [{ id: 'digest', recipe: 'qstash.schedule', schedule_id, url, cron: '0 6 * * *', ...params, ...more }],
    });
  const stage = await openStage({ simulations: [simulation], env: { QSTASH_TOKEN: simulation.tokens.full }, plan: plan({}) });
  onTestFinished(() => stage.close());
  const only = () => {
    const [schedule, ...more] = simulation.world.schedules();
    if (!schedule || more.length > 0) throw new Error('there is not one schedule');
    return schedule;
  };
  return {
    simulation,
    stage,
    only,
    edit: (members: Given) => Object.assign(only(), members),
    /** Applies another plan, and gives what was told of the line. */
    change: async (more: Given) => {
      await stage.write(plan(more));
      const { ok, lines } = await stage.apply();
      expect([ok, lines[0]?.verdict]).toEqual([true, 'update']);
      return lines[0]?.notes ?? [];
    },
  };
}

it('what a person set and the line does not declare survives a change, which replaces the whole schedule', async () => {
  const { stage, only, edit, change } = await openDigest();
  await stage.apply();
  const theirs = {
    retries: 7,
    retryDelayExpression: '1000 * (1 + retried)',
    callback: `${url}/their/answers`,
    failureCallback: `${url}/their/failures`,
    flowControlKey: 'shop',
    parallelism: 3,
    rate: 10,
    period: 60,
  };
  edit(theirs);
  await change({ cron: '0 7 * * *' });
  expect(only()).toMatchObject({ ...theirs, cron: '0 7 * * *' });
});

it('forwarded headers of others survive a change, and what a request brings by itself does not become one of them', async () => {
  const { stage, only, edit, change } = await openDigest();
  await stage.apply();
  const own = { 'X-Team': ['web'], 'X-Region': ['eu'] };
  const brought = {
    'Content-Type': ['application/json'],
    'Upstash-Message-Id': ['msg_1'],
    'User-Agent': ['Upstash-QStash'],
    Accept: ['*/*'],
    'Accept-Encoding': ['gzip'],
    Host: ['pr-12.acme.example'],
  };
  edit({ header: { ...own, ...brought } });
  await change({ cron: '0 7 * * *' });
  expect(only().header).toEqual({ 'x-team': ['web'], 'x-region': ['eu'] });
});

it('forwarded headers that the plan changes take the place of all that stood there', async () => {
  const { stage, only, edit, change } = await openDigest({ forward_headers: { 'x-scope': 'pr-12' } });
  await stage.apply();
  edit({ header: { 'x-scope': ['pr-12'], 'x-theirs': ['1'] } });
  await change({ forward_headers: { 'x-scope': 'pr-13' } });
  expect(only().header).toEqual({ 'x-scope': ['pr-13'] });
});

it('a change that takes away the body that somebody gave says so, and says nothing where there was none', async () => {
  const { stage, only, edit, change } = await openDigest();
  await stage.apply();
  expect(await change({ cron: '0 7 * * *' })).toEqual([]);
  edit({ body: '{"kind":"theirs"}' });
  expect(await change({ cron: '0 8 * * *' })).toEqual([
    'The update removed its body: the provider replaces the whole object, and the line does not declare this part.',
  ]);
  expect(only()).not.toHaveProperty('body');
  edit({ bodyBase64: 'iVBORw0KGgo=' });
  expect(await change({ cron: '0 9 * * *' })).toEqual([
    'The update removed its body: the provider replaces the whole object, and the line does not declare this part.',
  ]);
});

it('a schedule that is gone before anybody could see it does not count as made', async () => {
  const { simulation, stage } = await openDigest();
  simulation.watch(({ phase, method }) => {
    if (phase === 'after' && method === 'POST') simulation.world.remove(schedule_id);
  });
  expect(await stage.apply()).toMatchObject({
    ok: false,
    error: { code: 'PROVIDER_RESPONSE', detail: expect.stringContaining('the find after the create saw nothing') },
  });
});

it('an account that has no room fails the line with the words of QStash, and nothing is recorded', async () => {
  const simulation = qstash();
  simulation.world.state.scheduleLimit = 0;
  const stage = await openStage({
    simulations: [simulation],
    env: { QSTASH_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [{ id: 'digest', recipe: 'qstash.schedule', schedule_id, url, cron: '0 6 * * *' }] }),
  });
  const { ok, error } = await stage.apply();
  expect(ok).toBe(false);
  expect(error?.detail).toContain('Exceeded the maximum number of schedules allowed');
  const { records, intents } = await stage.ledger();
  expect([records.size, intents.size]).toEqual([0, 0]);
  // Nothing is left that would let the next run take somebody else's for its own.
  simulation.world.add({ scheduleId: schedule_id, destination: elsewhere });
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
  await stage.close();
});

it.each([
  ['url', { url: `${url}/?a=b` }],
  ['path', { path: '/api/digest?token=x' }],
  ['schedule_id', { schedule_id: 'shop/pr-12' }],
  ['schedule_id', { schedule_id: '..' }],
])('a %s that a path cannot hold is refused before any request: %j', async (param, given) => {
  const simulation = qstash();
  const line = { id: 'digest', recipe: 'qstash.schedule', schedule_id, url, cron: '0 6 * * *', ...given };
  const stage = await openStage({
    simulations: [simulation],
    env: { QSTASH_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [line] }),
  });
  await expect(stage.plan()).rejects.toThrow(`digest.${param} must match`);
  expect(simulation.log).toEqual([]);
  await stage.close();
});

it('a body that is shown as text, headers as lists and times in milliseconds are what was sent, and a lost answer is claimed', () =>
  livesOn(
    'qstash.schedule',
    qstash,
    ({ world, faults }) => {
      faults.loseAnswer({ method: 'POST' });
      world.add({ scheduleId: 'theirs', destination: elsewhere, bodyBase64: 'iVBORw0KGgo=' });
      return {
        credential: 'QSTASH_TOKEN',
        params: { schedule_id, url, cron: '0 6 * * *', body: { kind: 'digest' }, forward_headers: { 'X-Scope': 'pr-12' } },
        mine: () => world.schedules().filter(({ scheduleId }) => scheduleId === schedule_id),
        others: () => world.schedules().filter(({ scheduleId }) => scheduleId !== schedule_id),
        stands: { body: '{"kind":"digest"}', header: { 'x-scope': ['pr-12'] }, createdAt: expect.any(Number) },
        edits: { cron: { cron: '* * * * *' } },
      };
    },
    (_, { writes }) => {
      // The claim writes again what no answer shows, and the edit is put back.
      expect(writes().map(({ outcome }) => outcome)).toEqual(['answer lost', 'answered', 'answered']);
      return Promise.resolve();
    },
  ));

it('a schedule of others that has the id is never overwritten, as a create of QStash would do', async () => {
  const { simulation, stage } = await openDigest();
  const theirs = simulation.world.add({ scheduleId: schedule_id, destination: elsewhere, cron: '0 0 * * *' });
  const before = structuredClone(theirs);
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect([simulation.writes(), simulation.world.schedules()]).toEqual([[], [before]]);
});
