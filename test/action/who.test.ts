import { describe, expect, it } from 'vitest';
import type { PullAction } from './events.ts';
import type { Outcome } from './runner.ts';
import { openShop, type Shop } from './shop.ts';

const plan = `version: 1
changes:
  - { id: dns, recipe: cloudflare.dns_cname, zone_id: 5f0c1d2e3b4a59687786a5b4c3d2e1f0, name: "\${ctx.scope}.preview.acme.example", target: cname.vercel-dns.com }
`;
const made = (...numbers: readonly number[]) => ({ 'cloudflare records': numbers.map((number) => `pr-${number}.preview.acme.example`) });
type Inputs = Readonly<Record<string, string>>;

/** A job of the workflow: the preview job, or for an end the job that runs on the default branch. */
async function job(shop: Shop, number: number, action: PullAction, inputs: Inputs): Promise<Outcome> {
  const ends = ['closed', 'unlabeled', 'converted_to_draft'].includes(action);
  return await shop.run(await shop.pullEvent(number, action), { inputs: { command: ends ? 'destroy' : 'apply', ...inputs } });
}

/** Nothing was made, no ledger was begun, and the job is green. */
async function isRefused(shop: Shop, number: number, { code, isFailed, outputs, log }: Outcome): Promise<void> {
  expect([code, isFailed, outputs.status], log).toEqual([0, false, 'skipped']);
  expect(shop.added()).toEqual({});
  expect(await shop.receipts(`pr-${number}`)).toBeNull();
  expect(shop.remote.count.pushes).toBe(0);
}

describe.concurrent('who gets a preview', () => {
  it('a label gives one, its removal takes it away, and the one comment says why', async (context) => {
    const shop = await openShop(context);
    const inputs = { label: 'preview' };
    await shop.open(12, plan);
    const refused = await job(shop, 12, 'opened', inputs);
    await isRefused(shop, 12, refused);
    expect(refused.notices.join()).toContain('does not bear the label preview');
    expect(shop.host.comments(12).map(({ body }) => body)).toEqual([expect.stringContaining('does not bear the label preview')]);
    await shop.push(12, {});
    await isRefused(shop, 12, await job(shop, 12, 'synchronize', inputs));
    // Two events that come late, of a pull request that never had one.
    await isRefused(shop, 12, await job(shop, 12, 'unlabeled', inputs));

    shop.host.label(12, ['Preview', 'urgent']);
    const labeled = await job(shop, 12, 'labeled', inputs);
    expect([labeled.code, labeled.outputs.status, shop.added()], labeled.log).toEqual([0, 'complete', made(12)]);
    // An event that is late: the label is back.
    const late = await job(shop, 12, 'unlabeled', inputs);
    expect([late.code, late.outputs.status, shop.added()], late.log).toEqual([0, 'skipped', made(12)]);

    shop.host.label(12, ['urgent']);
    const removed = await job(shop, 12, 'unlabeled', inputs);
    expect([removed.code, removed.outputs.status, shop.added()], removed.log).toEqual([0, 'complete', {}]);
    shop.host.label(12, ['preview']);
    expect((await job(shop, 12, 'labeled', inputs)).outputs.status).toBe('complete');
    expect(shop.added()).toEqual(made(12));
    expect(shop.host.comments(12)).toHaveLength(1);
    expect(shop.host.comments(12)[0]?.body).not.toContain('does not bear');
  });

  it('a label whose removal was missed ends the preview with the next push', async (context) => {
    const shop = await openShop(context);
    await shop.open(12, plan);
    shop.host.label(12, ['preview']);
    expect((await job(shop, 12, 'opened', { label: 'preview' })).outputs.status).toBe('complete');
    shop.host.label(12, []);
    await shop.push(12, {});
    const pushed = await job(shop, 12, 'synchronize', { label: 'preview', only: 'dns' });
    expect([pushed.code, pushed.outputs.status, shop.added()], pushed.log).toEqual([0, 'complete', {}]);
    expect(pushed.notices.join()).toContain('does not bear the label preview. Its preview is removed.');
    // A deployment of it does not bring it back.
    const deployed = await shop.run(shop.deploymentEvent({ sha: shop.host.pull(12).head }), { inputs: { label: 'preview' } });
    expect([deployed.code, deployed.outputs.status, shop.added()], deployed.log).toEqual([0, 'skipped', {}]);
  });

  it('a draft has none where the workflow says so, and loses it when it becomes one', async (context) => {
    const shop = await openShop(context);
    const inputs = { drafts: 'false' };
    await shop.open(12, plan);
    shop.host.draft(12, true);
    await isRefused(shop, 12, await job(shop, 12, 'opened', inputs));
    shop.host.draft(12, false);
    expect((await job(shop, 12, 'ready_for_review', inputs)).outputs.status).toBe('complete');
    expect(shop.added()).toEqual(made(12));
    shop.host.draft(12, true);
    expect((await job(shop, 12, 'converted_to_draft', inputs)).outputs.status).toBe('complete');
    expect(shop.added()).toEqual({});
  });

  it('a bot has none unless the workflow says so, and gets no comment about it', async (context) => {
    const shop = await openShop(context);
    await shop.open(12, plan, { by: 'renovate[bot]' });
    await isRefused(shop, 12, await job(shop, 12, 'opened', {}));
    expect(shop.host.comments(12)).toEqual([]);
    await isRefused(shop, 12, await job(shop, 12, 'synchronize', { authors: 'ann' }));
    for (const inputs of [{ bots: 'true' }, { authors: 'ann, renovate[bot]' }]) {
      const begun = await job(shop, 12, 'synchronize', inputs);
      expect([begun.outputs.status, shop.added()], begun.log).toEqual(['complete', made(12)]);
    }
    // One that stands goes on.
    expect((await job(shop, 12, 'synchronize', {})).outputs.status).toBe('complete');
  });

  it.for<readonly [files: readonly string[], gets: boolean]>([
    [['docs/readme.md', 'package.json'], false],
    [['docs/readme.md', 'apps/web/src/page.tsx'], true],
    // The host does not list more, so nobody knows.
    [Array.from({ length: 3_000 }, (_, i) => `docs/${i}.md`), true],
  ])('a pull request that changes %j gets one by its paths: %s', async ([files, gets], context) => {
    const shop = await openShop(context);
    await shop.open(12, plan);
    shop.host.files(12, files);
    const outcome = await job(shop, 12, 'opened', { paths: 'apps/web/**\n*.lock' });
    if (!gets) return await isRefused(shop, 12, outcome);
    expect([outcome.outputs.status, shop.added()], outcome.log).toEqual(['complete', made(12)]);
  });

  it('no more than so many stand, one that stands goes on, and the next gets its place', async (context) => {
    const shop = await openShop(context);
    const inputs = { 'max-previews': '2' };
    for (const number of [11, 12, 13]) await shop.open(number, plan);
    for (const number of [11, 12]) expect((await job(shop, number, 'opened', inputs)).outputs.status).toBe('complete');
    const third = await job(shop, 13, 'opened', inputs);
    expect([third.code, third.outputs.status, shop.added()], third.log).toEqual([0, 'skipped', made(11, 12)]);
    expect(shop.host.comments(13).map(({ body }) => body)).toEqual([expect.stringContaining('2 stand')]);
    expect((await job(shop, 12, 'synchronize', inputs)).outputs.status).toBe('complete');
    shop.close(11);
    await job(shop, 11, 'closed', inputs);
    expect((await job(shop, 13, 'synchronize', inputs)).outputs.status).toBe('complete');
    expect(shop.added()).toEqual(made(12, 13));
  });

  it.for<readonly [inputs: Inputs, says: string]>([
    [{ 'max-previews': 'ten' }, 'max-previews'],
    [{ authors: 'ann', closed: 'true', command: 'destroy' }, 'closed'],
  ])('%j is refused with its fix, before anything is asked', async ([inputs, says], context) => {
    const shop = await openShop(context);
    await shop.open(12, plan);
    const outcome = await shop.run(await shop.pullEvent(12, 'opened'), { inputs });
    expect([outcome.code, outcome.outputs.status], outcome.log).toEqual([2, 'failed']);
    expect(outcome.errors.join()).toContain(says);
    expect(shop.front.arrivals).toEqual([]);
  });
});
