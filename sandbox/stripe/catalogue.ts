import { type Call, type Nested, type Reply, route } from '../kit/index.ts';
import { invalid, noSuch } from './errors.ts';
import { once, type Remembered } from './idempotency.ts';
import { pageOf } from './list.ts';
import { listOf, mergeMetadata, type ParamKind, type Params, readParams, readQuery, textOf } from './params.ts';

/** A price as every answer shows it. There is no delete: an archived one stays, and keeps its lookup key. */
export interface Price extends Record<string, unknown> {
  readonly id: string;
  readonly livemode: boolean;
  active: boolean;
  lookup_key: string | null;
  metadata: Readonly<Record<string, string>>;
}

export interface Coupon extends Record<string, unknown> {
  readonly id: string;
  readonly livemode: boolean;
  name: string | null;
  metadata: Readonly<Record<string, string>>;
}

/** In the order they were made. */
export interface Catalogue {
  prices: Price[];
  coupons: Coupon[];
}

type State = Catalogue & { readonly answers: Remembered };

interface Parts<S> {
  readonly answer: (call: Call<S, unknown>, act: () => unknown) => Reply;
  readonly isLive: (call: Call<S, unknown>) => boolean;
  readonly newId: (prefix: string) => string;
}

const priceChanges: Kinds = {
  active: 'boolean',
  lookup_key: 'text',
  transfer_lookup_key: 'boolean',
  nickname: 'text',
  tax_behavior: 'text',
};
const priceKinds: Kinds = {
  ...priceChanges,
  currency: 'text',
  product: 'text',
  recurring: 'map',
  unit_amount: 'text',
  billing_scheme: 'text',
};
const couponKinds: Kinds = {
  ...{ id: 'text', name: 'text', percent_off: 'text', amount_off: 'text', currency: 'text', duration: 'text' },
  ...{ duration_in_months: 'text', max_redemptions: 'text', redeem_by: 'text', applies_to: 'group' },
};
type Kinds = Readonly<Record<string, ParamKind>>;
const common: Kinds = { metadata: 'map', expand: 'list' };

/** Prices and coupons (the vendor's published description, API version 2026-07-29.dahlia). */
export function catalogueRoutes<S extends State>({ answer, isLive, newId }: Parts<S>) {
  const seen = <T extends { readonly livemode: boolean }>(call: Call<S, unknown>, all: readonly T[]): readonly T[] =>
    all.filter(({ livemode }) => livemode === isLive(call));
  const oneOf = <T extends { readonly id: string; readonly livemode: boolean }>(
    call: Call<S, unknown>,
    all: readonly T[],
    id: string,
    what: string,
  ): T => {
    const found = seen(call, all).find((one) => one.id === id);
    if (!found) throw noSuch(id, what, 404, what);
    return found;
  };
  const write = (call: Call<S, unknown>, act: () => unknown): Reply => once(call, () => answer(call, act));

  return [
    route<S, '/v1/prices'>('GET', '/v1/prices', (call) =>
      answer(call, () => {
        const keys = [...call.query.getAll('lookup_keys[]'), ...call.query.getAll('lookup_keys')];
        // Archived ones are shown only to who asks for them.
        const active = call.query.get('active') !== 'false';
        const all = seen(call, call.state.prices).filter(
          (one) => one.active === active && (keys.length === 0 || keys.includes(one.lookup_key ?? '')),
        );
        return pageOf(call, all, '/v1/prices', ['lookup_keys', 'active', 'product', 'type', 'currency']);
      }),
    ),
    route<S, '/v1/prices'>('POST', '/v1/prices', (call) =>
      write(call, () => {
        const params = readParams(call, { ...common, ...priceKinds }, ['currency', 'product']);
        const price = makePrice(params, { id: newId('price'), livemode: isLive(call), now: call.now });
        takeKey(call.state, price, params);
        call.state.prices.push(price);
        return price;
      }),
    ),
    route<S, '/v1/prices/{price}'>('GET', '/v1/prices/{price}', (call) =>
      answer(call, () => oneOf(call, call.state.prices, call.params.price, 'price')),
    ),
    route<S, '/v1/prices/{price}'>('POST', '/v1/prices/{price}', (call) =>
      write(call, () => {
        const params = readParams(call, { ...common, ...priceChanges });
        const price = oneOf(call, call.state.prices, call.params.price, 'price');
        takeKey(call.state, price, params);
        if (params.active !== undefined) price.active = params.active === 'true';
        if (params.nickname !== undefined) price.nickname = textOf(params.nickname) || null;
        if (params.tax_behavior !== undefined) price.tax_behavior = params.tax_behavior;
        price.metadata = mergeMetadata(price.metadata, params.metadata);
        return price;
      }),
    ),

    route<S, '/v1/coupons'>('GET', '/v1/coupons', (call) =>
      answer(call, () => pageOf(call, seen(call, call.state.coupons).map(couponAnswer), '/v1/coupons')),
    ),
    route<S, '/v1/coupons'>('POST', '/v1/coupons', (call) =>
      write(call, () => {
        const params = readParams(call, { ...common, ...couponKinds });
        const id = textOf(params.id) ?? newId('coupon');
        if (seen(call, call.state.coupons).some((one) => one.id === id))
          throw invalid('Coupon already exists.', { code: 'resource_already_exists', param: 'id' });
        const coupon = makeCoupon(params, { id, livemode: isLive(call), now: call.now });
        call.state.coupons.push(coupon);
        return couponAnswer(coupon);
      }),
    ),
    route<S, '/v1/coupons/{coupon}'>('GET', '/v1/coupons/{coupon}', (call) =>
      answer(call, () => {
        readQuery(call, ['expand']);
        return couponAnswer(oneOf(call, call.state.coupons, call.params.coupon, 'coupon'));
      }),
    ),
    route<S, '/v1/coupons/{coupon}'>('POST', '/v1/coupons/{coupon}', (call) =>
      write(call, () => {
        const params = readParams(call, { ...common, name: 'text' });
        const coupon = oneOf(call, call.state.coupons, call.params.coupon, 'coupon');
        if (params.name !== undefined) coupon.name = nameOf(params);
        coupon.metadata = mergeMetadata(coupon.metadata, params.metadata);
        return couponAnswer(coupon);
      }),
    ),
    route<S, '/v1/coupons/{coupon}'>('DELETE', '/v1/coupons/{coupon}', (call) =>
      answer(call, () => {
        const gone = oneOf(call, call.state.coupons, call.params.coupon, 'coupon');
        call.state.coupons = call.state.coupons.filter((one) => one !== gone);
        return { id: gone.id, object: 'coupon', deleted: true };
      }),
    ),
  ];
}

interface Born {
  readonly id: string;
  readonly livemode: boolean;
  readonly now: number;
}

function makePrice(params: Params, { id, livemode, now }: Born): Price {
  const recurring = params.recurring === undefined ? null : (params.recurring as Readonly<Record<string, string>>);
  if (recurring && !['day', 'week', 'month', 'year'].includes(recurring.interval ?? ''))
    throw invalid('Invalid interval: must be one of day, month, week, or year', { param: 'recurring[interval]' });
  const currency = currencyOf(params.currency);
  const amount = numberOf(params.unit_amount, 'unit_amount', 0);
  if (amount === null) throw invalid('You must pass unit_amount.', { code: 'parameter_missing', param: 'unit_amount' });
  return {
    ...{ id, object: 'price', created: Math.floor(now / 1000), livemode, active: params.active !== 'false', billing_scheme: 'per_unit' },
    ...{ currency, product: textOf(params.product), unit_amount: amount, unit_amount_decimal: String(amount) },
    ...{ nickname: textOf(params.nickname) ?? null, tax_behavior: textOf(params.tax_behavior) ?? 'unspecified' },
    ...{ tiers_mode: null, transform_quantity: null, custom_unit_amount: null, type: recurring ? 'recurring' : 'one_time' },
    lookup_key: null,
    metadata: mergeMetadata({}, params.metadata),
    recurring: recurring && {
      interval: recurring.interval,
      interval_count: Number(recurring.interval_count ?? '1'),
      usage_type: recurring.usage_type ?? 'licensed',
      meter: recurring.meter ?? null,
    },
  };
}

/** Gives a price its lookup key; where another price holds it, archived or not, only with the order to take it. */
function takeKey(state: State, price: Price, params: Params): void {
  const key = textOf(params.lookup_key);
  if (key === undefined) return;
  if (key.length > 200) throw invalid('Invalid string: lookup_key must be at most 200 characters', { param: 'lookup_key' });
  const holder = state.prices.find((one) => one !== price && one.livemode === price.livemode && one.lookup_key === key);
  if (holder && params.transfer_lookup_key !== 'true')
    throw invalid(`A price (\`${holder.id}\`) already uses that lookup key.`, { param: 'lookup_key' });
  if (holder) holder.lookup_key = null;
  price.lookup_key = key === '' ? null : key;
}

function makeCoupon(params: Params, { id, livemode, now }: Born): Coupon {
  const [percent, amount] = [numberOf(params.percent_off, 'percent_off', 0), numberOf(params.amount_off, 'amount_off', 1)];
  if ((percent === null) === (amount === null)) throw invalid('You must pass either percent_off or amount_off.');
  if (percent !== null && percent > 100) throw invalid('Invalid percent_off: must be at most 100', { param: 'percent_off' });
  const duration = textOf(params.duration) ?? 'once';
  const months = numberOf(params.duration_in_months, 'duration_in_months', 1);
  if ((duration === 'repeating') !== (months !== null)) throw invalid('duration_in_months goes with the duration repeating.');
  const { products } = (params.applies_to ?? {}) as { readonly products?: Nested };
  return {
    ...{ id, object: 'coupon', created: Math.floor(now / 1000), livemode, name: nameOf(params), duration, duration_in_months: months },
    ...{ percent_off: percent, amount_off: amount, currency: amount === null ? null : currencyOf(params.currency) },
    ...{ max_redemptions: numberOf(params.max_redemptions, 'max_redemptions', 1), redeem_by: numberOf(params.redeem_by, 'redeem_by', 0) },
    ...{ times_redeemed: 0, valid: true, metadata: mergeMetadata({}, params.metadata) },
    ...(products !== undefined && { applies_to: { products: listOf(products) } }),
  };
}

/** What a coupon applies to is in no answer that was not asked to expand it. */
const couponAnswer = ({ applies_to: _, ...coupon }: Coupon): Readonly<Record<string, unknown>> => coupon;

function nameOf(params: Params): string | null {
  const name = textOf(params.name) ?? '';
  if (name.length > 40) throw invalid('Invalid string: name must be at most 40 characters', { param: 'name' });
  return name || null;
}

function numberOf(value: Nested | undefined, param: string, least: number): number | null {
  if (value === undefined) return null;
  const number = Number(value);
  if (Number.isNaN(number) || number < least || (param !== 'percent_off' && !Number.isInteger(number)))
    throw invalid(`Invalid number: ${param}`, { code: 'parameter_invalid_integer', param });
  return number;
}

function currencyOf(value: Nested | undefined): string {
  const currency = textOf(value) ?? '';
  if (!/^[a-z]{3}$/.test(currency)) throw invalid(`Invalid currency: ${currency}`, { param: 'currency' });
  return currency;
}
