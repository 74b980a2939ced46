import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seed } from 'pilotfish-sandbox/all';
import { afterEach, expect, it } from 'vitest';
import { lines, planOf } from '../lifecycle/shop.ts';
import { minute, openTown, second, type Town } from '../lifecycle/town.ts';

let town: Town | null = null;
afterEach(async () => {
  town?.verify();
  await town?.close();
  town = null;
});

/** An entry that is named by what the provider gives an endpoint: made anew, the endpoint has another entry. */
const entry = `
  - id: entry
    adapter: http
    op: list_item
    api: tenant
    parent: { path: "/clients/${seed.auth0Client}", method: PATCH }
    list_path: /allowed_clients
    item: { from: payments.id }`;
const last = lines.dns.replace('target:', 'depends_on: [entry]\n    target:');
const plan = (...changes: readonly string[]): string =>
  planOf(...changes).replace(
    'changes:',
    `providers:
  http:
    tenant:
      base_url: https://acme.eu.auth0.com/api/v2
      auth: { oauth_client_credentials: { client_id_env: AUTH0_CLIENT_ID, client_secret_env: AUTH0_CLIENT_SECRET } }
changes:`,
  );

/** The lock of the one list, as a run elsewhere would hold it from now on. */
async function holdLock({ remote, clock }: Town): Promise<void> {
  const [name, tree] = [...remote.branches].find(([branch]) => branch.includes('locks')) ?? [];
  if (name === undefined || tree === undefined) throw new Error('no lock was taken yet');
  const lease = JSON.parse(tree.files.get('lock.json') ?? '') as Record<string, unknown>;
  const theirs = { ...lease, run: 'another-run', released: null, at: new Date(clock.now()).toISOString() };
  const store = remote.open();
  await store.append(name, new Map([['lock.json', JSON.stringify(theirs)]]), (await store.head(name)) ?? null, 'lock of another run');
}

it('a run that is told to stop stops, also while what its lines left behind waits for the lock of their list', async () => {
  town = await openTown(plan(lines.payments, entry));
  const here = town;
  const listed = (): readonly string[] => [...((here.world.auth0.world.client(seed.auth0Client).allowed_clients as string[]) ?? [])];
  expect((await here.computer().apply()).status).toBe('complete');
  const [first] = listed();
  const one = here.computer();
  // The last line has failed, so every line has ended when the first entry is to go.
  let toldAt = Number.POSITIVE_INFINITY;
  await here.write(plan(lines.payments, entry, last));
  const refusal = { success: false, errors: [{ code: 9000, message: 'DNS name is invalid.' }], messages: [], result: null };
  here.world.cloudflare.faults.once('POST /client/v4/zones/{zone_id}/dns_records', 400, refusal);
  one.machine.at('sent', 'POST', /dns_records/, async () => {
    await holdLock(here);
    void here.pass(10 * second).then(() => {
      toldAt = here.clock.mono();
      one.interrupt();
    });
  });
  const doc = await one.apply({ recreate: ['payments'] });
  expect(doc.ok).toBe(false);
  expect(listed()).toContain(first);
  expect(here.clock.mono() - toldAt).toBeLessThan(minute);
});

it('nothing copies the session of a run: what is kept by it would be kept twice', async () => {
  const folder = join(import.meta.dirname, '../../src/engine');
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const copies = await Promise.all(
    files.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return /Object\.(create|assign)\(([^()]*, )?([a-z]+\.)*session[,)]|\.\.\.([a-z]+\.)*session\b(?!\.)/.test(text) ? [name] : [];
    }),
  );
  expect(files.length).toBeGreaterThan(50);
  expect(copies.flat()).toEqual([]);
});
