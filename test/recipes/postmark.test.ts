import type { Simulation } from 'pilotfish-sandbox/kit/index';
import type { PostmarkWorld } from 'pilotfish-sandbox/postmark';
import { postmark } from 'pilotfish-sandbox/postmark';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { withBench } from '../support/suite/bench.ts';

const name = 'shop-pr-12';

const server = ({ world }: Simulation<PostmarkWorld>) => {
  // The filter takes these as well, and they fill a page.
  for (let n = 0; n < 100; n += 1) world.addServer(`${name}${n}`);
  const mine = () => world.state.servers.filter((one) => one.Name === name);
  const flags = { SmtpApiActivated: false, EnableSmtpApiErrorHooks: true, RawEmailEnabled: true, PostFirstOpenOnly: true };
  const more = { IncludeBounceContentInHook: true, TrackOpens: true };
  const flipped = Object.fromEntries(Object.entries({ ...flags, ...more }).map(([flag, value]) => [flag, { [flag]: !value }]));
  return {
    credential: 'POSTMARK_ACCOUNT_TOKEN',
    params: {
      name,
      color: 'blue',
      delivery_type: 'Sandbox',
      inbound_url: 'https://pr-12.acme.example',
      inbound_domain: 'pr-12.mail.acme.example',
      inbound_spam_threshold: 5,
      smtp_api_activated: false,
      enable_smtp_api_error_hooks: true,
      raw_email_enabled: true,
      post_first_open_only: true,
      include_bounce_content_in_hook: true,
      track_opens: true,
      track_links: 'HtmlOnly',
    },
    mine,
    others: () => world.state.servers.filter((one) => one.Name !== name && !one.Name.startsWith('crowd')),
    stands: {
      ...flags,
      ...more,
      Color: 'Blue',
      DeliveryType: 'Sandbox',
      InboundHookUrl: 'https://pr-12.acme.example/api/inbound/postmark',
      InboundDomain: 'pr-12.mail.acme.example',
      InboundSpamThreshold: 5,
      TrackLinks: 'HtmlOnly',
    },
    edits: {
      ...flipped,
      Color: { Color: 'Red' },
      InboundHookUrl: { InboundHookUrl: '' },
      InboundDomain: { InboundDomain: 'theirs.acme.example' },
      InboundSpamThreshold: { InboundSpamThreshold: 0 },
      TrackLinks: { TrackLinks: 'None' },
    },
    changes: {
      Color: { color: 'orange' },
      InboundHookUrl: { inbound_path: '/api/mail' },
      InboundSpamThreshold: { inbound_spam_threshold: 9 },
      TrackOpens: { track_opens: false },
      TrackLinks: { track_links: 'TextOnly' },
    },
    fixed: { DeliveryType: { delivery_type: 'Live' } },
    undeclared: { BounceHookUrl: 'https://theirs.acme.example/bounces' },
    remove: () => world.removeServers(name),
    foreign: () => world.addServer(name),
    // Those whose names hold the text are all that answer: the first hundred, and the line's own.
    crowd: {
      fill: () => {
        for (let n = 0; n < 150; n += 1) world.addServer(`crowd-${n}`);
      },
      looks: 2,
    },
    gives: () => Object.fromEntries(mine().map(({ ApiTokens: [token = 'none'] }) => ['server_token', token])),
  };
};

describeRecipe('postmark.server', { simulate: postmark, subject: server });

it('an account that may not delete servers is told so, and the record stays', () =>
  withBench({ op: 'postmark.server', isRecipe: true, simulate: postmark, subject: server }, async (bench) => {
    await bench.applied();
    Object.assign((bench.simulation.world as PostmarkWorld).state, { mayDelete: false });
    expect(await bench.destroy()).toMatchObject({
      ok: false,
      error: {
        code: 'PROVIDER_INVALID',
        detail: expect.stringContaining('not enabled for your account'),
        fix: expect.stringContaining("Ask Postmark's support"),
      },
    });
    expect((await bench.ledger()).records.size).toBe(1);
  }));
