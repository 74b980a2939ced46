import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { stripe } from 'pilotfish-sandbox/stripe/index';
import { expect, it } from 'vitest';
import { openStage } from '../support/stage.ts';

const planOf = (...ids: readonly string[]): string =>
  JSON.stringify({ version: 1, environments: ['preview', 'staging', 'production'], changes: ids.map(hookOf) });
const hookOf = (id: string) => ({
  id,
  recipe: 'stripe.webhook_endpoint',
  name: id,
  url: `https://${id}.acme.example`,
  enabled_events: ['charge.failed'],
});

/** An account that takes two endpoints, and a plan that has made both. */
async function openFullAccount() {
  const simulation = stripe();
  simulation.world.state.endpointLimit = 2;
  const stage = await openStage({
    simulations: [simulation],
    env: { STRIPE_SECRET_KEY: simulation.tokens.full },
    plan: planOf('orders', 'refunds'),
  });
  expect(await stage.apply()).toMatchObject({ ok: true });
  await stage.write(planOf('orders', 'refunds', 'disputes'));
  return { simulation, stage };
}

it('a full account fails the one line, tells the limit and what of this scope counts, and leaves the others as they are', async () => {
  const { simulation, stage } = await openFullAccount();
  const doc = await stage.apply();
  expect(doc).toMatchObject({
    ok: false,
    lines: [{ state: 'settled' }, { state: 'settled' }, { id: 'disputes', error: { code: 'PROVIDER_QUOTA' } }],
  });
  expect(doc.error?.detail).toContain("Stripe's page names 16 webhook endpoints for each mode of an account");
  expect(doc.error?.detail).toContain('Scope pr-12 holds 2 of stripe.webhook_endpoint; those of every other open scope count, too.');
  expect(doc.error?.fix).toBe(
    'Run `pilotfish apply --destroy --closed` to remove what closed pull requests left, or raise the limit at the provider.',
  );
  const { records, intents } = await stage.ledger();
  expect([records.size, intents.size]).toEqual([2, 0]);
  simulation.world.state.endpointLimit = 3;
  expect(await stage.apply()).toMatchObject({ ok: true });
  verifyHandled([simulation]);
  await stage.close();
});

it('a full account is told with the environment of the run, and production, which has no closed pull requests, is told to make room', async () => {
  for (const [environment, fix] of [
    ['staging', 'Run `pilotfish apply --destroy --closed --env staging`'],
    ['production', 'Remove objects that are no longer needed, or raise the limit.'],
  ] as const) {
    const simulation = stripe();
    simulation.world.state.endpointLimit = 0;
    const stage = await openStage({
      simulations: [simulation],
      env: { STRIPE_SECRET_KEY: simulation.tokens.full },
      plan: planOf('orders'),
    });
    const scope = environment === 'production' ? { scope: 'production', approvedBy: 'ada' } : {};
    const { error } = await stage.apply({ environment, ...scope });
    expect(error).toMatchObject({ code: 'PROVIDER_QUOTA', fix: expect.stringContaining(fix) });
    await stage.close();
  }
});
