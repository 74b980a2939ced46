import { type Call, type Reply, route } from '../kit/index.ts';
import { invalid, noSuch } from './errors.ts';
import { once, type Remembered } from './idempotency.ts';
import { pageOf } from './list.ts';
import { listOf, mergeMetadata, type ParamKind, type Params, readParams, readQuery, textOf } from './params.ts';

/** A product as every answer shows it. An archived one stays, keeps its id, and is still shown at its path. */
export interface Product extends Record<string, unknown> {
  readonly id: string;
  readonly livemode: boolean;
  active: boolean;
  metadata: Readonly<Record<string, string>>;
}

/** In the order they were made. */
export interface Products {
  products: Product[];
}

interface Parts<S> {
  readonly answer: (call: Call<S, unknown>, act: () => unknown) => Reply;
  readonly isLive: (call: Call<S, unknown>) => boolean;
  readonly newId: (prefix: string) => string;
}

/** Texts that a product has, and how long each may be. */
const texts: Readonly<Record<string, number>> = {
  name: 5000,
  description: 40_000,
  statement_descriptor: 22,
  tax_code: 5000,
  unit_label: 12,
  url: 5000,
};
const changeable: Readonly<Record<string, ParamKind>> = {
  ...Object.fromEntries(Object.keys(texts).map((name) => [name, 'text'])),
  ...{ active: 'boolean', images: 'list', shippable: 'boolean', metadata: 'map', expand: 'list' },
};

/** Products (the vendor's published description, API version 2026-07-29.dahlia). One that has prices cannot be deleted. */
export function productRoutes<S extends Products & { readonly answers: Remembered }>({ answer, isLive, newId }: Parts<S>) {
  const seen = (call: Call<S, unknown>): readonly Product[] => call.state.products.filter(({ livemode }) => livemode === isLive(call));
  const productOf = (call: Call<S, { readonly product: string }>): Product => {
    const found = seen(call).find(({ id }) => id === call.params.product);
    if (!found) throw noSuch(call.params.product, 'id', 404, 'product');
    return found;
  };
  const write = (call: Call<S, unknown>, act: () => unknown): Reply => once(call, () => answer(call, act));

  return [
    route<S, '/v1/products'>('GET', '/v1/products', (call) =>
      answer(call, () => {
        const active = call.query.get('active');
        const all = seen(call).filter((one) => active === null || String(one.active) === active);
        return pageOf(call, all, '/v1/products', ['active', 'ids', 'shippable', 'url']);
      }),
    ),
    route<S, '/v1/products'>('POST', '/v1/products', (call) =>
      write(call, () => {
        const params = readParams(call, { ...changeable, id: 'text' }, ['name']);
        const id = textOf(params.id) ?? newId('prod');
        if (seen(call).some((one) => one.id === id))
          throw invalid(`Product already exists with id ${id}`, { code: 'resource_already_exists', param: 'id' });
        const product = newProduct(id, { livemode: isLive(call), now: call.now });
        change(product, params, call.now);
        call.state.products.push(product);
        return product;
      }),
    ),
    route<S, '/v1/products/{product}'>('GET', '/v1/products/{product}', (call) =>
      answer(call, () => {
        readQuery(call, ['expand']);
        return productOf(call);
      }),
    ),
    route<S, '/v1/products/{product}'>('POST', '/v1/products/{product}', (call) =>
      write(call, () => {
        const params = readParams(call, changeable);
        const product = productOf(call);
        change(product, params, call.now);
        return product;
      }),
    ),
  ];
}

export const newProduct = (id: string, born: { readonly livemode: boolean; readonly now: number }): Product => ({
  ...{ id, object: 'product', created: Math.floor(born.now / 1000), updated: Math.floor(born.now / 1000), livemode: born.livemode },
  ...{ name: '', description: null, statement_descriptor: null, tax_code: null, unit_label: null, url: null },
  ...{ active: true, images: [], shippable: null, marketing_features: [], package_dimensions: null, default_price: null, metadata: {} },
});

/** An empty text clears what is not the name. */
function change(product: Product, params: Params, now: number): void {
  for (const [name, most] of Object.entries(texts)) {
    const value = textOf(params[name]);
    if (value === undefined) continue;
    if (value.length > most) throw invalid(`Invalid string: ${name} must be at most ${most} characters`, { param: name });
    if (name === 'name' && value === '')
      throw invalid("You passed an empty string for 'name'.", { code: 'parameter_invalid_empty', param: name });
    Object.assign(product, { [name]: value || null });
  }
  const images = params.images === '' ? [] : listOf(params.images);
  if (images && images.length > 8) throw invalid('You can only specify up to 8 images.', { param: 'images' });
  if (images) Object.assign(product, { images });
  if (params.active !== undefined) product.active = params.active === 'true';
  if (params.shippable !== undefined) Object.assign(product, { shippable: params.shippable === 'true' });
  product.metadata = mergeMetadata(product.metadata, params.metadata);
  Object.assign(product, { updated: Math.floor(now / 1000) });
}
