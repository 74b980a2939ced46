import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/core/errors.ts';
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

const refused = new Failure('LEDGER_REFUSED', { detail: 'The remote refused the push. It said: GH006: protected branch.' });
const folder = (): string => path.join(shop.folder, '.pilotfish', 'unpushed');
const left = async (): Promise<readonly string[]> => readdir(folder()).catch(() => []);

/** From the commit on whose number is given, pushes are refused: all, or as many as are given. */
function refuseFrom(remote: Shop['remote'], n: number, many = Number.POSITIVE_INFINITY): { end(): void } {
  let seen = 0;
  const before = remote.before;
  remote.before = () => {
    seen += 1;
    if (seen >= n && seen < n + many) throw refused;
  };
  return {
    end: () => {
      remote.before = before;
    },
  };
}

describe('a push that records what was made is refused', () => {
  it('so nothing is created after it, and what was made is kept in a file that the error names', async () => {
    const { apply, remote, endpoints, hooks, ledger } = await open(lines.payments, lines.hook);
    refuseFrom(remote, 2);
    const doc = await apply();
    expect(ends(doc)).toEqual(['payments create failed LEDGER_REFUSED', 'hook create failed LEDGER_REFUSED']);
    expect([endpoints().length, hooks().length]).toEqual([1, 0]);
    expect((await ledger()).intents.size).toBe(1);
    const [name = ''] = await left();
    expect(doc.error?.detail).toContain(`GH006: protected branch. The work of this run (one fact) is kept in .pilotfish/unpushed/${name}`);
    const kept = JSON.parse(await readFile(path.join(folder(), name), 'utf8'));
    expect(kept).toMatchObject({ v: 1, run: doc.runId, branch, why: { code: 'LEDGER_REFUSED' }, receipt: { status: 'failed' } });
    expect(kept.facts).toMatchObject([{ kind: 'record', record: { line: 'payments', objectId: endpoints()[0]?.id } }]);
  });

  it('which holds no secret, not even the once-only one that was just made', async () => {
    const { apply, remote, endpoints, bytes, world } = await open(lines.payments, lines.hook);
    refuseFrom(remote, 2);
    await apply();
    const secrets = [...Object.values(world.credentials), endpoints()[0]?.secret].filter((text) => typeof text === 'string');
    expect(secrets.length).toBeGreaterThan(1);
    const all = await bytes();
    expect(all).toContain('"facts"');
    for (const secret of secrets) expect(all).not.toContain(secret);
  });

  it('a plan shows it and leaves it; the next apply claims what was made and removes it', async () => {
    const { apply, plan, remote, records } = await open(lines.dns, lines.alias);
    const refusal = refuseFrom(remote, 2);
    const first = await apply();
    refusal.end();
    const file = `.pilotfish/unpushed/${first.runId}.json`;
    const seen = await plan();
    expect(seen.warnings).toEqual([
      expect.stringMatching(new RegExp(`^Run ${first.runId} of .*LEDGER_REFUSED.*${file}: dns stands: .*pilotfish apply --scope pr-12`)),
    ]);
    expect(await left()).toHaveLength(1);
    const again = await apply();
    expect(again.warnings.join()).toContain(file);
    expect(ends(again)).toEqual(['dns claim settled', 'alias create settled']);
    expect(records()).toHaveLength(2);
    expect(await left()).toEqual([]);
    expect((await apply()).warnings).toEqual([]);
  });

  it('a destroy finds what was made as well, and removes the file', async () => {
    const { apply, destroy, remote, records, plan } = await open(lines.dns);
    const refusal = refuseFrom(remote, 2);
    await apply();
    refusal.end();
    expect((await plan({ destroy: true })).warnings.join()).toContain('could not store what it did');
    expect((await destroy()).status).toBe('complete');
    expect([records().length, (await left()).length]).toEqual([0, 0]);
  });

  it('another scope neither shows nor removes it', async () => {
    const { apply, remote } = await open(lines.dns);
    const refusal = refuseFrom(remote, 2);
    await apply();
    refusal.end();
    expect((await apply({ scope: 'pr-13' })).warnings).toEqual([]);
    expect(await left()).toHaveLength(1);
  });

  it('when the file cannot be written, the error names what was made', async () => {
    const { apply, remote, records } = await open(lines.dns);
    await mkdir(path.dirname(folder()), { recursive: true });
    await writeFile(folder(), 'in the way');
    refuseFrom(remote, 2);
    const { error } = await apply();
    expect(error?.detail).toMatch(/could not be kept in .*unpushed either \(EEXIST\)\. The ledger lacks what it did: dns stands: /);
    expect(error?.detail).toContain(records()[0]?.id);
  });

  it('a host that only stumbled gets the record with the last push, and no file is left', async () => {
    const { apply, remote, records, ledger } = await open(lines.dns, lines.alias);
    refuseFrom(remote, 2, 1);
    const doc = await apply();
    expect(ends(doc)).toEqual(['dns create failed LEDGER_REFUSED', 'alias create failed LEDGER_REFUSED']);
    const { records: stored, intents, lease } = await ledger();
    expect([stored.size, intents.size, lease?.released]).toEqual([1, 0, { quietForMs: 0 }]);
    expect(await left()).toEqual([]);
    expect(ends(await apply())).toEqual(['dns none settled', 'alias create settled']);
    expect(records()).toHaveLength(2);
  });
});

describe('a push that announces is refused', () => {
  it('so nothing is created at all, and the next run has nothing to claim', async () => {
    const { apply, remote, watch, ledger } = await open(lines.dns, lines.payments);
    const refusal = refuseFrom(remote, 1);
    const seen = watch();
    const doc = await apply();
    expect(seen.writes()).toEqual([]);
    expect(doc.error).toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining('Nothing that it made is missing') });
    expect((await ledger()).intents.size).toBe(0);
    refusal.end();
    expect(ends(await apply())).toEqual(['dns create settled', 'payments create settled']);
    expect(await left()).toEqual([]);
  });

  it('no update and no removal is sent either: the lease that they need is not to be had', async () => {
    const { apply, destroy, write, remote, watch, records } = await open(lines.dns);
    await apply();
    await write(planOf(lines.dns.replace('cname.vercel-dns.com', 'other.example')));
    refuseFrom(remote, 1);
    const seen = watch();
    expect((await apply()).error?.code).toBe('LEDGER_REFUSED');
    expect((await destroy()).error?.code).toBe('LEDGER_REFUSED');
    expect(seen.writes()).toEqual([]);
    expect(records()[0]).toMatchObject({ content: 'cname.vercel-dns.com' });
  });
});
