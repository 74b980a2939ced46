import type { Simulation } from 'pilotfish-sandbox/kit/index';
import { type PostmarkWorld, postmark } from 'pilotfish-sandbox/postmark';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';
import { withBench } from '../support/suite/bench.ts';

const base = 'https://pr-12.acme.example';
const url = `${base}/api/webhooks/postmark`;
const stream = 'broadcast';

const webhook = ({ world }: Simulation<PostmarkWorld>) => {
  // The same URL on another stream is another webhook.
  world.addWebhook(url, 'outbound');
  world.addWebhook('https://pr-13.acme.example/api/webhooks/postmark', stream);
  const isMine = (one: { readonly Url: string; readonly MessageStream: string }) => one.Url === url && one.MessageStream === stream;
  const triggers = {
    Open: { Enabled: true, PostFirstOpenOnly: true },
    Click: { Enabled: false },
    Delivery: { Enabled: false },
    Bounce: { Enabled: true, IncludeContent: true },
    SpamComplaint: { Enabled: true, IncludeContent: false },
    SubscriptionChange: { Enabled: false },
  };
  const flipped = Object.entries(triggers).flatMap(([name, flags]) =>
    Object.entries(flags).map(([flag, value]) => [`/Triggers/${name}/${flag}`, { Triggers: { [name]: { [flag]: !value } } }]),
  );
  return {
    credential: 'POSTMARK_SERVER_TOKEN',
    env: { HOOK_PASSWORD: 'password-of-the-hook-1', NEXT_HOOK_PASSWORD: 'password-of-the-hook-2' },
    line: { destroy: 'delete' },
    params: {
      url: base,
      message_stream: stream,
      open: true,
      bounce: true,
      spam_complaint: true,
      first_open_only: true,
      bounce_content: true,
      spam_complaint_content: false,
      http_user: 'postmark',
      http_password: { secret: 'env://HOOK_PASSWORD' },
      http_headers: [{ Name: 'X-Preview', Value: 'pr-12' }],
    },
    mine: () => world.state.webhooks.filter(isMine),
    others: () => world.state.webhooks.filter((one) => !isMine(one)),
    stands: {
      Triggers: triggers,
      HttpAuth: { Username: 'postmark', Password: 'password-of-the-hook-1' },
      HttpHeaders: [{ Name: 'X-Preview', Value: 'pr-12' }],
    },
    edits: {
      ...Object.fromEntries(flipped),
      '/HttpAuth/Username': { HttpAuth: { Username: 'theirs' } },
      '/HttpAuth/Password': { HttpAuth: { Password: 'theirs' } },
      HttpHeaders: { HttpHeaders: [] },
    },
    changes: {
      '/Triggers/Click/Enabled': { click: true },
      '/HttpAuth/Password': { http_password: { secret: 'env://NEXT_HOOK_PASSWORD' } },
      HttpHeaders: { http_headers: [] },
    },
    remove: () => {
      world.state.webhooks = world.state.webhooks.filter((one) => !isMine(one));
    },
    foreign: () => world.addWebhook(url, stream),
  };
};

describeRecipe('postmark_server.webhook', { simulate: postmark, subject: webhook });

it('a destroy keeps the webhook unless the line says otherwise', () =>
  withBench(
    { op: 'postmark_server.webhook', isRecipe: true, simulate: postmark, subject: (world) => ({ ...webhook(world), line: {} }) },
    async (bench) => {
      await bench.applied();
      expect(await bench.destroy()).toMatchObject({ ok: true, status: 'complete' });
      expect(bench.subject.mine()).toHaveLength(1);
      expect((await bench.ledger()).records.size).toBe(0);
    },
  ));

it('a webhook of a server of the same plan is made with the token of that server, and destroy needs the account token alone', async () => {
  const simulation = postmark();
  const lines = [
    { id: 'mail', recipe: 'postmark.server', name: 'shop-pr-12' },
    { id: 'hook', recipe: 'postmark_server.webhook', credential: { from: 'mail.server_token' }, url: base, bounce: true },
  ];
  const stage = await openStage({
    simulations: [simulation],
    env: { POSTMARK_ACCOUNT_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: lines }),
  });
  try {
    expect(await stage.apply()).toMatchObject({ ok: true, status: 'complete' });
    const { servers, webhooks } = simulation.world.state;
    expect(webhooks).toMatchObject([{ Url: url, Triggers: { Bounce: { Enabled: true } } }]);
    const token = servers[0]?.ApiTokens[0] ?? 'none';
    expect((await stage.bytes()).includes(token), 'the token is in a file').toBe(false);
    expect(await stage.destroy()).toMatchObject({ ok: true, status: 'complete' });
    expect(simulation.world.state.servers).toEqual([]);
  } finally {
    await stage.close();
  }
});
