import { seed } from 'pilotfish-sandbox/all';
import { secondOf } from 'pilotfish-sandbox/kit/simulation';
import { afterEach, describe, expect, it } from 'vitest';
import { openPulls, shaA } from '../lifecycle/pulls.ts';
import { branch, ends, lines, openShop, planOf, type Shop } from '../lifecycle/shop.ts';
import { type Fact, Forger, factsIn, put, type Tree } from './forger.ts';

/** Who can push can put an older commit's files on top of the branch. Each of those files is honest, and nothing is forced. */
let shop: Shop;
let opened: { verify(): void; close(): Promise<void> };
afterEach(async () => {
  opened.verify();
  await opened.close();
});

const noPlan = 'version: 1\nchanges: []\n';
const ours = () => [
  ...shop.endpoints().filter(({ url }) => url.includes('pr-12')),
  ...shop.records().filter(({ name }) => name.includes('pr-12')),
];

const callbacks = () => shop.callbacks() as string[];
const store = () => shop.remote.open();
const heads = async (): Promise<readonly string[]> => (await store().history?.(branch)) ?? [];

/** Puts the files of an older commit on top, and `below` commits that change nothing below that. */
async function putBack(older: string, { below = 0, above = 0 } = {}): Promise<void> {
  await pile(below);
  const files = (await store().readAt(branch, older))?.files ?? new Map<string, string>();
  const now = shop.remote.filesOf(branch);
  const change = new Map<string, string | null>(files);
  for (const path of now.keys()) if (!files.has(path)) change.set(path, null);
  await store().append(branch, change, (await heads())[0] ?? null, 'put back');
  await pile(above);
}

async function takeAway(paths: RegExp): Promise<void> {
  const gone = [...shop.remote.filesOf(branch).keys()].filter((path) => paths.test(path));
  await store().append(branch, new Map(gone.map((path) => [path, null])), (await heads())[0] ?? null, 'taken away');
}

async function pile(commits: number): Promise<void> {
  for (let i = 0; i < commits; i += 1) await store().append(branch, new Map([['x', `${i}`]]), (await heads())[0] ?? null, 'nothing');
}

/** Two applies, of which the second adds a webhook; then the ledger of the first. */
async function rolledBack(commits: { below?: number; above?: number } = {}): Promise<void> {
  opened = shop = await openShop(planOf(lines.dns));
  await shop.apply();
  const [older = ''] = await heads();
  await shop.write(planOf(lines.dns, lines.payments));
  await shop.apply();
  expect(ours()).toHaveLength(2);
  await putBack(older, commits);
}

describe('a whole ledger that was put back', () => {
  it.each([
    { below: 0, above: 0 },
    { below: 3, above: 0 },
    { below: 120, above: 0 },
    { below: 0, above: 120 },
  ])('with $below commits below it and $above above it hides nothing from a destroy without the plan', async (commits) => {
    await rolledBack(commits);
    await shop.write(noPlan);
    const doc = await shop.destroy();
    expect([doc.status, doc.error?.code, ours()]).toEqual(['failed', 'LEDGER_CORRUPT', []]);
    expect(doc.error?.detail).toContain('payments');
    expect(doc.warnings.join(' ')).toContain('put older ones in their place');
    expect((await shop.destroy()).status).toBe('complete');
  });

  it('makes an apply write nothing twice, and a plan tell the same', async () => {
    await rolledBack();
    const plan = await shop.plan();
    expect(plan.lines.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(['dns none', 'payments none']);
    expect(plan.warnings.join(' ')).toContain('An apply brings them back first');
    const { writes } = shop.watch();
    const doc = await shop.apply({ expect: plan.digest });
    expect([doc.status, doc.error?.code, writes()]).toEqual(['failed', 'LEDGER_CORRUPT', []]);
    expect((await shop.apply()).status).toBe('complete');
  });

  it('makes no record count again whose object this scope’s runs have removed since', async () => {
    opened = shop = await openShop(planOf(lines.callback));
    await shop.apply();
    const [older = ''] = await heads();
    const url = callbacks().find((one) => one.includes('pr-12')) ?? '';
    await shop.destroy();
    // The same address again, by a person.
    callbacks().push(url);
    await putBack(older);
    await shop.write(noPlan);
    const doc = await shop.destroy();
    expect(ends(doc)).toEqual(['callback failed failed LEDGER_UNSEALED']);
    expect(callbacks()).toContain(url);
  });

  it('is believed by nobody where more commits stand on it than are looked through', async () => {
    await rolledBack({ below: 1_100 });
    await shop.write(noPlan);
    const doc = await shop.destroy();
    expect(ends(doc)).toEqual(['dns failed failed LEDGER_UNSEALED']);
    expect(doc.warnings.join(' ')).toContain('None of the last 1,000 commits of');
  });

  it.each([0, 2])('as the first parent of a merge is refused, %d commits above it', async (above) => {
    await rolledBack();
    const [top = ''] = await heads();
    const {
      message = '',
      parent = null,
      files = new Map<string, string>(),
    } = (await store().readAt(branch, (await heads()).at(-1) ?? '')) ?? {};
    shop.remote.plant(branch, { head: `${top}-merge`, files, message, parent, isMerge: true });
    await pile(above);
    await shop.write(noPlan);
    await expect(shop.destroy()).rejects.toMatchObject({ code: 'LEDGER_CORRUPT', detail: expect.stringContaining('is a merge') });
    expect(ours()).toHaveLength(2);
  });

  it.each([0, 120])('without a record, %d commits later, is whole again for a destroy', async (above) => {
    opened = shop = await openShop(planOf(lines.dns, lines.payments));
    await shop.apply();
    await takeAway(/^records/);
    await pile(above);
    await shop.write(noPlan);
    expect((await shop.destroy()).error?.code).toBe('LEDGER_CORRUPT');
    expect(ours()).toEqual([]);
  });

  it.each([
    ['taken out', (files: Tree, path: string): unknown => files.delete(path)],
    ['written over', (files: Tree, _: string, fact: Fact): unknown => put(files, 'intents', { ...fact, line: 'other' })],
  ] as const)('whose announcement beside a record was %s leaves nothing behind', async (_, forge) => {
    opened = shop = await openShop(planOf(lines.dns));
    await shop.apply();
    // Somebody removes the object, and the run that makes it anew dies before its record.
    const [one] = shop.records();
    shop.world.cloudflare.world.removeRecord(seed.zone.id, one?.id ?? '');
    shop.crash.at('after', 'POST', /dns_records$/);
    await shop.apply().catch(() => undefined);
    shop.crash.over();
    expect(ours()).toHaveLength(1);
    await new Forger(shop.remote).push(branch, (files) => {
      for (const [path, fact] of factsIn(files, 'intents')) forge(files, path, fact);
    });
    await shop.write(noPlan);
    expect((await shop.destroy()).error?.code).toBe('LEDGER_CORRUPT');
    expect(ours()).toEqual([]);
  });

  it('without a record that no commit has any more is a person’s to look after', async () => {
    opened = shop = await openShop(planOf(lines.dns));
    await shop.apply();
    await takeAway(/^records/);
    await pile(1_100);
    await shop.write(noPlan);
    const doc = await shop.destroy();
    expect([doc.status, doc.error?.code]).toEqual(['failed', 'LEDGER_CORRUPT']);
    expect(doc.error?.detail).toContain('None of the last 1,000 commits of');
    const [, trustLedger = ''] = /--trust-ledger (\S+)/.exec(doc.error?.fix?.replaceAll('`', ' ') ?? '') ?? [];
    expect((await shop.destroy({ trustLedger: (await heads()).find((head) => head.startsWith(trustLedger)) ?? '' })).status).toBe(
      'complete',
    );
    expect((await shop.destroy()).status).toBe('complete');
  });

  it('by a person’s word brings back what stands, and ends well', async () => {
    opened = shop = await openShop(planOf(lines.dns));
    await shop.apply();
    const [older = ''] = await heads();
    await shop.write(planOf(lines.dns, lines.payments));
    await shop.apply();
    const doc = await shop.apply({ restoreLedger: older });
    expect([doc.status, ours().length]).toEqual(['complete', 2]);
    expect(doc.warnings.join(' ')).toContain('newer commit than the one that was restored');
  });
});

it('other people’s commits on top are no rollback', async () => {
  opened = shop = await openShop(planOf(lines.dns, lines.payments));
  const ann = {
    env: { STRIPE_SECRET_KEY: secondOf(shop.world.stripe.tokens.full), CLOUDFLARE_API_TOKEN: secondOf(shop.world.cloudflare.tokens.full) },
  };
  for (const who of [{}, ann, {}, ann, {}]) {
    const doc = await shop.apply(who);
    expect([doc.status, doc.warnings]).toEqual(['complete', []]);
  }
  await shop.write(noPlan);
  const doc = await shop.destroy(ann);
  expect([doc.status, doc.warnings, ours()]).toEqual(['complete', [], []]);
});

describe('a branch that was moved back by force', () => {
  it('hides nothing from the destroy of a job, whose code host remembers the commit', async () => {
    const pulls = await openPulls(planOf(lines.dns));
    opened = pulls;
    pulls.pulls.world.open(12, shaA, 'feature-12');
    await pulls.onPull('opened');
    const heads = (await pulls.remote.open().history?.(branch)) ?? [];
    await pulls.write(planOf(lines.dns, lines.alias));
    await pulls.onPull('synchronize');
    expect(pulls.records()).toHaveLength(2);
    const [before = ''] = (await pulls.remote.open().history?.(branch)) ?? [];
    const ref = `refs/heads/${branch}`;
    pulls.remote.force(branch, heads[0] ?? '');
    pulls.pulls.world.happened({ ref, before, after: heads[0] ?? '', type: 'force_push' });
    pulls.pulls.world.close(12);
    await pulls.write(noPlan);
    const doc = await pulls.onClosed();
    expect([doc.status, doc.error?.code, pulls.records()]).toEqual(['failed', 'LEDGER_CORRUPT', []]);
    expect(doc.error?.detail).toContain('alias');
  });
});
