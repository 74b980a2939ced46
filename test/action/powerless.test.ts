import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { openShop, type Shop } from './shop.ts';

const plan = `version: 1
changes:
  - { id: database, adapter: neon, op: branch, project_id: quiet-river-12345678, name: "shop-\${ctx.scope}" }
  - { id: dns, recipe: cloudflare.dns_cname, zone_id: 5f0c1d2e3b4a59687786a5b4c3d2e1f0, name: "\${ctx.scope}.preview.acme.example", target: cname.vercel-dns.com }
`;
const made = { 'neon branches': ['shop-pr-41'], 'cloudflare records': ['pr-41.preview.acme.example'] };
const dependabot = 'dependabot[bot]';

/** What the host gives a job of Dependabot: no secret, and a token that may only read. */
const bare = (shop: Shop) => ({
  token: shop.readOnlyToken,
  env: Object.fromEntries(Object.entries(shop.env).filter(([name]) => name.endsWith('_API_URL'))),
});

describe.concurrent('a job without power', () => {
  it.for(['opened', 'synchronize', 'closed'] as const)(
    "of Dependabot's pull request, %s, explains and is green",
    async (action, context) => {
      const shop = await openShop(context);
      await shop.open(41, plan);
      if (action === 'closed') shop.close(41);
      const outcome = await shop.run(await shop.pullEvent(41, action, { sender: dependabot }), bare(shop));
      expect([outcome.code, outcome.isFailed, outcome.errors], outcome.log).toEqual([0, false, []]);
      if (action !== 'closed') {
        expect(outcome.outputs.status).toBe('skipped');
        expect(outcome.notices.join()).toContain('Dependabot secrets');
        expect(outcome.summary).toContain('Dependabot secrets');
      }
      expect(shop.added()).toEqual({});
      expect(shop.remote.count.pushes).toBe(0);
    },
  );

  it('that closes what a person had applied explains what stays, and a later sweep takes it away', async (context) => {
    const shop = await openShop(context);
    await shop.open(41, plan);
    expect((await shop.run(await shop.pullEvent(41, 'synchronize'))).code).toBe(0);
    expect(shop.added()).toEqual(made);
    shop.close(41);
    const outcome = await shop.run(await shop.pullEvent(41, 'closed', { sender: dependabot }), bare(shop));
    expect([outcome.code, outcome.isFailed, outcome.outputs.status], outcome.log).toEqual([0, false, 'skipped']);
    expect(outcome.notices.join()).toContain('Dependabot');
    expect(shop.added()).toEqual(made);
    expect((await shop.ledger('pr-41')).records.size).toBe(2);

    const sweep = await shop.run(shop.scheduleEvent(), { inputs: { command: 'destroy', closed: 'true' } });
    expect([sweep.code, sweep.outputs['exit-code']], sweep.log).toEqual([0, '0']);
    expect(shop.added()).toEqual({});
    expect((await shop.ledger('pr-41')).records.size).toBe(0);
  });

  it('whose token may only read, with every secret there, writes nothing anywhere, explains and is green', async (context) => {
    const shop = await openShop(context);
    await shop.open(41, plan);
    const outcome = await shop.run(await shop.pullEvent(41, 'opened'), { token: shop.readOnlyToken });
    expect([outcome.code, outcome.isFailed, outcome.outputs.status], outcome.log).toEqual([0, false, 'skipped']);
    expect(outcome.notices.join()).toContain('contents: write');
    expect(shop.added()).toEqual({});
    expect(shop.world.simulations.flatMap((simulation) => simulation.writes())).toEqual([]);
  });

  it('is a red one where somebody forgot a secret: the token may write, so nothing excuses it', async (context) => {
    const shop = await openShop(context);
    await shop.open(41, plan);
    const { NEON_API_KEY: _forgotten, ...env } = shop.env;
    const outcome = await shop.run(await shop.pullEvent(41, 'opened'), { env });
    expect([outcome.code, outcome.isFailed, outcome.outputs.status], outcome.log).toEqual([2, true, 'failed']);
    expect(outcome.errors.join()).toContain('NEON_API_KEY');
    expect(shop.added()).toEqual({});
    const [comment, ...more] = shop.host.comments(41);
    expect(more).toEqual([]);
    expect(marked.parse(comment?.body ?? '', { async: false }).replaceAll('&#95;', '_')).toContain('NEON_API_KEY is not set');
  });
});
