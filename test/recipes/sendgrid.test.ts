import { sendgrid } from 'pilotfish-sandbox/sendgrid';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';
import { livesOn } from '../support/suite/kept.ts';

const base = 'https://pr-12.acme.example';
const url = `${base}/api/webhooks/sendgrid`;
const off = {
  ...{ processed: false, delivered: false, deferred: false, bounce: false, dropped: false, open: false, click: false },
  ...{ spam_report: false, unsubscribe: false, group_unsubscribe: false, group_resubscribe: false },
};

describeRecipe('sendgrid.event_webhook', {
  simulate: sendgrid,
  subject: ({ world }) => {
    // The oldest one is what an empty id would reach.
    world.addWebhook('https://shop.acme.example/api/webhooks/sendgrid', { delivered: true });
    world.addWebhook('https://pr-13.acme.example/api/webhooks/sendgrid');
    // Only webhooks that are on count for the limit of 5.
    for (const n of [1, 2, 3]) world.addWebhook(`https://off-${n}.acme.example/hook`, { enabled: false });
    const mine = () => world.state.webhooks.filter((one) => one.url === url);
    const oauth = { oauth_client_id: 'shop', oauth_token_url: 'https://login.acme.example/token' };
    return {
      credential: 'SENDGRID_API_KEY',
      env: { HOOK_SECRET: 'oauth-secret-of-the-hook-1', NEXT_HOOK_SECRET: 'oauth-secret-of-the-hook-2' },
      params: {
        url: base,
        friendly_name: 'preview 12',
        delivered: true,
        bounce: true,
        ...oauth,
        oauth_client_secret: { secret: 'env://HOOK_SECRET' },
      },
      mine,
      others: () => world.state.webhooks.filter((one) => one.url !== url),
      stands: {
        ...off,
        ...oauth,
        enabled: true,
        friendly_name: 'preview 12',
        delivered: true,
        bounce: true,
        oauth_client_secret: 'oauth-secret-of-the-hook-1',
      },
      edits: {
        ...Object.fromEntries(Object.keys(off).map((name) => [name, { [name]: name !== 'delivered' && name !== 'bounce' }])),
        enabled: { enabled: false },
        friendly_name: { friendly_name: null },
        oauth_client_id: { oauth_client_id: 'theirs' },
        oauth_token_url: { oauth_token_url: null },
      },
      unseen: { oauth_client_secret: 'no answer carries it' },
      changes: {
        open: { open: true },
        friendly_name: { friendly_name: 'preview 12, changed' },
        oauth_client_secret: { oauth_client_secret: { secret: 'env://NEXT_HOOK_SECRET' } },
      },
      undeclared: { account_status_change: true },
      remove: () => world.removeWebhooks(url),
      foreign: () => world.addWebhook(url),
      fill: () => Object.assign(world.state, { webhookLimit: 2 }),
      untell: () => Object.assign(world.state, { tellsLimit: false }),
    };
  },
});

const hostname = 'pr-12.mail.acme.example';

describeRecipe('sendgrid.parse_setting', {
  simulate: sendgrid,
  subject: ({ world }) => {
    world.addSetting('pr-13.mail.acme.example', 'https://pr-13.acme.example/api/inbound/sendgrid');
    const mine = () => world.state.settings.filter((one) => one.hostname === hostname);
    return {
      credential: 'SENDGRID_API_KEY',
      params: { hostname, url: base, spam_check: true },
      mine,
      others: () => world.state.settings.filter((one) => one.hostname !== hostname),
      stands: { hostname, url: `${base}/api/inbound/sendgrid`, spam_check: true, send_raw: false },
      edits: { url: { url: 'https://elsewhere.example/in' }, spam_check: { spam_check: false }, send_raw: { send_raw: true } },
      changes: { url: { path: '/api/inbound/mail' }, spam_check: { spam_check: false }, send_raw: { send_raw: true } },
      remove: () => world.removeSetting(hostname),
      foreign: () => world.addSetting(hostname, 'https://theirs.example/in'),
    };
  },
  skip: { twoMatches: 'an account has one setting of a hostname' },
});

it('a parse setting that is gone is missing also for a key that may not see event webhooks', async () => {
  const simulation = sendgrid();
  const line = { id: 'mail', recipe: 'sendgrid.parse_setting', hostname, url: base };
  const stage = await openStage({
    simulations: [simulation],
    env: { SENDGRID_API_KEY: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [line] }),
  });
  await stage.apply();
  simulation.world.removeSetting(hostname);
  simulation.faults.times(9, 'GET /v3/user/webhooks/event/settings/all', 403, { errors: [{ message: 'access forbidden' }] });
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'create', drift: 'missing' }] });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect((await stage.ledger()).records.size).toBe(0);
  await stage.close();
});

it('a create whose answer says false of what was sent as true is written once', () =>
  livesOn('sendgrid.parse_setting', sendgrid, ({ world }) => {
    world.addSetting('pr-13.mail.acme.example', 'https://pr-13.acme.example/api/inbound/sendgrid');
    return {
      credential: 'SENDGRID_API_KEY',
      params: { hostname, url: base, spam_check: true, send_raw: true },
      mine: () => world.state.settings.filter((one) => one.hostname === hostname),
      others: () => world.state.settings.filter((one) => one.hostname !== hostname),
      stands: { spam_check: true, send_raw: true },
      edits: { spam_check: { spam_check: false }, send_raw: { send_raw: false } },
    };
  }));
