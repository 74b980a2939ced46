import { secondOf } from 'pilotfish-sandbox/kit/simulation';
import { afterEach, describe, expect, it } from 'vitest';
import { branch, ends, lines, openRecord, openShop, planOf, type Shop } from '../lifecycle/shop.ts';
import { ledgerKey } from '../support/ledger-key.ts';
import { Forger } from './forger.ts';

/** What honest people meet: other credentials, rotated ones, none that seals, a lost key, an older ledger. */
let shop: Shop;
afterEach(async () => {
  shop.verify();
  await shop.close();
});

const noPlan = 'version: 1\nchanges: []\n';
const open = async (plan: string): Promise<Shop> => {
  shop = await openShop(plan);
  return shop;
};
const ours = () => shop.endpoints().filter(({ url }) => url.includes('pr-12'));
/** Another token of the same account, with the same rights. */
const ann = () => ({
  env: { STRIPE_SECRET_KEY: secondOf(shop.world.stripe.tokens.full), CLOUDFLARE_API_TOKEN: secondOf(shop.world.cloudflare.tokens.full) },
});
const codes = (doc: { readonly lines: readonly { readonly error?: { readonly code: string } }[] }) =>
  doc.lines.map(({ error }) => error?.code);
const head = async (): Promise<string> => shop.remote.branches.get(branch)?.head ?? '';

describe('a destroy without the plan, by the same credential', () => {
  it.each([
    ['a recipe', planOf(lines.payments), () => ours()],
    ['a shared list', planOf(lines.callback, lines.logout), () => (shop.callbacks() as string[]).filter((url) => url.includes('pr-12'))],
    ['a hand-written line', openRecord({}), () => shop.records()],
  ])('removes %s', async (_, plan, left) => {
    await open(plan);
    expect((await shop.apply()).status).toBe('complete');
    expect(left()).not.toEqual([]);
    await shop.write(noPlan);
    expect((await shop.destroy()).status).toBe('complete');
    expect(left()).toEqual([]);
  });

  it('removes what a create whose answer was lost left', async () => {
    await open(planOf(lines.payments));
    shop.crash.at('after', 'POST', /webhook_endpoints$/);
    await shop.apply().catch(() => undefined);
    shop.crash.over();
    await shop.write(noPlan);
    expect((await shop.destroy()).status).toBe('complete');
    expect(ours()).toEqual([]);
  });
});

describe('a token that was rotated', () => {
  it('applies as before, and seals anew without a write at a provider', async () => {
    await open(planOf(lines.payments, lines.dns));
    await shop.apply();
    const { writes } = shop.watch();
    expect((await shop.apply(ann())).status).toBe('complete');
    expect(writes()).toEqual([]);
    await shop.write(noPlan);
    expect((await shop.destroy(ann())).status).toBe('complete');
    expect(ours()).toEqual([]);
  });

  it('destroys by the plan at hand, and by the requests that it builds', async () => {
    await open(planOf(lines.payments, lines.dns));
    await shop.apply();
    expect((await shop.destroy(ann())).status).toBe('complete');
    expect(ours()).toEqual([]);
  });

  it('without the plan is refused with the file, the host and the command for a person, which ends it', async () => {
    await open(planOf(lines.payments));
    await shop.apply();
    await shop.write(noPlan);
    const refused = await shop.destroy(ann());
    expect(ends(refused)).toEqual(['payments failed failed LEDGER_UNSEALED']);
    const { detail = '', fix = '' } = refused.lines[0]?.error ?? {};
    expect(detail).toMatch(/records\/.*\.json on pilotfish-receipts\/preview\/pr-12 names .*api\.stripe\.com/);
    const [, trustLedger = ''] = /--trust-ledger (\S+)/.exec(fix) ?? [];
    expect((await shop.destroy({ ...ann(), trustLedger })).status).toBe('complete');
    expect(ours()).toEqual([]);
  });
});

it('what left the plan and was sealed by another token is told as what a destroy leaves', async () => {
  await open(planOf(lines.payments, lines.dns));
  await shop.apply();
  await shop.write(planOf(lines.dns));
  expect((await shop.apply()).orphans.map(({ why }) => why)).toEqual([expect.stringContaining('`--prune` removes it')]);
  expect((await shop.apply(ann())).orphans.map(({ why }) => why)).toEqual([expect.stringContaining('no credential of this run sealed it')]);
});

describe('two people with two tokens', () => {
  it('in turn write nothing twice, and each destroys what the other made', async () => {
    await open(planOf(lines.payments, lines.dns));
    await shop.apply();
    await shop.apply(ann());
    const { writes } = shop.watch();
    const records = (): string => JSON.stringify([...shop.remote.filesOf(branch)].filter(([path]) => /^(records|seals)/.test(path)));
    const before = records();
    for (const who of [{}, ann(), {}, ann()]) expect((await shop.apply(who)).status).toBe('complete');
    expect([writes(), records()]).toEqual([[], before]);
    await shop.write(noPlan);
    expect((await shop.destroy(ann())).status).toBe('complete');
    await shop.write(planOf(lines.payments, lines.dns));
    // What another holder destroyed is no loss.
    expect(ends(await shop.apply())).toEqual(['payments create settled', 'dns create settled']);
  });
});

describe('PILOTFISH_LEDGER_KEY', () => {
  const [old, fresh] = ['o', 'n'].map((letter) => letter.repeat(40)) as [string, string];
  const by = (key: string) => ({ env: { ...ann().env, PILOTFISH_LEDGER_KEY: key } });

  it('seals for all who have it, whatever their own credentials are, and goes on through a rotation', async () => {
    await open(planOf(lines.payments));
    await shop.apply({ env: { PILOTFISH_LEDGER_KEY: old } });
    await shop.write(noPlan);
    expect((await shop.destroy(by(`${fresh} ${old}`))).status).toBe('complete');
    expect(ours()).toEqual([]);
  });

  it('of a rotation is renewed by an apply that changes nothing, so that the old one can go', async () => {
    await open(planOf(lines.payments));
    await shop.apply({ env: { PILOTFISH_LEDGER_KEY: old } });
    const { writes } = shop.watch();
    await shop.apply(by(`${fresh} ${old}`));
    expect(writes()).toEqual([]);
    await shop.write(noPlan);
    expect((await shop.destroy(by(fresh))).status).toBe('complete');
    expect(ours()).toEqual([]);
  });

  it('that was lost is ended by a person', async () => {
    await open(planOf(lines.payments));
    await shop.apply({ env: { PILOTFISH_LEDGER_KEY: old } });
    await shop.write(noPlan);
    expect(codes(await shop.destroy(by(fresh)))).toEqual(['LEDGER_UNSEALED']);
    expect((await shop.destroy({ ...by(fresh), trustLedger: await head() })).status).toBe('complete');
  });

  it('is no short one', async () => {
    await open(planOf(lines.payments));
    await expect(shop.apply({ env: { PILOTFISH_LEDGER_KEY: 'short' } })).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('stands nowhere in the ledger', async () => {
    await open(planOf(lines.payments));
    await shop.apply({ env: ledgerKey });
    const text = [...shop.remote.branches.values()].flatMap(({ files }) => [...files.values()]).join('\n');
    expect(text).not.toContain(ledgerKey.PILOTFISH_LEDGER_KEY);
  });
});

describe('`ledger: sealed`', () => {
  it('refuses what no key of the run sealed, also where the plan finds it', async () => {
    await open(planOf(lines.payments));
    await shop.apply();
    await shop.write(planOf(lines.payments).replace('version: 1', 'version: 1\nledger: sealed'));
    expect(codes(await shop.apply(ann()))).toEqual(['LEDGER_UNSEALED']);
    expect((await shop.apply()).status).toBe('complete');
  });
});

describe('a ledger of an earlier version', () => {
  it('is taken over by an apply without a write, and sealed', async () => {
    await open(planOf(lines.payments, lines.dns));
    await shop.apply();
    shop.remote.branches.set(branch, await withoutSeals());
    const { writes } = shop.watch();
    expect((await shop.apply()).status).toBe('complete');
    expect(writes()).toEqual([]);
    await shop.write(noPlan);
    expect((await shop.destroy()).status).toBe('complete');
  });
});

/** The branch as a version wrote it that knew no seals; its older commits have none either. */
async function withoutSeals() {
  const files = new Map(shop.remote.filesOf(branch));
  files.delete('seals.json');
  const store = shop.remote.open();
  await store.remove(branch, await head());
  await new Forger(shop.remote).push(branch, (empty) => {
    for (const [path, text] of files) empty.set(path, text);
  });
  return { head: await head(), files };
}
