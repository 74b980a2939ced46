import { newProduct } from 'pilotfish-sandbox/stripe/products';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lines, planOf } from './shop.ts';
import { openTown, type Town } from './town.ts';

/**
 * A price is found by its lookup key, which one price holds at a time: the new one takes it from the one that it replaces, and from
 * then on nobody can find that. Only the ledger still knows it.
 */
const price = (amount: number): string => `
  - id: price
    recipe: stripe.price
    lookup_key: shop-\${ctx.scope}-monthly
    product: prod_shop
    currency: eur
    unit_amount: ${amount}
    interval: month`;

let town: Town;
beforeEach(async () => {
  town = await openTown(planOf(price(900)));
  town.world.stripe.world.state.products.push(newProduct('prod_shop', { livemode: false, now: town.clock.now() }));
  expect((await town.computer().apply()).status).toBe('complete');
  await dieMidway(1200);
});
afterEach(async () => {
  town.verify();
  await town.close();
});

/** The plan asks for another amount, and the run ends when the new price holds the key and its answer is not there yet. */
async function dieMidway(amount: number): Promise<void> {
  await town.write(planOf(price(amount)));
  const dead = town.computer();
  dead.machine.at('after', 'POST', /\/v1\/prices$/, () => dead.machine.kill());
  town.abandon(dead.apply());
  await dead.machine.stopped;
}

const prices = () => town.world.stripe.world.state.prices;
const active = () => prices().flatMap(({ active: isActive, unit_amount: amount }) => (isActive ? [amount] : []));
const record = async () => {
  const [one] = (await town.ledger()).records.values();
  return one;
};

describe('an object that the claimed one hides', () => {
  it('stands beside it when the run dies, and no request finds it', () => {
    expect(active()).toEqual([900, 1200]);
    expect(prices().map(({ lookup_key: key }) => key)).toEqual([null, 'shop-pr-12-monthly']);
  });

  it('goes when the next apply has claimed the new one', async () => {
    const [old] = prices();
    const doc = await town.computer().apply();
    expect([doc.status, doc.warnings]).toEqual(['complete', []]);
    expect(prices().map(({ id, active: isActive }) => [id === old?.id, isActive])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(await record()).toMatchObject({ objectId: prices()[1]?.id, superseded: [] });
  });

  it('goes with the new one at a destroy that comes first', async () => {
    expect((await town.computer().destroy()).status).toBe('complete');
    expect(active()).toEqual([]);
    expect((await town.ledger()).records.size).toBe(0);
  });

  it('goes when the plan has changed once more by then, and so does the one that hid it', async () => {
    await town.write(planOf(price(1500)));
    expect((await town.computer().apply()).status).toBe('complete');
    expect(active()).toEqual([1500]);
    expect(await record()).toMatchObject({ superseded: [] });
  });

  it('is known beside the new one when both of two runs died, and goes', async () => {
    await dieMidway(1500);
    expect(active()).toEqual([900, 1200, 1500]);
    expect((await town.computer().destroy()).status).toBe('complete');
    expect(active()).toEqual([]);
  });

  it('stays known when the line has left the plan, until destroy', async () => {
    const [old] = prices();
    await town.write(planOf(lines.callback));
    expect((await town.computer().apply()).ok).toBe(true);
    const kept = [...(await town.ledger()).records.values()].find(({ line }) => line === 'price');
    expect(kept).toMatchObject({ objectId: prices()[1]?.id, superseded: [{ objectId: old?.id }] });
    expect((await town.computer().destroy()).status).toBe('complete');
    expect(active()).toEqual([]);
  });
});
