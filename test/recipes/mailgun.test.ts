import { mailgun } from 'pilotfish-sandbox/mailgun';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

const description = 'shop-pr-12';
const base = 'https://pr-12.acme.example';

describeRecipe('mailgun.webhook', {
  simulate: mailgun,
  subject: ({ world }) => {
    world.add({ description: 'shop-pr-13', url: 'https://pr-13.acme.example/api/webhooks/mailgun', event_types: ['delivered'] });
    const mine = () => world.webhooks().filter((webhook) => webhook.description === description);
    return {
      credential: 'MAILGUN_API_KEY',
      params: { description, url: base, event_types: ['delivered', 'opened'] },
      mine,
      others: () => world.webhooks().filter((webhook) => webhook.description !== description),
      stands: { url: `${base}/api/webhooks/mailgun`, event_types: ['delivered', 'opened'] },
      edits: { url: { url: 'https://elsewhere.example/hook' }, event_types: { event_types: ['clicked'] } },
      same: { event_types: { event_types: ['opened', 'delivered'] } },
      changes: { url: { path: '/api/hooks/mail' }, event_types: { event_types: ['delivered'] } },
      remove: () => world.remove(description),
      foreign: () => world.add({ description, url: 'https://theirs.example/hook', event_types: ['delivered'] }),
      fill: () => Object.assign(world.state, { urlLimit: 1 }),
    };
  },
});

const expression = 'match_recipient("pr-12@mail.acme.example")';
const actions = [`forward("${base}/api/inbound/mailgun")`, 'stop()'];

describeRecipe('mailgun.route', {
  simulate: mailgun,
  subject: ({ world }) => {
    // Just one page, and the one after it empty; the line's own comes to stand on that.
    for (let n = 0; n < 100; n += 1) world.addRoute({ description: `shop-pr-${100 + n}`, expression, actions });
    const mine = () => world.state.routes.filter((one) => one.description === description);
    return {
      credential: 'MAILGUN_API_KEY',
      params: { description, expression, url: base, actions: ['stop()'], priority: 5 },
      mine,
      others: () => world.state.routes.filter((one) => one.description !== description && !one.description.startsWith('crowd')),
      stands: { expression, actions, priority: 5 },
      edits: {
        expression: { expression: 'catch_all()' },
        actions: { actions: [...actions].reverse() },
        priority: { priority: 0 },
      },
      changes: {
        expression: { expression: 'match_recipient("shop@mail.acme.example")' },
        actions: { path: '/api/mail', actions: ['store()', 'stop()'] },
        priority: { priority: 0 },
      },
      remove: () => world.removeRoutes(description),
      foreign: () => world.addRoute({ description, expression: 'catch_all()', actions: ['stop()'] }),
      crowd: {
        fill: () => {
          for (let n = 0; n < 99; n += 1) world.addRoute({ description: `crowd-${n}`, expression, actions });
        },
        // Two full pages, whose number of all says that they are the last ones, and the route itself.
        looks: 3,
      },
    };
  },
});

it.each([
  ['webhook', '/v1/webhooks', { url: base, event_types: ['delivered'] }, { url: 'https://pr-12b.acme.example' }],
  ['route', '/v3/routes', { expression, url: base }, { priority: 7 }],
])('a %s is read back at its own path, so that a list that lags tells nothing old of it', async (op, list, params, change) => {
  const simulation = mailgun();
  const planOf = (more: object) =>
    JSON.stringify({ version: 1, changes: [{ id: 'mail', recipe: `mailgun.${op}`, description, ...params, ...more }] });
  const stage = await openStage({ simulations: [simulation], env: { MAILGUN_API_KEY: simulation.tokens.full }, plan: planOf({}) });
  expect(await stage.apply()).toMatchObject({ ok: true });
  await stage.write(planOf(change));
  simulation.watch(({ phase, write }) => {
    if (write && phase === 'before') simulation.faults.staleRead(`GET ${list}`, 1, 9);
  });
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none', drift: 'none' }] });
  expect(simulation.log.at(-2)).toMatchObject({ path: list, outcome: 'stale' });
  expect(simulation.writes(), 'what it shows as sent is not sent again').toHaveLength(2);
  await stage.close();
});
