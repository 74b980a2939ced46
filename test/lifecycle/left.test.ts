import { seed } from 'pilotfish-sandbox/all';
import { afterEach, describe, expect, it } from 'vitest';
import { branch, lines, openShop, planOf, type Shop } from './shop.ts';

const kept = `${lines.dns}\n    destroy: keep`;
let shop: Shop;
const open = async (...changes: readonly string[]): Promise<Shop> => {
  shop = await openShop(planOf(...changes));
  return shop;
};
afterEach(async () => {
  shop.verify();
  await shop.close();
});

describe('what a destroy let stay', () => {
  it('is taken back when the scope is applied again, and stays again', async () => {
    const { apply, destroy, plan, records, ledger } = await open(kept);
    await apply();
    const [made] = records();
    expect((await destroy()).status).toBe('complete');
    expect([(await ledger()).records.size, (await ledger()).left.size, records().length]).toEqual([0, 1, 1]);
    expect((await plan()).lines.map(({ verdict }) => verdict)).toEqual(['claim']);
    const again = await apply();
    expect([again.status, again.stats.writes, again.lines[0]?.verdict]).toEqual(['complete', 0, 'claim']);
    expect([(await ledger()).records.size, (await ledger()).left.size]).toEqual([1, 0]);
    expect((await apply()).lines[0]?.verdict).toBe('none');
    await destroy();
    expect(records().map(({ id }) => id)).toEqual([made?.id]);
  });

  it('is not replaced before it is taken back: the error says how', async () => {
    const { apply, destroy, records } = await open(kept);
    await apply();
    await destroy();
    const [made] = records();
    const refused = await apply({ recreate: ['dns'] });
    expect([refused.error?.code, refused.error?.fix]).toEqual([
      'RESOURCE_FOREIGN',
      'Apply without `--recreate` first, to take the object back.',
    ]);
    expect(records()).toEqual([made]);
    await apply();
    expect((await apply({ recreate: ['dns'] })).status).toBe('complete');
    expect(records().map(({ id }) => id)).not.toContain(made?.id);
  });

  it('is brought in line with the plan when it is taken back', async () => {
    const { apply, destroy, records } = await open(kept);
    await apply();
    await destroy();
    Object.assign(records()[0] ?? {}, { content: 'elsewhere.example' });
    expect((await apply()).status).toBe('complete');
    expect(records()[0]?.content).toBe('cname.vercel-dns.com');
  });

  it('is no more ours when somebody made it anew', async () => {
    const { apply, destroy, records, world } = await open(kept);
    await apply();
    await destroy();
    for (const { id } of records()) world.cloudflare.world.removeRecord(seed.zone.id, id);
    world.cloudflare.world.addRecord(seed.zone.id, { type: 'CNAME', name: `pr-12.${seed.zone.name}`, content: 'theirs.example' });
    const doc = await apply();
    expect([doc.status, doc.error?.code, records()[0]?.content]).toEqual(['failed', 'RESOURCE_FOREIGN', 'theirs.example']);
  });

  it('is not remembered once the line is created anew, or destroyed for good', async () => {
    const { apply, destroy, records, ledger, write, world } = await open(kept);
    await apply();
    await destroy();
    for (const { id } of records()) world.cloudflare.world.removeRecord(seed.zone.id, id);
    await apply();
    expect((await ledger()).left.size).toBe(0);
    await write(planOf(lines.dns));
    await apply();
    await destroy();
    expect([records().length, (await ledger()).left.size]).toEqual([0, 0]);
  });

  it('is not taken back from another scope that has recorded it meanwhile', async () => {
    const { apply, destroy, remote, records } = await open(kept);
    await apply();
    const ledger = remote.branches.get(branch);
    if (!ledger) throw new Error('no ledger');
    await destroy();
    remote.branches.set(branch.replace('pr-12', 'pr-13'), ledger);
    const doc = await apply();
    expect([doc.error?.code, doc.error?.detail]).toEqual(['RESOURCE_FOREIGN', expect.stringContaining('pr-13')]);
    expect(records()).toHaveLength(1);
  });

  it('is no stranger’s to a scope of another name: that one is refused', async () => {
    const { apply, destroy, write } = await open(kept);
    await apply();
    await destroy();
    await write(planOf(kept.replace('name: ${ctx.scope}', 'name: pr-12')));
    expect((await apply({ scope: 'pr-13' })).error?.code).toBe('RESOURCE_FOREIGN');
  });
});
