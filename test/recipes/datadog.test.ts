import { datadog } from 'pilotfish-sandbox/datadog';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';
import { livesOn } from '../support/suite/kept.ts';

const name = 'shop pr-12';
const url = 'https://pr-12.acme.example/health';
const isUp = { type: 'statusCode', operator: 'is', target: 200 };
const isFast = { type: 'responseTime', operator: 'lessThan', target: 2000 };
const crowd = 'one of many';
const isMine = (one: { readonly name: string; readonly type: string; readonly subtype?: string }) =>
  one.name === name && one.type === 'api' && one.subtype === 'http';

describeRecipe('datadog.synthetic_api_test', {
  simulate: datadog,
  subject: ({ world, tokens }) => {
    // More than a page of others, and two that bear the same name and are of another kind.
    for (let n = 0; n < 100; n += 1) world.addTest({ name: `shop pr-${100 + n}` });
    world.addTest({ name, subtype: 'ssl' });
    world.addTest({ name, type: 'browser' });
    const { tests } = world.state;
    return {
      credential: (tier) => ({ DD_API_KEY: world.apiKey, DD_APP_KEY: tokens[tier] }),
      params: {
        name,
        url,
        locations: ['aws:eu-central-1', 'aws:us-east-1'],
        method: 'HEAD',
        tick_every: 600,
        assertions: [isUp, isFast],
        tags: ['scope:pr-12', 'team:web'],
      },
      mine: () => tests.filter(isMine),
      others: () => tests.filter((one) => !isMine(one) && !one.name.startsWith(crowd)),
      stands: {
        config: {
          request: { url, method: 'HEAD' },
          assertions: [isUp, isFast],
        },
        locations: ['aws:eu-central-1', 'aws:us-east-1'],
        options: { tick_every: 600 },
        message: 'This test of a preview is managed by pilotfish.',
        status: 'live',
        tags: ['scope:pr-12', 'team:web'],
      },
      edits: {
        '/config/request/url': { config: { request: { url: 'https://elsewhere.example' } } },
        '/config/request/method': { config: { request: { method: 'GET' } } },
        '/config/assertions': { config: { assertions: [{ type: 'statusCode', operator: 'is', target: 418 }] } },
        locations: { locations: ['aws:eu-west-1'] },
        '/options/tick_every': { options: { tick_every: 3600 } },
        message: { message: 'changed' },
        status: { status: 'paused' },
        tags: { tags: [] },
      },
      changes: {
        '/config/request/url': { url: 'https://pr-12.acme.example/ready' },
        '/config/assertions': { assertions: [isFast] },
        locations: { locations: ['aws:eu-west-1'] },
        '/options/tick_every': { tick_every: 60 },
        status: { status: 'paused' },
      },
      same: {
        '/config/assertions': { config: { assertions: [isFast, isUp] } },
        locations: { locations: ['aws:us-east-1', 'aws:eu-central-1'] },
        tags: { tags: ['team:web', 'scope:pr-12'] },
      },
      undeclared: { options: { min_failure_duration: 60 }, config: { request: { timeout: 30 } } },
      remove: () => {
        const at = tests.findIndex(isMine);
        if (at >= 0) tests.splice(at, 1);
      },
      fill: () => Object.assign(world.state, { testLimit: 102 }),
      foreign: () => world.addTest({ name }),
      crowd: {
        fill: () => {
          // The moment in which its own path does not show it is over.
          for (const id of Object.keys(world.state.late)) delete world.state.late[id];
          for (let n = 0; n < 100; n += 1) world.addTest({ name: `${crowd} ${n}` });
        },
        // Three pages, and the test itself.
        looks: 5,
      },
      requests: { create: 'POST /api/v1/synthetics/tests/api', remove: 'POST /api/v1/synthetics/tests/delete' },
    };
  },
});

async function open(params: object = {}) {
  const simulation = datadog();
  const planOf = (more: object) =>
    JSON.stringify({
      version: 1,
      changes: [{ id: 'check', recipe: 'monitoring_a.synthetic_api_test', name, url, locations: ['aws:eu-central-1'], ...more }],
    });
  const stage = await openStage({
    simulations: [simulation],
    env: { DD_API_KEY: simulation.world.apiKey, DD_APP_KEY: simulation.tokens.full },
    plan: planOf(params),
  });
  return { simulation, stage, write: (more: object) => stage.write(planOf(more)), tests: simulation.world.state.tests };
}

it('an update, which replaces the whole test, loses nothing that a person added', async () => {
  const { stage, write, tests } = await open();
  await stage.apply();
  const [test] = tests;
  if (!test) throw new Error('no test was made');
  Object.assign(test.options, { retry: { count: 2, interval: 500 } });
  Object.assign(test.config, { configVariables: [{ name: 'REGION', type: 'text', pattern: 'eu' }] });
  await write({ message: 'ask the team' });
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
  expect(tests).toMatchObject([
    {
      message: 'ask the team',
      options: { tick_every: 300, retry: { count: 2, interval: 500 } },
      config: { configVariables: [{ name: 'REGION', type: 'text', pattern: 'eu' }] },
    },
  ]);
  await stage.close();
});

it('a full account is PROVIDER_QUOTA', async () => {
  const { simulation, stage } = await open();
  Object.assign(simulation.world.state, { testLimit: 0 });
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_QUOTA' } });
  await stage.close();
});

it('a test that something else still uses is not deleted, and its record stays', async () => {
  const { simulation, stage, tests } = await open();
  await stage.apply();
  simulation.world.state.used.push(tests[0]?.public_id ?? '');
  expect(await stage.destroy()).toMatchObject({ ok: false, error: { code: 'PROVIDER_INVALID' } });
  expect(tests).toHaveLength(1);
  expect((await stage.ledger()).records.size).toBe(1);
  await stage.close();
});

it('tests of other kinds that bear its name are told apart in the list, without a look at each', async () => {
  const { simulation, stage } = await open();
  for (const type of ['browser', 'mobile']) simulation.world.addTest({ name, type });
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'create' }] });
  // The second page is empty, and says that the first was all.
  expect(simulation.log.map(({ path }) => path)).toEqual(['/api/v1/synthetics/tests', '/api/v1/synthetics/tests']);
  await stage.close();
});

/** A test as a plan says it, and how Datadog keeps its assertions. */
const kept = (assertions: readonly object[], as: readonly object[]) =>
  livesOn('datadog.synthetic_api_test', datadog, ({ world, tokens }) => {
    world.addTest({ name: 'shop pr-13' });
    const { tests } = world.state;
    return {
      credential: (tier) => ({ DD_API_KEY: world.apiKey, DD_APP_KEY: tokens[tier] }),
      params: { name, url, locations: ['aws:eu-central-1'], assertions },
      mine: () => tests.filter(isMine),
      others: () => tests.filter((one) => !isMine(one)),
      stands: { subtype: 'http', options: { httpVersion: 'any' }, config: { assertions: as } },
      edits: { message: { message: 'changed' }, assertions: { config: { assertions: [isFast] } } },
    };
  });

it('a test whose own path does not show it yet, and which has a subtype and a version of HTTP of its own, is made once', () =>
  kept([isUp], [isUp]));

it('the target of an assertion is kept as the number or the text that its operator takes', () =>
  kept(
    [
      { type: 'responseTime', operator: 'lessThan', target: '2000' },
      { type: 'statusCode', operator: 'is', target: '200' },
      { type: 'body', operator: 'contains', target: 12 },
    ],
    [
      { type: 'responseTime', operator: 'lessThan', target: 2000 },
      { type: 'statusCode', operator: 'is', target: 200 },
      { type: 'body', operator: 'contains', target: '12' },
    ],
  ));
