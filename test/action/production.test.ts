import { describe, expect, it } from 'vitest';
import type { Event } from './events.ts';
import { openShop, type Shop } from './shop.ts';

const plan = `version: 1
changes:
  - { id: flag, recipe: unleash.flag_strategy, project: shop, feature: checkout, environment: production, title: "shop \${ctx.scope}", environments: [production] }
  - { id: dns, recipe: cloudflare.dns_cname, zone_id: 5f0c1d2e3b4a59687786a5b4c3d2e1f0, name: "\${ctx.scope}.preview.acme.example", target: cname.vercel-dns.com, environments: [preview] }
providers:
  http:
    unleash: {}
`;
const production = { env: 'production' };
const run = '9911';

/** A push of the plan to the main branch. */
async function pushed(shop: Shop): Promise<Event> {
  const before = shop.author.main;
  const after = await shop.author.commit('main', { 'release.plan.yaml': plan });
  return shop.pushEvent(before, after);
}

const titles = (shop: Shop): readonly (string | null | undefined)[] => {
  const { project, name } = shop.world.seed.flag;
  return shop.world.unleash.world.environment(project, name, 'production').strategies.map(({ title }) => title);
};

describe.concurrent('production follows a push', () => {
  it('whose environment was reviewed: the reviewer is who approved', async (context) => {
    const shop = await openShop(context);
    const event = await pushed(shop);
    shop.host.readActions(true);
    shop.host.approve(run, 'Production', 'bea');
    const outcome = await shop.run(event, { inputs: production, run });
    expect([outcome.code, outcome.outputs.status], outcome.log).toEqual([0, 'complete']);
    expect(titles(shop)).toEqual(['shop production']);
    const receipt = await shop.remote.git('log', '-p', 'pilotfish-receipts/production/production');
    expect(receipt).toContain('"bea"');
  });

  it('and is refused before any request where the job may not read the review', async (context) => {
    const shop = await openShop(context);
    const event = await pushed(shop);
    shop.host.approve(run, 'production', 'bea');
    const outcome = await shop.run(event, { inputs: production, run });
    expect([outcome.code, outcome.isFailed, outcome.outputs['exit-code']], outcome.log).toEqual([2, true, '2']);
    expect(outcome.errors.join()).toMatch(/actions: read|approved-by/);
    expect(shop.requests()).toBe(0);
    expect(shop.remote.count.pushes).toBe(0);
  });

  it('nor where the review was refused, or was of another environment or another run', async (context) => {
    const shop = await openShop(context);
    const event = await pushed(shop);
    shop.host.readActions(true);
    shop.host.approve(run, 'production', 'bea', 'rejected');
    shop.host.approve(run, 'staging', 'bea');
    shop.host.approve('9912', 'production', 'bea');
    const outcome = await shop.run(event, { inputs: production, run });
    expect(outcome.code, outcome.log).toBe(2);
    expect(shop.requests()).toBe(0);
  });

  it('by whoever the workflow names, where nobody reviewed', async (context) => {
    const shop = await openShop(context);
    const outcome = await shop.run(await pushed(shop), { inputs: { ...production, 'approved-by': 'carol' }, run });
    expect([outcome.code, outcome.outputs.status], outcome.log).toEqual([0, 'complete']);
    expect(titles(shop)).toEqual(['shop production']);
  });

  it('and no pull request, deployment or comment reaches it', async (context) => {
    const shop = await openShop(context);
    const inputs = { ...production, 'approved-by': 'carol' };
    const head = await shop.open(12, plan);
    const events = [
      await shop.pullEvent(12, 'opened'),
      await shop.pullEvent(12, 'labeled'),
      shop.deploymentEvent({ sha: head }),
      shop.deploymentEvent({ sha: head, environment: 'production – shop' }),
      shop.commentEvent(12, 'mallory', '/pilotfish apply --env production'),
    ];
    const outcomes = await Promise.all(events.map((event) => shop.run(event, { inputs })));
    expect(outcomes.map(({ code, outputs }) => [code, outputs.status])).toEqual(events.map(() => [0, 'skipped']));
    expect(shop.requests()).toBe(0);
  });
});
