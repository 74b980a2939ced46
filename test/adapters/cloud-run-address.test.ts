import { type CloudRunWorld, cloudRun } from 'pilotfish-sandbox/google-cloud-run/index';
import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { stripe } from 'pilotfish-sandbox/stripe/index';
import { expect, onTestFinished, test } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';

const place = { project: 'acme-shop', location: 'europe-west1', service: 'shop' };

/** A webhook of the tag's address, whose secret the revision has from its beginning. */
async function open(change: { readonly tag?: string; readonly address?: unknown } = {}) {
  const clock = new LeapingClock();
  const google: Simulation<CloudRunWorld> = cloudRun({ clock });
  google.world.addService('shop');
  const payments = stripe({ clock });
  const { tag = 'pr-12', address = { from: 'address.hostname' } } = change;
  const changes = [
    { id: 'address', adapter: 'cloud_run', op: 'address', ...place, tag },
    { id: 'payments', recipe: 'stripe.webhook_endpoint', name: 'shop-pr-12', url: { from: 'address.url' }, enabled_events: ['*'] },
    {
      id: 'revision',
      adapter: 'cloud_run',
      op: 'revision',
      ...place,
      tag,
      image: 'web/shop:1',
      env: { STRIPE_WEBHOOK_SECRET: { from: 'payments.secret' } },
      address,
    },
    { id: 'told', recipe: 'stripe.webhook_endpoint', name: 'told', url: { from: 'revision.url' }, enabled_events: ['*'] },
  ];
  const providers = { cloud_run: { auth: { bearer_env: 'GOOGLE_TOKEN' } } };
  const stage = await openStage({
    simulations: [google, payments],
    clock,
    env: { GOOGLE_TOKEN: google.tokens.full, STRIPE_SECRET_KEY: payments.tokens.full },
    plan: JSON.stringify({ version: 1, providers, changes }),
  });
  onTestFinished(async () => {
    await stage.close();
    verifyHandled([google, payments]);
    expectContracts([google, payments]);
  });
  const urls = () => payments.world.endpoints().map(({ url }) => url);
  return { stage, google, payments, urls };
}

const host = 'pr-12---shop-7xk2p3qjza-eu.a.run.app';

test('the address of a tag is known before its revision, which has the secret of the webhook and answers there', async () => {
  const { stage, payments, urls } = await open();
  const { ok, outputs } = await stage.apply();
  expect({ ok, address: outputs?.address }).toEqual({ ok: true, address: { hostname: host, url: `https://${host}` } });
  expect(urls()).toHaveLength(2);
  expect(payments.world.byUrl(`https://${host}/api/webhooks/stripe`)).toBeDefined();
  const seen = stage.watch();
  expect((await stage.apply()).lines.map(({ verdict }) => verdict)).toEqual(['none', 'none', 'none', 'none']);
  expect(seen.writes()).toEqual([]);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(urls()).toEqual([]);
});

test('a revision that answers elsewhere fails its line in every run, is recorded all the same, and a destroy removes it', async () => {
  const { stage, urls } = await open({ address: 'pr-12---shop-somebody-eu.a.run.app' });
  for (const run of ['first', 'second']) {
    const { lines } = await stage.apply();
    expect(lines.find(({ id }) => id === 'revision')?.error, run).toMatchObject({
      code: 'ADDRESS_DIFFERS',
      detail: expect.stringContaining(`It has ${host}.`),
    });
    expect(urls()).toHaveLength(1);
  }
  expect([...(await stage.ledger()).records.values()].map(({ line }) => line).toSorted()).toEqual(['payments', 'revision']);
  expect(await stage.destroy()).toMatchObject({ ok: true, status: 'complete' });
  expect([urls(), (await stage.ledger()).records.size]).toEqual([[], 0]);
});

test('a tag that is too long for a label is refused', async () => {
  const { stage } = await open({ tag: 'p'.repeat(50) });
  expect((await stage.plan()).lines[0]?.error).toMatchObject({ code: 'PARAM_INVALID', detail: expect.stringContaining('characters') });
});
