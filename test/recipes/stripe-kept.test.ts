import { stripe } from 'pilotfish-sandbox/stripe/index';
import { expect, it } from 'vitest';
import { livesOn, staysQuiet } from '../support/suite/kept.ts';

type World = ReturnType<typeof stripe>['world'];

const product_id = 'shop-pr-12';
const images = ['https://img.acme.example/box.png'];

/** The product of a scope, which a destroy archives. */
const livesAsProduct = (params: object, then: Parameters<typeof livesOn<World>>[3]) =>
  livesOn(
    'stripe.product',
    stripe,
    ({ world: { state } }) => ({
      credential: 'STRIPE_SECRET_KEY',
      params: { product_id, name: 'Shop', ...params },
      mine: () => state.products.filter(({ id, active }) => id === product_id && active),
      others: () => state.products.filter(({ id }) => id !== product_id),
      stands: { name: 'Shop' },
      edits: { name: { name: 'Theirs' } },
    }),
    then,
  );

it('metadata of others outlive a change and a destroy, because keys that are not sent stay', async () => {
  await livesOn(
    'stripe.webhook_endpoint',
    stripe,
    ({ world }) => {
      world.addEndpoint('https://pr-13.acme.example/hook', { metadata: { pilotfish_name: 'shop-pr-13' } });
      return {
        credential: 'STRIPE_SECRET_KEY',
        params: { name: 'shop-pr-12', url: 'https://pr-12.acme.example', enabled_events: ['invoice.paid'] },
        mine: () => world.endpoints().filter(({ metadata }) => metadata.pilotfish_name === 'shop-pr-12'),
        others: () => world.endpoints().filter(({ metadata }) => metadata.pilotfish_name !== 'shop-pr-12'),
        stands: { status: 'enabled' },
        edits: { metadata: { metadata: { team: 'payments' }, enabled_events: ['*'] } },
      };
    },
    async (bench) => {
      expect(bench.one()).toMatchObject({ metadata: { team: 'payments', pilotfish_name: 'shop-pr-12' } });
      await bench.change({ description: 'preview 12' });
      await bench.applied();
      expect(bench.one()).toMatchObject({ metadata: { team: 'payments', pilotfish_name: 'shop-pr-12' } });
    },
  );
  await livesAsProduct({}, async (bench, { world }) => {
    Object.assign(bench.one() ?? {}, { metadata: { team: 'payments', pilotfish_scope: 'preview/pr-12' } });
    await bench.change({ name: 'Shop 12' });
    await bench.applied();
    expect(await bench.destroy()).toMatchObject({ ok: true });
    const [archived] = world.state.products;
    expect(archived).toMatchObject({ active: false, metadata: { team: 'payments', pilotfish_scope: 'preview/pr-12' } });
  });
});

it('a product is archived and never deleted, and an empty list of images clears what stood there', () =>
  livesAsProduct({ images, description: 'The monthly box' }, async (bench, { world, log }) => {
    expect(bench.one()).toMatchObject({ images, description: 'The monthly box' });
    await bench.change({ images: [] });
    await bench.applied();
    expect(bench.one()).toMatchObject({ images: [] });
    await staysQuiet(bench);
    Object.assign(bench.one() ?? {}, { images });
    expect(await bench.planned()).toMatchObject({ drift: 'changed' });
    await bench.applied();
    expect(bench.one()).toMatchObject({ images: [] });
    expect(await bench.destroy()).toMatchObject({ ok: true });
    expect(world.state.products).toMatchObject([{ id: product_id, active: false }]);
    expect(log.filter(({ method }) => method === 'DELETE')).toEqual([]);
  }));

it('a coupon of which the plan leaves the duration lasts once, and that is no drift', () =>
  livesOn('stripe.coupon', stripe, ({ world: { state } }) => ({
    credential: 'STRIPE_SECRET_KEY',
    params: { coupon_id: 'PR12WELCOME', name: 'Welcome', percent_off: 25, duration: { keep: true } },
    mine: () => state.coupons.filter(({ id }) => id === 'PR12WELCOME'),
    others: () => state.coupons.filter(({ id }) => id !== 'PR12WELCOME'),
    stands: { duration: 'once', percent_off: 25 },
    edits: { name: { name: 'Theirs' } },
  })));
