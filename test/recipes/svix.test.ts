import { svix } from 'pilotfish-sandbox/svix';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

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
