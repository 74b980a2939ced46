import { afterEach, describe, expect, it } from 'vitest';
import { seed } from '../simulate/all.ts';
import { ends, lines, openShop, planOf, type Shop } from './shop.ts';
import { openTown, second } from './town.ts';

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

describe('an apply that writes nothing and refuses a line, while another run destroys what it has looked at', () => {
  it('does not say that it stands', async () => {
    shop = await openShop(planOf(lines.dns));
    await shop.apply();
    await shop.write(planOf(lines.dns, lines.alias));
    const { cloudflare } = shop.world;
    const name = `www.pr-12.${seed.zone.name}`;
    cloudflare.world.addRecord(seed.zone.id, { type: 'CNAME', name, content: 'theirs.example' });
    let isOver = false;
    cloudflare.watch(async ({ phase, method }) => {
      if (phase !== 'after' || method !== 'GET' || isOver || cloudflare.log.at(-1)?.query['name.exact'] !== name) return;
      isOver = true;
      await shop.destroy();
    });
    const doc = await shop.apply();
    expect(ends(doc)).toEqual(['dns none failed LEASE_LOST', 'alias refused refused RESOURCE_FOREIGN']);
    expect(shop.records()).toMatchObject([{ content: 'theirs.example' }]);
  });
});

/** A run whose first look at the provider comes after all of another run, which began when this one had read the ledger. */
async function lookingAfter(run: (shop: Shop) => Promise<unknown>, ...changes: readonly string[]) {
  shop = await openShop(planOf(...changes));
  let isOver = false;
  shop.world.cloudflare.watch(async ({ phase, method }) => {
    if (phase !== 'before' || method !== 'GET' || isOver) return;
    isOver = true;
    await run(shop);
  });
  return shop;
}

describe('an object that another run of the scope makes after this one has read the ledger', () => {
  it('is no stranger: the apply reads the ledger again before it says so', async () => {
    await lookingAfter((one) => one.apply(), lines.dns, lines.alias, lines.callback);
    const doc = await shop.apply();
    expect(ends(doc)).toEqual(['dns none settled', 'alias none settled', 'callback none settled']);
    expect(doc.status).toBe('complete');
    expect(shop.records()).toHaveLength(2);
    expect((await shop.ledger()).records.size).toBe(3);
  });

  it('is none for a plan either', async () => {
    await lookingAfter((one) => one.apply(), lines.dns);
    const doc = await shop.plan();
    expect(doc.lines.map(({ id, verdict }) => [id, verdict])).toEqual([['dns', 'none']]);
  });

  it('stays one where the other run destroyed what it made, and somebody else made it anew', async () => {
    await lookingAfter(async (one) => {
      await one.apply();
      await one.destroy();
      one.world.cloudflare.world.addRecord(seed.zone.id, { type: 'CNAME', name: `pr-12.${seed.zone.name}`, content: 'theirs.example' });
    }, lines.dns);
    expect(ends(await shop.apply())).toEqual(['dns refused refused RESOURCE_FOREIGN']);
    expect(shop.records()).toMatchObject([{ content: 'theirs.example' }]);
  });
});

describe('a run that slept after a refused create, while another run of the scope made the object', () => {
  it('says that its lease is lost, and not that the object is a stranger', async () => {
    const town = await openTown(planOf(lines.dns));
    shop = town;
    const [sleeper, other] = [town.computer(), town.computer()];
    const create = 'POST /client/v4/zones/{zone}/dns_records';
    town.world.cloudflare.faults.once(create, 429, {}, { 'retry-after': '5' });
    sleeper.machine.at('after', 'POST', /dns_records$/, () => void town.pass(second).then(() => sleeper.machine.freeze()));
    const run = sleeper.apply();
    await sleeper.machine.stopped;
    expect((await other.apply()).status).toBe('complete');
    sleeper.machine.thaw();
    const doc = await run;
    expect(ends(doc)).toEqual(['dns create failed LEASE_LOST']);
    expect(shop.records()).toHaveLength(1);
    expect((await shop.ledger()).records.size).toBe(1);
  });
});
