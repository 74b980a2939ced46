import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Event } from './events.ts';
import type { Outcome } from './runner.ts';
import { type JobOptions, openShop, type Shop, type Standing } from './shop.ts';

const plan = await readFile(join(import.meta.dirname, '../../examples/preview/release.plan.yaml'), 'utf8');
const address = 'https://pr-12.preview.acme.example';
const all: Standing = {
  'neon branches': ['shop-pr-12'],
  'vercel variables': ['DATABASE_URL feature/12', 'STRIPE_WEBHOOK_SECRET feature/12'],
  'stripe endpoints': [`${address}/api/webhooks/stripe`],
  'github hooks': [`${address}/api/webhooks/github`],
  'cloudflare records': ['pr-12.preview.acme.example'],
  'unleash strategies': ['shop pr-12'],
  'auth0 callback URLs': [`${address}/api/auth/callback`],
  'auth0 logout URLs': [address],
  'auth0 web origins': [address],
  'auth0 CORS origins': [address],
};
const nothing: Standing = {};

/** What an event must leave behind. */
interface Left {
  readonly status: string;
  readonly services: Standing;
  /** Whether anything was written at a provider. */
  readonly wrote: boolean;
  /** Whether the ledger has a new commit. */
  readonly receipt: boolean;
  /** What the one comment says afterwards, which may be what it said before; `same` where nothing of it may change. */
  readonly comment: RegExp | 'same';
}

const skipped = { status: 'skipped', wrote: false, receipt: false, comment: 'same' } as const;
const stale = { status: 'stale', wrote: false, receipt: false, comment: 'same' } as const;

it('a pull request lives through sixteen events, and each leaves services, ledger and comment as it must', async (context) => {
  const shop = await openShop(context);
  const told: Outcome[] = [];
  const secrets = new Set<string>();
  const happens = async (what: string, event: Event, left: Left, options?: JobOptions): Promise<void> => {
    const before = await look(shop);
    const outcome = await shop.run(event, options);
    told.push(outcome);
    for (const secret of shop.secrets()) secrets.add(secret);
    const after = await look(shop);
    const found = {
      code: outcome.code,
      failed: outcome.isFailed,
      exit: outcome.outputs['exit-code'],
      status: outcome.outputs.status,
      services: shop.added(),
      wrote: after.writes > before.writes,
      receipt: after.receipts !== before.receipts,
      comments: after.comments.length,
      isTouched: left.comment === 'same' && after.comments[0]?.body !== before.comments[0]?.body,
      locks: await shop.locksLeft(),
      lease: after.isHeld,
    };
    const { comment, ...expected } = left;
    const said = { code: 0, failed: false, exit: '0', ...expected, comments: 1, isTouched: false, locks: [], lease: false };
    expect(found, `${what}\n${outcome.log}`).toEqual(said);
    if (comment !== 'same') expect(after.comments[0]?.body, what).toMatch(comment);
  };

  const first = await shop.open(12, plan);
  const opened = await shop.pullEvent(12, 'opened');
  await happens('opened', opened, {
    status: 'partial',
    services: all,
    wrote: true,
    receipt: true,
    comment: /preview/,
  });
  await happens('its deployment is pending', shop.deploymentEvent({ sha: first, state: 'pending' }), { ...skipped, services: all });
  shop.build(first);
  const succeeded = shop.deploymentEvent({ sha: first });
  await happens('its deployment succeeded', succeeded, {
    status: 'complete',
    services: all,
    wrote: true,
    receipt: true,
    comment: /complete/,
  });

  const second = await shop.push(12, { plan: `${plan}\n# The second commit.\n` });
  // The release of its commit is made, at the service that counts releases.
  await happens('synchronize', await shop.pullEvent(12, 'synchronize'), {
    status: 'partial',
    services: all,
    wrote: true,
    receipt: true,
    comment: /partial/,
  });
  await happens('the first commit is reported once more, late', succeeded, { ...stale, services: all });
  shop.build(second);
  const deployed = shop.deploymentEvent({ sha: second });
  await happens('the second one succeeded', deployed, {
    status: 'complete',
    services: all,
    wrote: true,
    receipt: true,
    comment: /complete/,
  });
  await happens('the same event again', deployed, { status: 'complete', services: all, wrote: false, receipt: true, comment: /complete/ });
  await happens('production was deployed', shop.deploymentEvent({ sha: second, environment: 'Production' }), { ...skipped, services: all });

  const closing = async (how: 'merged' | 'unmerged'): Promise<Event> => {
    shop.close(12, how);
    return await shop.pullEvent(12, 'closed');
  };
  const closed = await closing('unmerged');
  await happens('closed', closed, { status: 'complete', services: nothing, wrote: true, receipt: true, comment: /destroy/i });
  await happens('its deployment is reported after that', deployed, { ...stale, services: nothing });

  shop.reopen(12);
  await happens('reopened', await shop.pullEvent(12, 'reopened'), {
    status: 'partial',
    services: all,
    wrote: true,
    receipt: true,
    comment: /partial/,
  });
  shop.build(second);
  await happens('its deployment succeeded', shop.deploymentEvent({ sha: second }), {
    status: 'complete',
    services: all,
    wrote: true,
    receipt: true,
    comment: /complete/,
  });
  await happens('the first job is run again', opened, { ...stale, services: all }, { attempt: 2 });

  await shop.push(12, { to: first });
  await happens('the branch is pushed back to its first commit', await shop.pullEvent(12, 'synchronize'), {
    status: 'partial',
    services: all,
    wrote: false,
    receipt: true,
    comment: /partial/,
  });
  const end = await closing('merged');
  await happens('merged', end, { status: 'complete', services: nothing, wrote: true, receipt: true, comment: /destroy/i });
  await happens('merged, reported twice', end, { status: 'complete', services: nothing, wrote: false, receipt: true, comment: /destroy/i });

  const seen = told.flatMap(({ unmasked, summary, outputs }) => [unmasked, summary, JSON.stringify(outputs)]);
  const written = [...shop.host.comments(12).map(({ body }) => body), await shop.remote.git('log', '--all', '-p', '--format=%B')];
  expect(secrets.size).toBeGreaterThan(12);
  expect([...secrets].filter((secret) => [...seen, ...written].some((text) => text.includes(secret)))).toEqual([]);
});

async function look(shop: Shop) {
  return {
    writes: shop.world.simulations.reduce((sum, simulation) => sum + simulation.writes().length, 0),
    receipts: await shop.receipts('pr-12'),
    comments: shop.host.comments(12).map(({ body }) => ({ body })),
    isHeld: await shop.isHeld('pr-12'),
  };
}
