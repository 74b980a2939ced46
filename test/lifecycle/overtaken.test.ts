import { afterEach, describe, expect, it } from 'vitest';
import { ends, lines, openShop, planOf, type Shop } from './shop.ts';

let shop: Shop;
afterEach(async () => {
  shop.verify();
  await shop.close();
});

/** An apply of one line more, which another run overtakes between its looks and its lease. */
async function overtakenBy(run: (shop: Shop) => Promise<unknown>) {
  shop = await openShop(planOf(lines.dns));
  await shop.apply();
  await shop.write(planOf(lines.dns, lines.alias));
  const { world } = shop;
  let isOver = false;
  const stop = world.cloudflare.watch(async ({ phase, method }) => {
    // `dns` has settled when `alias` is looked for: its key comes from there.
    if (phase !== 'after' || method !== 'GET' || isOver || world.cloudflare.log.at(-1)?.query['name.exact'] !== 'www.pr-12.acme.example')
      return;
    isOver = true;
    stop();
    await run(shop);
  });
  const doc = await shop.apply();
  expect(isOver).toBe(true);
  return doc;
}

describe('an apply whose settled lines another run changed before it held the lease', () => {
  it('does not end as if they stood: a destroy took them away', async () => {
    const doc = await overtakenBy((one) => one.destroy());
    expect([doc.status, doc.error?.code]).toEqual(['failed', 'LEASE_LOST']);
    expect(ends(doc)).toEqual(['dns none failed LEASE_LOST', 'alias create settled']);
    const { records, receipt } = await shop.ledger();
    expect([records.size, receipt?.status, shop.records().length]).toEqual([1, 'failed', 1]);

    expect((await shop.apply()).status).toBe('complete');
    expect(shop.records()).toHaveLength(2);
  });

  it('ends well when the other run left them as they were', async () => {
    const doc = await overtakenBy((one) => one.apply());
    expect([doc.status, doc.error]).toEqual(['complete', undefined]);
    expect(shop.records()).toHaveLength(2);
  });
});
