import { expect, it } from 'vitest';
import { standing } from '../demo/standing.ts';
import { isWhole } from '../support/whole.ts';
import { checkout } from './checkout.ts';
import type { Event } from './events.ts';
import type { Outcome } from './runner.ts';
import { openShop, type Shop } from './shop.ts';

const host = '${ctx.scope}.preview.acme.example';
/** Four services, two lists of one Auth0 application among them, which all pull requests share. */
const plan = `version: 1
providers:
  http:
    auth0: {}
changes:
  - { id: database, adapter: neon, op: branch, project_id: quiet-river-12345678, name: "shop-\${ctx.scope}" }
  - { id: database-url, adapter: vercel, op: env, project: shop, key: DATABASE_URL, value: { from: database.connection_uri }, git_branch: "\${ctx.git.branch}" }
  - { id: dns, recipe: cloudflare.dns_cname, zone_id: 5f0c1d2e3b4a59687786a5b4c3d2e1f0, name: "${host}", target: cname.vercel-dns.com }
  - { id: sign-in, recipe: auth0.callback_url, client_id: &client shopWebAbCdEfGhIjKlMnOpQrStUvWxY, url: "https://${host}/callback" }
  - { id: sign-out, recipe: auth0.logout_url, client_id: *client, url: "https://${host}" }
`;
const numbers = Array.from({ length: isWhole ? 12 : 4 }, (_, index) => index + 1);
const scopes = numbers.map((number) => `pr-${number}`);
const persons = ['https://shop.acme.example/callback', 'https://laptop.acme.example/callback'];

it('pull requests open at once, and close at once', { timeout: 600_000 }, async (context) => {
  const shop = await openShop(context);
  const { auth0, seed } = shop.world;
  Object.assign(auth0.world.client(seed.auth0Client), { callbacks: persons });
  const before = standing({ world: shop.world });
  for (const number of numbers) await shop.open(number, plan);

  const events = await eventsOf(shop, 'opened');
  const { place, token } = shop;
  // A destroy needs no checkout, so these serve it as well.
  const workspaces = await Promise.all(events.map((event) => checkout(context, { place, event, token })));
  const opened = await together(shop, events, workspaces);
  expect(opened.map(({ code, outputs }) => [code, outputs.status])).toEqual(numbers.map(() => [0, 'complete']));
  const address = (scope: string): string => `https://${scope}.preview.acme.example`;
  expect(standing({ world: shop.world })).toEqual({
    ...before,
    'neon branches': sorted(before['neon branches'], (scope) => `shop-${scope}`),
    'vercel variables': [...(before['vercel variables'] ?? []), ...numbers.map((number) => `DATABASE_URL feature/${number}`)].toSorted(),
    'cloudflare records': sorted(before['cloudflare records'], (scope) => `${scope}.preview.acme.example`),
    'auth0 callback URLs': sorted(persons, (scope) => `${address(scope)}/callback`),
    'auth0 logout URLs': sorted(before['auth0 logout URLs'], address),
  });
  await isCalm(shop, 5);

  for (const number of numbers) shop.close(number);
  const closed = await together(shop, await eventsOf(shop, 'closed'), workspaces);
  expect(closed.map(({ code, outputs }) => [code, outputs.status])).toEqual(numbers.map(() => [0, 'complete']));
  expect(standing({ world: shop.world })).toEqual(before);
  await isCalm(shop, 0);
});

/** The host makes the merge commits by itself, one after the other. */
async function eventsOf(shop: Shop, action: 'opened' | 'closed'): Promise<readonly Event[]> {
  const events: Event[] = [];
  for (const number of numbers) events.push(await shop.pullEvent(number, action));
  return events;
}

/** One job for each pull request, all of them started before one of them has ended. */
const together = async (shop: Shop, events: readonly Event[], workspaces: readonly string[]): Promise<readonly Outcome[]> =>
  await Promise.all(events.map((event, index) => shop.run(event, { workspace: workspaces[index] ?? '' })));

const sorted = (before: readonly string[] = [], name: (scope: string) => string): readonly string[] =>
  [...before, ...scopes.map(name)].toSorted();

/** Each pull request has one comment and a ledger of so many records; nobody holds a lease or a lock, and no intent is open. */
async function isCalm(shop: Shop, records: number): Promise<void> {
  expect(numbers.map((number) => shop.host.comments(number).length)).toEqual(numbers.map(() => 1));
  const ledgers = await Promise.all(scopes.map((scope) => shop.ledger(scope)));
  expect(ledgers.map((ledger) => [ledger.records.size, ledger.intents.size])).toEqual(scopes.map(() => [records, 0]));
  expect(ledgers.map(({ lease }) => lease?.released)).toEqual(scopes.map(() => ({ quietForMs: 0 })));
  expect(await shop.locksLeft()).toEqual([]);
}
