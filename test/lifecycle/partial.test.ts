import { expect, it } from 'vitest';
import { openPulls, shaA } from './pulls.ts';
import { lines, planOf } from './shop.ts';

const preview = planOf(
  lines.dns,
  '\n  - { id: host, adapter: vercel, op: env, project: shop, key: HOST, value: { from: dns.hostname }, git_branch: feature }',
  '\n  - { id: site, adapter: vercel, op: deploy, project: shop, depends_on: [host] }',
  lines.payments.concat('\n    depends_on: [site]'),
);

it('a partial run is continued by the event of the deployment that it waits for, and ends complete', async () => {
  const pulls = await openPulls(preview);
  const { vercel, stripe } = pulls.world;
  vercel.faults.readyAfter(1_000);
  pulls.pulls.world.open(12, shaA);
  // The host begins to build with the push, before anybody could have written the variable.
  const early = vercel.world.push('feature', shaA);
  await pulls.later();
  const first = await pulls.onPull('opened');
  expect(first).toMatchObject({ ok: true, status: 'partial' });
  expect(first.lines.map(({ id, state }) => `${id} ${state}`)).toEqual(['dns settled', 'host settled', 'site waiting', 'payments waiting']);
  expect(stripe.world.endpoints()).toEqual([]);
  const waiting = await pulls.ledger();
  expect(waiting.history.map(({ outcome, event }) => [outcome, event])).toEqual([['partial', 'pull_request']]);
  expect([waiting.intents.size, waiting.lease?.released ?? null]).not.toContain(null);

  await pulls.later();
  const built = vercel.world.deployments().at(-1);
  if (!built || built.id === early.id) throw new Error('the deployment was not made again');
  vercel.world.settle(built, 'READY');
  const second = await pulls.onDeployment(shaA);
  expect(second).toMatchObject({ ok: true, status: 'complete' });
  expect(second.outputs.site).toMatchObject({ id: built.id, url: `https://${built.host}` });
  expect(built.env.HOST).toBe(`pr-12.acme.example`);
  expect(stripe.world.endpoints()).toHaveLength(1);
  expect((await pulls.ledger()).history.map(({ outcome, event }) => [outcome, event])).toEqual([
    ['partial', 'pull_request'],
    ['complete', 'deployment_status'],
  ]);
  const seen = pulls.watch();
  expect((await pulls.onDeployment(shaA)).status).toBe('complete');
  expect(seen.writes()).toEqual([]);
  pulls.verify();
  await pulls.close();
});
