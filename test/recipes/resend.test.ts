import { resend } from 'pilotfish-sandbox/resend';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';
import { livesOn } from '../support/suite/kept.ts';

const name = 'shop-pr-12';

describeRecipe('resend.api_key', {
  simulate: resend,
  subject: ({ world }) => {
    world.addKey('shop-pr-13');
    const mine = () => world.state.keys.filter((key) => key.name === name);
    return {
      credential: 'RESEND_API_KEY',
      params: { name, permission: 'sending_access', domain_id: '4dd369bc-aa82-4ff3-97de-514ae3000ee0' },
      mine,
      others: () => world.state.keys.filter((key) => key.name !== name && !key.name.startsWith('crowd')),
      stands: { permission: 'sending_access', domain_id: '4dd369bc-aa82-4ff3-97de-514ae3000ee0' },
      edits: {},
      fixed: {
        permission: { permission: 'full_access', domain_id: undefined },
        domain_id: { domain_id: 'b8617ad3-b712-41d9-81a0-f7c3d879314e' },
      },
      remove: () => world.removeKeys(name),
      foreign: () => world.addKey(name),
      // The newest come first, a hundred at a time.
      crowd: {
        fill: () => {
          for (let n = 0; n < 150; n += 1) world.addKey(`crowd-${n}`);
        },
        looks: 2,
      },
      gives: () => Object.fromEntries(mine().map(({ token }) => ['token', token])),
    };
  },
});

const endpoint = 'https://pr-12.acme.example/api/webhooks/resend';

describeRecipe('resend.webhook', {
  skip: { 'untidy unsent-reset': 'an update leaves what it does not carry as it is' },
  simulate: resend,
  subject: ({ world }) => {
    world.addWebhook('https://pr-13.acme.example/api/webhooks/resend', ['email.sent']);
    const mine = () => world.state.webhooks.filter((webhook) => webhook.endpoint === endpoint);
    return {
      credential: 'RESEND_API_KEY',
      params: { url: 'https://pr-12.acme.example', events: ['email.delivered', 'email.bounced'] },
      mine,
      others: () => world.state.webhooks.filter((one) => one.endpoint !== endpoint && !one.endpoint.startsWith('https://crowd-')),
      stands: { events: ['email.delivered', 'email.bounced'], status: 'enabled' },
      edits: { events: { events: ['email.sent'] }, status: { status: 'disabled' } },
      same: { events: { events: ['email.bounced', 'email.delivered'] } },
      changes: { events: { events: ['email.bounced'] } },
      remove: () => world.removeWebhooks(endpoint),
      foreign: () => world.addWebhook(endpoint, ['email.delivered']),
      // Two pages, and the webhook at its own path.
      crowd: {
        fill: () => {
          for (let n = 0; n < 150; n += 1) world.addWebhook(`https://crowd-${n}.acme.example/api/webhooks/resend`, ['email.sent']);
        },
        looks: 3,
      },
      gives: () => Object.fromEntries(mine().map(({ signing_secret }) => ['signing_secret', signing_secret])),
    };
  },
});

it('a webhook whose status is left alone stays disabled when its events are changed, and the other way round', async () => {
  const simulation = resend();
  const line = { id: 'hook', recipe: 'resend.webhook', url: 'https://pr-12.acme.example', events: ['email.delivered'] };
  const planOf = (more: object) => JSON.stringify({ version: 1, changes: [{ ...line, ...more }] });
  const stage = await openStage({ simulations: [simulation], env: { RESEND_API_KEY: simulation.tokens.full }, plan: planOf({}) });
  await stage.apply();
  const [mine] = simulation.world.state.webhooks;
  if (!mine) throw new Error('nothing was made');
  const written = async () => {
    const before = simulation.writes().length;
    expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
    return simulation.writes().length - before;
  };
  mine.status = 'disabled';
  expect(await written(), 'writes that enable it').toBe(1);
  expect(mine).toMatchObject({ status: 'enabled', events: ['email.delivered'] });
  mine.status = 'disabled';
  await stage.write(planOf({ status: { keep: true }, events: ['email.bounced'] }));
  expect(await written(), 'writes of its events').toBe(1);
  expect(mine).toMatchObject({ status: 'disabled', events: ['email.bounced'] });
  await stage.close();
});

it.each(['api_key', 'webhook'])('%s: one beyond the hundred of a page is found, and every list is asked for a hundred', (op) =>
  livesOn(
    `resend.${op}`,
    resend,
    ({ world }) => {
      const hooks = { params: { url: 'https://pr-12.acme.example', events: ['email.sent'] }, of: () => world.state.webhooks };
      const keys = { params: { name }, of: () => world.state.keys };
      const { params, of } = op === 'webhook' ? hooks : keys;
      const all = (): readonly object[] => of();
      const isMine = (one: object) => Object.values(one).some((value) => value === name || value === endpoint);
      const isOfCrowd = (one: object) => JSON.stringify(one).includes('crowd');
      world.addKey('shop-pr-13');
      return {
        credential: 'RESEND_API_KEY',
        params,
        mine: () => all().filter(isMine),
        others: () => all().filter((one) => !isMine(one) && !isOfCrowd(one)),
      };
    },
    async (bench, { world, log }) => {
      for (let n = 0; n < 130; n += 1) {
        world.addKey(`crowd-${n}`);
        world.addWebhook(`https://crowd-${n}.acme.example`, ['email.sent']);
      }
      expect(await bench.planned()).toMatchObject({ verdict: 'none', drift: 'none' });
      await bench.applied();
      bench.one();
      const lists = log.filter(({ method, path }) => method === 'GET' && /^\/[a-z-]+$/.test(path));
      expect(new Set(lists.map(({ query }) => query.limit))).toEqual(new Set(['100']));
    },
  ),
);
