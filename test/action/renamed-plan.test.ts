import { describe, expect, it } from 'vitest';
import { openShop } from './shop.ts';

/** A plan of this name, whose objects have the mark in their names. */
const planOf = (name: string | null, mark: string): string => `version: 1
${name === null ? '' : `name: ${name}\n`}changes:
  - { id: dns, recipe: cloudflare.dns_cname, zone_id: 5f0c1d2e3b4a59687786a5b4c3d2e1f0, name: "${mark}-\${ctx.scope}.preview.acme.example", target: cname.vercel-dns.com }
`;
const records = (...names: readonly string[]) => ({
  'cloudflare records': names.map((name) => `${name}-pr-12.preview.acme.example`),
});

describe.concurrent('the close of a pull request takes every ledger of it', () => {
  it.for<readonly [what: string, base: string | null]>([
    ['the default branch has no plan', null],
    ['the default branch has the plan under its first name', planOf('web', 'a')],
    ['the default branch has the plan without a name', planOf(null, 'c')],
  ])('although its plan was renamed there, where %s', async ([, base], context) => {
    const shop = await openShop(context);
    if (base !== null) await shop.author.commit('main', { 'release.plan.yaml': base });
    await shop.open(12, planOf('web', 'a'));
    expect((await shop.run(await shop.pullEvent(12, 'opened'))).code).toBe(0);
    await shop.push(12, { plan: planOf('shop', 'b') });
    expect((await shop.run(await shop.pullEvent(12, 'synchronize'))).code).toBe(0);
    expect(shop.added()).toEqual(records('a', 'b'));
    shop.close(12);
    const closed = await shop.run(await shop.pullEvent(12, 'closed'), { inputs: { command: 'destroy' } });
    expect([closed.code, closed.isFailed, closed.outputs.status, shop.added()], closed.log).toEqual([0, false, 'complete', {}]);
    // Each plan keeps its comment, which tells of the end.
    expect(shop.host.comments(12).map(({ body }) => /destroy/i.test(body))).toEqual([true, true]);
    expect(await shop.locksLeft()).toEqual([]);
  });

  it('and tells of a ledger whose credentials it lacks, because another job has them', async (context) => {
    const shop = await openShop(context);
    await shop.author.commit('main', { 'release.plan.yaml': planOf('web', 'a') });
    await shop.open(12, planOf('web', 'a'));
    expect((await shop.run(await shop.pullEvent(12, 'opened'))).code).toBe(0);
    const other = `version: 1
name: api
changes:
  - { id: database, adapter: neon, op: branch, project_id: quiet-river-12345678, name: "shop-\${ctx.scope}" }
`;
    await shop.push(12, { plan: other });
    expect((await shop.run(await shop.pullEvent(12, 'synchronize'))).code).toBe(0);
    shop.close(12);
    const { NEON_API_KEY: _, ...env } = shop.env;
    const event = await shop.pullEvent(12, 'closed');
    const closed = await shop.run(event, { env, inputs: { command: 'destroy' } });
    expect([closed.code, shop.added()], closed.log).toEqual([0, { 'neon branches': ['shop-pr-12'] }]);
    expect(closed.notices.join()).toContain('pilotfish-receipts/preview/api_pr-12');
    expect((await shop.run(event, { inputs: { command: 'destroy' } })).code).toBe(0);
    expect(shop.added()).toEqual({});
  });

  it('but the plan at hand alone, where the workflow names a scope or lines', async (context) => {
    const shop = await openShop(context);
    await shop.author.commit('main', { 'release.plan.yaml': planOf('web', 'a') });
    await shop.open(12, planOf('web', 'a'));
    await shop.run(await shop.pullEvent(12, 'opened'));
    await shop.push(12, { plan: planOf('shop', 'b') });
    await shop.run(await shop.pullEvent(12, 'synchronize'));
    shop.close(12);
    const inputs = { command: 'destroy', scope: 'pr-12' };
    const closed = await shop.run(await shop.pullEvent(12, 'closed'), { inputs });
    expect([closed.code, shop.added()], closed.log).toEqual([0, records('b')]);
  });
});
