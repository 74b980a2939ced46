import { secondOf } from 'pilotfish-sandbox/kit/simulation';
import { afterEach, describe, expect, it } from 'vitest';
import { parseState } from '../../src/ledger/model/state.ts';
import { branch, ends, lines, openShop, planOf, type Shop } from './shop.ts';

let shop: Shop;
const open = async (...changes: readonly string[]): Promise<Shop> => {
  shop = await openShop(planOf(...changes));
  return shop;
};
afterEach(async () => {
  shop.verify();
  await shop.close();
});

const headNow = (): string => shop.remote.branches.get(branch)?.head ?? '';
const files = (): readonly string[] => [...shop.remote.filesOf(branch).keys()];
/** Somebody, or a host that lost half of a file, changes the newest commit. */
async function damage(find: RegExp, change: (text: string) => string | null): Promise<void> {
  const path = files().find((one) => find.test(one)) ?? '';
  const text = shop.remote.filesOf(branch).get(path);
  if (text === undefined) throw new Error(`no file ${find}`);
  await shop.remote.open().append(branch, new Map([[path, change(text)]]), headNow(), 'damage');
}
const truncate = (text: string): string => text.slice(0, text.length / 2);

describe('a ledger that cannot be used', () => {
  it.each([
    ['a record that is cut off', /^records/, truncate, 'LEDGER_CORRUPT', /^records\/.* it is not JSON/],
    [
      'a record of another shape',
      /^records/,
      (text: string) => text.replace('"owned": true', '"owned": "yes"'),
      'LEDGER_CORRUPT',
      /^records\/.* cannot be used/,
    ],
    [
      'a record under another name',
      /^records/,
      (text: string) => text.replace(/"identity": "./, '"identity": "0'),
      'LEDGER_CORRUPT',
      /^records\/.* cannot be used/,
    ],
    ['a lease that is cut off', /^lease/, truncate, 'LEDGER_CORRUPT', /^lease\.json/],
    ['a history with half a line', /^history/, truncate, 'LEDGER_CORRUPT', /^history\.jsonl/],
    ['an empty receipt', /^receipt/, () => '', 'LEDGER_CORRUPT', /^receipt\.json/],
    ['a record of a newer version', /^records/, (text: string) => text.replace('"v": 2', '"v": 3'), 'LEDGER_VERSION', /version 3/],
  ] as const)(
    '%s is refused by plan, apply and destroy, before any request, and nothing is written',
    async (_, path, change, code, words) => {
      const { apply, plan, destroy, watch } = await open(lines.dns);
      await apply();
      await damage(path, change);
      const [seen, head] = [watch(), headNow()];
      for (const run of [plan, apply, destroy]) {
        await expect(run()).rejects.toMatchObject({ code, detail: expect.stringMatching(words) });
      }
      expect([seen.all(), headNow()]).toEqual([[], head]);
    },
  );

  it('the fix names the newest commit that can be used, and that command repairs it', async () => {
    const { apply, records, ledger } = await open(lines.dns);
    await apply();
    const sound = headNow();
    await damage(/^records/, truncate);
    await damage(/^receipt/, () => '{');
    const error = await apply().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ fix: expect.stringContaining(`pilotfish apply --restore-ledger ${sound} --scope pr-12`) });
    const doc = await apply({ restoreLedger: sound });
    expect(ends(doc)).toEqual(['dns none settled']);
    expect(doc.warnings).toEqual([expect.stringContaining(`restored from ${sound}`)]);
    expect([records().length, (await ledger()).records.size]).toEqual([1, 1]);
    expect(ends(await apply())).toEqual(['dns none settled']);
  });

  it('is restored by a commit on top of it: nothing is forced and history stays', async () => {
    const { apply, remote, ledger } = await open(lines.dns);
    await apply();
    const sound = headNow();
    await apply();
    await damage(/^records/, truncate);
    const before = remote.on(branch).length;
    await apply({ restoreLedger: sound });
    expect(remote.commits[before]?.message).toContain(`restored from ${sound}`);
    expect((await ledger()).history.map(({ outcome }) => outcome)).toEqual(['complete', 'complete', 'complete']);
  });

  it('a destroy goes on from the restored one as well', async () => {
    const { apply, destroy, records } = await open(lines.dns);
    await apply();
    const sound = headNow();
    await damage(/^records/, truncate);
    expect((await destroy({ restoreLedger: sound })).status).toBe('complete');
    expect(records()).toEqual([]);
  });

  it('what was made after the restored commit comes back where its seal shows whose it is', async () => {
    const { apply, write, records } = await open(lines.dns);
    await apply();
    const sound = headNow();
    await write(planOf(lines.dns, lines.alias));
    await apply();
    await damage(/^records/, truncate);
    const doc = await apply({ restoreLedger: sound });
    expect([doc.status, ends(doc)]).toEqual(['complete', ['dns none settled', 'alias none settled']]);
    expect(doc.warnings.join()).toContain('alias');
    expect(records()).toHaveLength(2);
  });

  it('what was made after it by another person is foreign, and is not taken', async () => {
    const { apply, write, records, world } = await open(lines.dns);
    await apply();
    const sound = headNow();
    await write(planOf(lines.dns, lines.alias));
    await apply({ env: { CLOUDFLARE_API_TOKEN: secondOf(world.cloudflare.tokens.full) } });
    await damage(/^records/, truncate);
    const doc = await apply({ restoreLedger: sound });
    expect(ends(doc)).toEqual(['dns none settled', 'alias refused refused RESOURCE_FOREIGN']);
    expect(doc.warnings.join()).toContain('RESOURCE_FOREIGN');
    expect(records()).toHaveLength(2);
  });
});

describe('--restore-ledger refuses', () => {
  it('a commit that is not of the branch, and a start of one that is too short', async () => {
    const { apply, watch } = await open(lines.dns);
    await apply();
    await apply({ scope: 'pr-13' });
    const foreign = shop.remote.branches.get('pilotfish-receipts/preview/pr-13')?.head ?? '';
    const [seen, head] = [watch(), headNow()];
    for (const commit of [foreign, 'commit', 'no-such-commit']) {
      await expect(apply({ restoreLedger: commit })).rejects.toMatchObject({ code: 'USAGE', detail: expect.stringContaining(branch) });
    }
    expect([seen.all(), headNow()]).toEqual([[], head]);
  });

  it('one that is damaged itself', async () => {
    const { apply } = await open(lines.dns);
    await apply();
    await damage(/^records/, truncate);
    const damaged = headNow();
    await damage(/^receipt/, () => '{');
    await expect(apply({ restoreLedger: damaged })).rejects.toMatchObject({
      code: 'LEDGER_CORRUPT',
      detail: expect.stringContaining(damaged),
      fix: expect.stringContaining('older'),
    });
  });

  it('a branch whose lease a live run holds', async () => {
    const { apply, remote, clock } = await open(lines.dns);
    await apply();
    const sound = headNow();
    const lease = JSON.parse(remote.filesOf(branch).get('lease.json') ?? '');
    let renewal = 10;
    const renew = async (): Promise<void> => {
      renewal += 1;
      const text = JSON.stringify({ ...lease, run: 'another', renewal, released: null });
      await remote.open().append(branch, new Map([['lease.json', text]]), headNow(), 'renewal');
    };
    await renew();
    const live = (async () => {
      for (let i = 0; i < 40; i += 1) {
        await clock.sleep(1_000);
        await renew();
      }
    })();
    await expect(apply({ restoreLedger: sound, leaseTimeoutMs: 20_000 })).rejects.toMatchObject({ code: 'LEASE_HELD' });
    await live;
    expect(remote.commits.map(({ message }) => message).join()).not.toContain('restored');
  });
});

describe('a damaged lease', () => {
  it('may be held: it is waited out, and what its holder sent may land, before anything is written', async () => {
    const { apply, remote, clock } = await open(lines.dns);
    await apply();
    const sound = headNow();
    await damage(/^lease/, truncate);
    const before = clock.mono();
    const marks: number[] = [];
    remote.after = () => {
      marks.push(clock.mono() - before);
    };
    expect((await apply({ restoreLedger: sound })).status).toBe('complete');
    expect(marks[0]).toBeGreaterThanOrEqual(3_000);
    expect(parseState(remote.filesOf(branch), branch).lease?.released).not.toBeNull();
  });
});
