import { stripe } from 'pilotfish-sandbox/stripe/index';
import { expect, it } from 'vitest';
import { openStage } from '../support/stage.ts';

const endpoint = {
  ...{ id: 'hook', recipe: 'stripe.webhook_endpoint', name: 'shop-pr-12', url: 'https://pr-12.acme.example' },
  enabled_events: ['invoice.paid'],
};
const price = {
  ...{ id: 'box', recipe: 'stripe.price', lookup_key: 'box', product: 'prod_shop', currency: 'eur' },
  ...{ unit_amount: 900, nickname: 'monthly' },
};
const product = { id: 'shop', recipe: 'stripe.product', product_id: 'shop-pr-12', name: 'Shop' };
const coupon = { id: 'off', recipe: 'stripe.coupon', coupon_id: 'PR12', name: 'Welcome', percent_off: 25 };

/** A plan of one line, at an account whose key is `full`. */
async function openLine(
  line: object,
  { full, env = {} }: { readonly full?: string; readonly env?: Readonly<Record<string, string>> } = {},
) {
  const simulation = stripe(full === undefined ? {} : { tokens: { full } });
  const planOf = (more: object) => JSON.stringify({ version: 1, changes: [{ ...line, ...more }] });
  const stage = await openStage({
    simulations: [simulation],
    env: { STRIPE_SECRET_KEY: simulation.tokens.full, ...env },
    plan: planOf({}),
  });
  return { simulation, stage, state: simulation.world.state, change: (more: object) => stage.write(planOf(more)) };
}

it.each(['sk_live_full0123456789abcdef', 'rk_live_full0123456789abcdef'])(
  'a live key is refused before any request, unless somebody says that it is meant: %s',
  async (full) => {
    for (const line of [endpoint, product, price, coupon]) {
      const { simulation, stage } = await openLine(line, { full });
      await expect(stage.apply()).rejects.toThrow('PROVIDER_AUTH');
      expect(simulation.log).toEqual([]);
      await stage.close();
      const meant = await openLine(line, { full, env: { PILOTFISH_ALLOW_LIVE_STRIPE: '1' } });
      expect(await meant.stage.apply()).toMatchObject({ ok: true });
      await meant.stage.close();
    }
  },
);

it('an endpoint whose answer was lost is asked for again under the same key, so that its secret is known', async () => {
  const { simulation, stage, state } = await openLine(endpoint);
  const lost = simulation.faults.loseAnswer('POST /v1/webhook_endpoints');
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(lost.hits).toBe(1);
  expect(state.endpoints).toHaveLength(1);
  expect(stage.masked.has(state.endpoints[0]?.secret ?? 'none'), 'the run knows the secret').toBe(true);
  await stage.close();
});

it('a price whose answer was lost is asked for again under the same key, and made once', async () => {
  const { simulation, stage, state } = await openLine(price);
  const lost = simulation.faults.loseAnswer('POST /v1/prices');
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(lost.hits).toBe(1);
  expect(simulation.writes()).toHaveLength(2);
  expect(Object.keys(state.answers)).toHaveLength(1);
  expect(state.prices).toHaveLength(1);
  await stage.close();
});

it('an endpoint whose status is left alone stays disabled when something else of it is changed, and the other way round', async () => {
  const { simulation, stage, state, change } = await openLine({ ...endpoint, description: 'preview 12' });
  await stage.apply();
  const [mine] = state.endpoints;
  if (!mine) throw new Error('nothing was made');
  mine.status = 'disabled';
  const written = async () => {
    const before = simulation.writes().length;
    expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
    return simulation.writes().length - before;
  };
  expect(await written(), 'writes that enable it').toBe(1);
  expect(mine).toMatchObject({ status: 'enabled', description: 'preview 12' });
  mine.status = 'disabled';
  await change({ status: { keep: true }, description: 'preview 12, changed' });
  expect(await written(), 'writes that describe it').toBe(1);
  expect(mine).toMatchObject({ status: 'disabled', description: 'preview 12, changed' });
  await stage.close();
});

it.each([
  ['product', product],
  ['coupon', coupon],
])('a %s that is gone is missing also for a key that may not see webhook endpoints', async (_, line) => {
  const { simulation, stage, state } = await openLine(line);
  await stage.apply();
  Object.assign(state, { products: [], coupons: [] });
  const error = { type: 'invalid_request_error', message: 'The provided key does not have the required permissions for this endpoint.' };
  simulation.faults.times(9, 'GET /v1/webhook_endpoints', 403, { error });
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'create', drift: 'missing' }] });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect((await stage.ledger()).records.size).toBe(0);
  await stage.close();
});

it('a coupon of so many percent keeps them when it is renamed, and is made anew for others', async () => {
  const { simulation, stage, state, change } = await openLine(coupon);
  await stage.apply();
  await change({ name: 'Welcome back' });
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
  expect(simulation.writes().at(-1)?.body).toEqual([['name', 'Welcome back']]);
  await change({ percent_off: 30 });
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'replace' }] });
  expect(state.coupons).toMatchObject([{ id: 'PR12', name: 'Welcome', percent_off: 30 }]);
  await stage.close();
});

it('a coupon that somebody makes before this run does, and takes away at once, is told as a conflict', async () => {
  const { simulation, stage, state } = await openLine(coupon);
  const { id: _, recipe: __, coupon_id: id, ...more } = coupon;
  simulation.watch(({ phase, write }) => {
    if (write) state.coupons = phase === 'before' ? [{ ...more, id, object: 'coupon', livemode: false, metadata: {} }] : [];
  });
  expect(await stage.apply()).toMatchObject({
    ok: false,
    error: {
      code: 'PROVIDER_CONFLICT',
      detail: expect.stringContaining('Coupon already exists'),
      fix: expect.stringContaining('another name'),
    },
  });
  const { intents, records } = await stage.ledger();
  expect([intents.size, records.size]).toEqual([0, 0]);
  await stage.close();
});
