import { svix } from 'pilotfish-sandbox/svix';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';
import { livesOn, staysQuiet } from '../support/suite/kept.ts';

const url = 'https://pr-12.acme.example';
const uid = 'shop-pr-12';
const key = 'whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldY';

describeRecipe('svix.endpoint', {
  simulate: svix,
  subject: ({ world }) => {
    const app = Object.keys(world.state.apps)[0] ?? world.addApp('acme');
    if (world.endpoints(app).length === 0) world.add(app, { uid: 'shop-pr-13', url: `${url}/api/webhooks/svix` });
    const mine = () => world.endpoints(app).filter((one) => one.uid === uid);
    return {
      credential: 'SVIX_AUTH_TOKEN',
      env: { HOOK_KEY: key },
      params: {
        app_id: app,
        uid,
        url,
        description: 'preview 12',
        event_types: ['invoice.paid', 'invoice.failed', 'invoice.sent'],
        channels: ['pr-12', 'all', 'mail'],
        throttle_rate: 10,
        secret: { secret: 'env://HOOK_KEY' },
      },
      mine,
      others: () => world.endpoints(app).filter((one) => one.uid !== uid),
      stands: {
        url: `${url}/api/webhooks/svix`,
        description: 'preview 12',
        eventTypes: ['invoice.failed', 'invoice.paid', 'invoice.sent'],
        channels: ['all', 'mail', 'pr-12'],
        throttleRate: 10,
        disabled: false,
        secret: key,
      },
      edits: {
        url: { url: 'https://elsewhere.example/hook' },
        description: { description: '' },
        eventTypes: { eventTypes: null },
        channels: { channels: ['all'] },
        throttleRate: { throttleRate: null },
        disabled: { disabled: true },
      },
      unseen: { secret: 'no answer of an endpoint carries it' },
      changes: {
        url: { path: '/hooks' },
        description: { description: 'preview 12, changed' },
        eventTypes: { event_types: ['invoice.paid'] },
        channels: { channels: ['pr-12'] },
        throttleRate: { throttle_rate: 20 },
        disabled: { disabled: true },
      },
      same: {
        // Neither the order of the plan nor the one that the first answer showed.
        eventTypes: { eventTypes: ['invoice.sent', 'invoice.failed', 'invoice.paid'] },
        channels: { channels: ['mail', 'all', 'pr-12'] },
        disabled: { disabled: undefined },
      },
      undeclared: { metadata: { team: 'payments' } },
      remove: () => world.remove(app, uid),
      foreign: () => world.add(app, { uid, url }),
      isUnique: true,
      secrets: () => world.endpoints(app).map(({ secret }) => secret),
    };
  },
  skip: { twoMatches: 'an application has one endpoint of a uid' },
});

it('a uid in the form of an id, or one that a path cannot hold, is refused before any request', async () => {
  const simulation = svix();
  const app_id = simulation.world.addApp();
  const { id } = simulation.world.add(app_id, { url });
  for (const refused of [id, '.', '..', 'pr/12']) {
    const stage = await openStage({
      simulations: [simulation],
      env: { SVIX_AUTH_TOKEN: simulation.tokens.full },
      plan: JSON.stringify({ version: 1, changes: [{ id: 'hook', recipe: 'svix.endpoint', app_id, uid: refused, url }] }),
    });
    await expect(stage.plan()).rejects.toThrow('hook.uid must match');
    await stage.close();
  }
  expect(simulation.log).toEqual([]);
});

/** An endpoint of these params, and how Svix keeps it, beside so many others. */
const lives = (params: object, stands: object, then?: Parameters<typeof livesOn<ReturnType<typeof svix>['world']>>[3], others = 1) =>
  livesOn(
    'svix.endpoint',
    svix,
    ({ world }) => {
      const app_id = Object.keys(world.state.apps)[0] ?? world.addApp('acme');
      for (let n = 0; n < others; n += 1) world.add(app_id, { uid: `shop-pr-${100 + n}`, url: `${url}/api/webhooks/svix` });
      return {
        credential: 'SVIX_AUTH_TOKEN',
        params: { app_id, uid, url, description: 'preview 12', ...params },
        mine: () => world.endpoints(app_id).filter((one) => one.uid === uid),
        others: () => world.endpoints(app_id).filter((one) => one.uid !== uid),
        stands,
        edits: { url: { url: 'https://elsewhere.example/hook' }, description: { description: '' } },
      };
    },
    then,
  );

it.each([
  ['https://PR-12.Acme.example', '/hook', 'https://pr-12.acme.example/hook'],
  ['https://pr-12.acme.example:443', '/', 'https://pr-12.acme.example/'],
  ['https://pr-12.acme.example', '/a/../hook b', 'https://pr-12.acme.example/hook%20b'],
  ['https://pr-12.bücher.example', '/hook', 'https://pr-12.xn--bcher-kva.example/hook'],
])('a URL that Svix writes anew is written once: %s%s', (base, path, kept) => lives({ url: base, path }, { url: kept }));

it('doubles and the order of event types and channels are nobody’s loss', () =>
  lives(
    { event_types: ['invoice.paid', 'invoice.failed', 'invoice.paid'], channels: ['pr-12', 'all', 'all'] },
    { eventTypes: ['invoice.failed', 'invoice.paid'], channels: ['all', 'pr-12'] },
  ));

it('a uid is free as soon as its endpoint is deleted, for Svix keeps that one without it', () =>
  lives({}, { uid }, async (bench, { world }) => {
    const [before] = bench.subject.mine();
    expect(await bench.destroy()).toMatchObject({ ok: true });
    expect(world.state.deleted).toEqual([before]);
    await bench.applied();
    expect(bench.one()).not.toEqual(before);
  }));

it('a change keeps what the line does not declare, and makes no endpoint anew that goes meanwhile', () =>
  lives({}, { description: 'preview 12' }, async (bench, simulation) => {
    const theirs = { metadata: { team: 'payments' }, throttleRate: 5, channels: ['all'] };
    Object.assign(bench.one() ?? {}, theirs);
    await bench.change({ description: 'preview 12, again' });
    await bench.applied();
    expect(bench.one()).toMatchObject({ ...theirs, description: 'preview 12, again' });
    await staysQuiet(bench);
    await bench.change({ description: 'preview 12, once more' });
    const forget = simulation.watch(({ phase, method }) => {
      if (phase !== 'before' || method !== 'PATCH') return;
      forget();
      for (const app of Object.keys(simulation.world.state.apps)) simulation.world.remove(app, uid);
    });
    expect(await bench.apply()).toMatchObject({ ok: false });
    expect(bench.subject.mine()).toEqual([]);
    await bench.applied();
    bench.one();
  }));

it('among more endpoints than a list may show at once the line is found by its uid, and no list is asked for too many', () =>
  lives(
    {},
    { uid },
    async (bench, { log, world }) => {
      for (const app of Object.keys(world.state.apps)) world.remove(app, uid);
      expect(await bench.planned()).toMatchObject({ verdict: 'create', drift: 'missing' });
      await bench.applied();
      const limits = log.flatMap(({ query }) => (typeof query.limit === 'string' ? [Number(query.limit)] : []));
      expect(limits.length).toBeGreaterThan(0);
      expect(Math.max(...limits)).toBeLessThanOrEqual(250);
    },
    300,
  ));
