import { expect, it } from 'vitest';
import { qstash } from '../simulate/upstash-qstash.ts';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

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
        retries: { retries: 0 },
        callback: { callback: undefined },
        failureCallback: { failureCallback: elsewhere },
      },
      unseen: {
        body: 'shown as text, in the spelling of whoever wrote it',
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
