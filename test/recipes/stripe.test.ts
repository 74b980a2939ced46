import type { Coupon, Price } from 'pilotfish-sandbox/stripe/catalogue';
import { stripe } from 'pilotfish-sandbox/stripe/index';
import { newProduct, type Product } from 'pilotfish-sandbox/stripe/products';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

const url = 'https://pr-12.acme.example';
const name = 'shop-pr-12';
const blind = {
  blind: 'the key of another account reads an empty list, as an empty account does',
  blindDestroy: 'the key of another account reads an empty list, as an empty account does',
};

describeRecipe('stripe.webhook_endpoint', {
  simulate: stripe,
  subject: ({ world }) => {
    if (world.endpoints().length === 0)
      world.addEndpoint('https://pr-13.acme.example/hook', { metadata: { pilotfish_name: 'shop-pr-13' } });
    const mine = () => world.endpoints().filter(({ metadata }) => metadata.pilotfish_name === name);
    const isOfCrowd = ({ description }: { readonly description: string | null }) => description === 'crowd';
    return {
      credential: 'STRIPE_SECRET_KEY',
      params: { name, url, enabled_events: ['invoice.paid', 'charge.failed'], description: 'preview 12', api_version: '2026-07-29.dahlia' },
      mine,
      others: () => world.endpoints().filter((one) => one.metadata.pilotfish_name !== name && !isOfCrowd(one)),
      stands: {
        url: `${url}/api/webhooks/stripe`,
        enabled_events: ['invoice.paid', 'charge.failed'],
        description: 'preview 12',
        status: 'enabled',
        api_version: '2026-07-29.dahlia',
      },
      edits: {
        url: { url: 'https://elsewhere.example/hook' },
        enabled_events: { enabled_events: ['*'] },
        description: { description: null },
        status: { status: 'disabled' },
      },
      same: { enabled_events: { enabled_events: ['charge.failed', 'invoice.paid'] } },
      changes: {
        url: { url: 'https://pr-12b.acme.example' },
        enabled_events: { enabled_events: ['invoice.paid'] },
        description: { description: 'preview 12, changed' },
      },
      fixed: { api_version: { api_version: '2026-06-30.clover' } },
      undeclared: { metadata: { team: 'payments' } },
      remove: () => {
        for (const { id } of mine()) world.removeEndpoint(id);
      },
      fill: () => Object.assign(world.state, { endpointLimit: 1 }),
      foreign: () => world.addEndpoint(`${url}/api/webhooks/stripe`, { metadata: { pilotfish_name: name } }),
      // The newest come first, a hundred at a time.
      crowd: {
        fill: () => {
          for (let n = 0; n < 150; n += 1) world.addEndpoint(`https://pr-${100 + n}.acme.example/hook`, { description: 'crowd' });
        },
        looks: 2,
      },
      gives: () => Object.fromEntries(mine().map(({ secret }) => ['secret', secret])),
      secrets: () => world.endpoints().map(({ secret }) => secret),
    };
  },
  skip: { ...blind, 'untidy unsent-reset': 'an update leaves what it does not carry as it is' },
});

const makeProduct = (id: string, more: Partial<Product> = {}): Product =>
  Object.assign(newProduct(id, { livemode: false, now: 1_790_000_000_000 }), { name: id }, more);

describeRecipe('stripe.product', {
  simulate: stripe,
  subject: ({ world: { state } }) => {
    const id = 'shop-pr-12';
    state.products.push(makeProduct('shop-pr-13'), makeProduct('shop-pr-14', { active: false }));
    const mine = () => state.products.filter((one) => one.id === id && one.active);
    return {
      credential: 'STRIPE_SECRET_KEY',
      params: {
        ...{ product_id: id, name: 'Shop preview 12', description: 'The monthly box', images: ['https://img.acme.example/box.png'] },
        ...{ shippable: true, statement_descriptor: 'ACME SHOP', tax_code: 'txcd_10000000', unit_label: 'box' },
        url: 'https://pr-12.acme.example',
      },
      mine,
      others: () => state.products.filter((one) => one.id !== id),
      stands: {
        ...{ id, active: true, name: 'Shop preview 12', description: 'The monthly box', images: ['https://img.acme.example/box.png'] },
        ...{ shippable: true, statement_descriptor: 'ACME SHOP', tax_code: 'txcd_10000000', unit_label: 'box' },
        ...{ url: 'https://pr-12.acme.example', metadata: { pilotfish_scope: 'preview/pr-12' } },
      },
      edits: {
        name: { name: 'Theirs' },
        description: { description: null },
        images: { images: [] },
        shippable: { shippable: null },
        statement_descriptor: { statement_descriptor: 'OTHER' },
        tax_code: { tax_code: 'txcd_20030000' },
        unit_label: { unit_label: 'crate' },
        url: { url: null },
      },
      changes: {
        name: { name: 'Shop preview 12, changed' },
        images: { images: ['https://img.acme.example/crate.png'] },
        shippable: { shippable: false },
      },
      undeclared: { marketing_features: [{ name: 'Free delivery' }] },
      remove: () => {
        for (const one of mine()) one.active = false;
      },
      foreign: () => {
        state.products = [...state.products.filter((one) => one.id !== id), makeProduct(id)];
      },
      requests: { create: 'POST /v1/products', remove: 'POST /v1/products/{product}' },
    };
  },
  skip: { ...blind, twoMatches: 'an account has one product of an id' },
});

/** One product, and a price of it. */
async function openShop() {
  const simulation = stripe();
  const stage = await openStage({
    simulations: [simulation],
    env: { STRIPE_SECRET_KEY: simulation.tokens.full },
    plan: JSON.stringify({
      version: 1,
      changes: [
        { id: 'shop', recipe: 'stripe.product', product_id: 'shop-pr-12', name: 'Shop' },
        { id: 'box', recipe: 'stripe.price', lookup_key: 'box', product: { from: 'shop.id' }, currency: 'eur', unit_amount: 900 },
      ],
    }),
  });
  const product = () => simulation.world.state.products.find(({ id }) => id === 'shop-pr-12');
  return { simulation, stage, state: simulation.world.state, product };
}

it('a product that destroy archived is made active by the next apply, and by a third', async () => {
  const { stage, product } = await openShop();
  for (const round of [1, 2, 3]) {
    expect(await stage.apply(), String(round)).toMatchObject({ ok: true, lines: [{ verdict: 'create' }, { verdict: 'create' }] });
    expect(product()).toMatchObject({ active: true, name: 'Shop' });
    expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }, { verdict: 'none' }] });
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(product()).toMatchObject({ active: false });
    expect((await stage.ledger()).records.size).toBe(0);
  }
  await stage.close();
});

it('a product that somebody archived is missing and made active; one made anew is the same', async () => {
  const { stage, product } = await openShop();
  await stage.apply();
  Object.assign(product() ?? {}, { active: false, name: 'Old' });
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'create', drift: 'missing' }, {}] });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(product()).toMatchObject({ active: true, name: 'Shop' });
  expect(await stage.apply({ recreate: ['shop'] })).toMatchObject({ ok: true });
  expect(product()).toMatchObject({ active: true, name: 'Shop' });
  await stage.close();
});

it.each([
  ['by hand', {}],
  ['by another scope', { pilotfish_scope: 'preview/pr-13' }],
])('a product of that id that was archived %s is foreign, and stays archived', async (_, metadata) => {
  const { stage, state, product } = await openShop();
  state.products.push(makeProduct('shop-pr-12', { active: false, metadata, name: 'Theirs' }));
  const before = structuredClone(product());
  expect(await stage.apply()).toMatchObject({ ok: false, lines: [{ error: { code: 'RESOURCE_FOREIGN' } }, {}] });
  const { intents, records } = await stage.ledger();
  expect([intents.size, records.size]).toEqual([0, 0]);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(product()).toEqual(before);
  await stage.close();
});

it('a product that is made active and whose answer is lost is claimed by its mark', async () => {
  const { stage, simulation, product } = await openShop();
  await stage.apply();
  await stage.destroy();
  simulation.faults.loseAnswer('POST /v1/products/{product}');
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(product()).toMatchObject({ active: true });
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }, { verdict: 'none' }] });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(product()).toMatchObject({ active: false });
  await stage.close();
});

const makePrice = (lookup_key: string, more: Readonly<Record<string, unknown>> = {}): Price => ({
  ...{ id: `price_${lookup_key}_${Object.keys(more).length}`, object: 'price', created: 1_790_000_000, livemode: false, active: true },
  ...{ billing_scheme: 'per_unit', currency: 'eur', product: 'prod_shop', unit_amount: 500, unit_amount_decimal: '500', type: 'one_time' },
  ...{ nickname: null, tax_behavior: 'unspecified', recurring: null, tiers_mode: null, transform_quantity: null, custom_unit_amount: null },
  lookup_key,
  metadata: {},
  ...more,
});

describeRecipe('stripe.price', {
  simulate: stripe,
  subject: ({ world }) => {
    const key = 'shop-pr-12-monthly';
    const { state } = world;
    // Archived by an earlier scope of this name, it holds the key unseen.
    state.prices.push(makePrice('shop-pr-13-monthly'), makePrice(key, { id: 'price_archived', active: false }));
    const isOther = ({ id }: Price) => id === 'price_archived' || id.startsWith('price_shop-pr-13');
    const mine = () => state.prices.filter((one) => one.active && !isOther(one) && one.nickname !== 'crowd');
    return {
      credential: 'STRIPE_SECRET_KEY',
      params: {
        ...{ lookup_key: key, product: 'prod_shop', currency: 'eur', unit_amount: 900, nickname: 'monthly' },
        ...{ interval: 'month', interval_count: 1, usage_type: 'licensed', tax_behavior: 'inclusive' },
      },
      mine,
      // The key of the archived one is what the create takes.
      others: () => state.prices.filter(isOther).map(({ lookup_key: _, ...one }) => one),
      stands: {
        ...{ lookup_key: key, product: 'prod_shop', currency: 'eur', unit_amount: 900, nickname: 'monthly', tax_behavior: 'inclusive' },
        recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed' },
      },
      edits: { nickname: { nickname: null } },
      changes: { nickname: { nickname: 'monthly, changed' } },
      fixed: {
        product: { product: 'prod_other' },
        currency: { currency: 'usd' },
        unit_amount: { unit_amount: 1200 },
        '/recurring/interval': { interval: 'year' },
        '/recurring/interval_count': { interval_count: 3 },
        '/recurring/usage_type': { usage_type: 'metered' },
        tax_behavior: { tax_behavior: 'exclusive' },
      },
      undeclared: { metadata: { team: 'payments' } },
      remove: () => {
        for (const one of mine()) one.active = false;
      },
      foreign: () => state.prices.push(makePrice(key, { id: `price_theirs_${state.prices.length}` })),
      // A key is asked for by its text.
      crowd: {
        fill: () => {
          for (let n = 0; n < 30; n += 1) state.prices.push(makePrice(`shop-pr-${100 + n}`, { nickname: 'crowd' }));
        },
        looks: 1,
      },
      requests: { create: 'POST /v1/prices', remove: 'POST /v1/prices/{price}' },
    };
  },
  skip: blind,
});

describeRecipe('stripe.coupon', {
  simulate: stripe,
  subject: ({ world }) => {
    const { state } = world;
    const id = 'PR12WELCOME';
    const add = (one: string): Coupon => {
      const coupon: Coupon = {
        ...{ id: one, object: 'coupon', created: 1_790_000_000, livemode: false, name: null, metadata: {}, times_redeemed: 0, valid: true },
        ...{ percent_off: 10, amount_off: null, currency: null, duration: 'once', duration_in_months: null },
        ...{ max_redemptions: null, redeem_by: null },
      };
      state.coupons.push(coupon);
      return coupon;
    };
    add('PR13WELCOME');
    const mine = () => state.coupons.filter((one) => one.id === id);
    return {
      credential: 'STRIPE_SECRET_KEY',
      params: {
        ...{ coupon_id: id, name: 'Welcome', amount_off: 500, currency: 'eur', duration: 'repeating', duration_in_months: 3 },
        ...{ max_redemptions: 100, redeem_by: 1_900_000_000, products: ['prod_shop'] },
      },
      mine,
      others: () => state.coupons.filter((one) => one.id !== id),
      stands: {
        ...{ name: 'Welcome', percent_off: null, amount_off: 500, currency: 'eur', duration: 'repeating', duration_in_months: 3 },
        ...{ max_redemptions: 100, redeem_by: 1_900_000_000, applies_to: { products: ['prod_shop'] } },
      },
      edits: { name: { name: 'Theirs' } },
      changes: { name: { name: 'Welcome back' } },
      undeclared: { metadata: { team: 'payments' } },
      unseen: Object.fromEntries(
        ['amount_off', 'currency', 'duration', 'duration_in_months', 'max_redemptions', 'redeem_by', '/applies_to/products'].map(
          (field) => [field, 'nobody can change the discount of a coupon that is there'],
        ),
      ),
      remove: () => {
        state.coupons = state.coupons.filter((one) => one.id !== id);
      },
      foreign: () => add(id),
      isUnique: true,
    };
  },
  skip: { ...blind, twoMatches: 'an account has one coupon of an id' },
});
