import { describe, expect, it } from 'vitest';
import { checkout } from './checkout.ts';
import { openShop } from './shop.ts';

const plan = `version: 1
changes:
  - { id: dns, recipe: cloudflare.dns_cname, zone_id: 5f0c1d2e3b4a59687786a5b4c3d2e1f0, name: "\${ctx.scope}.preview.acme.example", target: cname.vercel-dns.com }
  - { id: pushes, recipe: github.repo_webhook, repo: acme/shop, url: "https://\${ctx.scope}.preview.acme.example", secret: { secret: env://PREVIEW_WEBHOOK_SECRET } }
`;
const made = {
  'cloudflare records': ['pr-12.preview.acme.example'],
  'github hooks': ['https://pr-12.preview.acme.example/api/webhooks/github'],
};
const comments = '/repos/{owner}/{repo}/issues/{number}/comments';

describe.concurrent('a job', () => {
  it('on a host of its own asks nobody else: pull request, comment, webhook and ledger are at its address', async (context) => {
    const shop = await openShop(context, { isSelfHosted: true });
    const head = await shop.open(12, plan);
    const opened = await shop.run(await shop.pullEvent(12, 'opened'));
    expect([opened.code, opened.outputs.status], opened.log).toEqual([0, 'complete']);
    const deployed = await shop.run(shop.deploymentEvent({ sha: head }));
    expect([deployed.code, deployed.outputs.status], deployed.log).toEqual([0, 'complete']);
    expect(shop.added()).toEqual(made);
    expect(shop.host.comments(12)).toHaveLength(1);
    expect(shop.host.comments(12)[0]?.body).toContain(`${shop.front.origin}/acme/shop/actions/runs/`);
    expect(await shop.receipts('pr-12')).toBe(deployed.outputs.receipt);
    const elsewhere = shop.front.arrivals.filter(({ path }) => !/^\/(api\/v3\/|acme\/shop\/(info\/refs|git-))/.test(path));
    expect(elsewhere).toEqual([]);
    shop.close(12);
    expect((await shop.run(await shop.pullEvent(12, 'closed'))).code).toBe(0);
    expect(shop.added()).toEqual({});
  });

  it.for<readonly [status: number, methods: readonly string[]]>([
    [403, ['GET', 'POST']],
    [500, ['POST']],
  ])('ends as its run does when its comment is answered with %i, and says so', async ([status, methods], context) => {
    const shop = await openShop(context);
    await shop.open(12, plan);
    for (const method of methods) shop.codeHost.faults.times(50, `${method} ${comments}`, status, { message: 'no' });
    const outcome = await shop.run(await shop.pullEvent(12, 'opened'));
    expect([outcome.code, outcome.isFailed, outcome.outputs.status], outcome.log).toEqual([0, false, 'complete']);
    expect(outcome.log).toContain('did not write the comment');
    expect(shop.added()).toEqual(made);
    expect(shop.host.comments(12)).toEqual([]);
  });

  it('takes all away when the pull request closes, whatever narrows its applies, and says what it left out', async (context) => {
    const shop = await openShop(context);
    await shop.open(12, plan);
    expect((await shop.run(await shop.pullEvent(12, 'opened'))).code).toBe(0);
    shop.close(12);
    const inputs = { only: 'dns', expect: '0123456789abcdef' };
    const closed = await shop.run(await shop.pullEvent(12, 'closed'), { inputs });
    expect([closed.code, closed.outputs.status, shop.added()], closed.log).toEqual([0, 'complete', {}]);
    expect(closed.notices).toEqual([expect.stringMatching(/removes everything.*`expect`, `only`/)]);
  });

  it('takes away what it made without the plan file, and with a checkout that keeps no credential', async (context) => {
    const shop = await openShop(context);
    await shop.open(12, plan);
    const event = await shop.pullEvent(12, 'opened');
    const bare = { place: shop.place, token: shop.token, keepsCredential: false };
    const opened = await shop.run(event, { workspace: await checkout(context, { ...bare, event }) });
    expect([opened.code, shop.added()], opened.log).toEqual([0, made]);
    shop.close(12);
    // The main branch never had one.
    const workspace = await checkout(context, { ...bare, event: shop.dispatchEvent() });
    const closed = await shop.run(await shop.pullEvent(12, 'closed'), { workspace });
    expect([closed.code, closed.outputs.status, shop.added()], closed.log).toEqual([0, 'complete', {}]);
  });

  it('has each line of a secret masked by the runner, and shows none of them where a provider repeats it', async (context) => {
    const shop = await openShop(context);
    await shop.open(12, plan);
    const parts = ['-----BEGIN SIGNING KEY-----', 'bXVsdGktbGluZS1zZWNyZXQ', 'c2Vjb25kLWxpbmUtb2YtaXQ', '-----END SIGNING KEY-----'];
    const echo = { message: `secret is wrong: ${parts[2]}`, errors: [{ message: parts.join(' ') }] };
    shop.world.github.faults.times(9, (call) => call.method === 'POST', 422, echo);
    const outcome = await shop.run(await shop.pullEvent(12, 'opened'), { also: { PREVIEW_WEBHOOK_SECRET: parts.join('\n') } });
    expect(outcome.outputs.status, outcome.log).toBe('failed');
    expect(outcome.commands.filter(({ name }) => name === 'add-mask').map(({ data }) => data)).toEqual(expect.arrayContaining(parts));
    const told = [outcome.unmasked, outcome.summary, JSON.stringify(outcome.outputs), shop.host.comments(12)[0]?.body ?? ''];
    expect(parts.slice(1, 3).filter((part) => told.some((text) => text.includes(part)))).toEqual([]);
    expect(told[0]).toContain('secret is wrong');
  });

  it('of a failed run has its comment and its red end', async (context) => {
    const shop = await openShop(context);
    await shop.open(12, plan);
    shop.world.cloudflare.faults.times(50, (call) => call.method === 'POST', 400, {
      success: false,
      errors: [{ code: 9000, message: 'no' }],
    });
    const outcome = await shop.run(await shop.pullEvent(12, 'opened'));
    expect([outcome.code, outcome.isFailed, outcome.outputs.status], outcome.log).toEqual([1, true, 'failed']);
    expect(outcome.errors).toHaveLength(1);
    expect(shop.host.comments(12)).toHaveLength(1);
    expect(outcome.summary).not.toBe('');
  });

  it('that is told `comment: false` writes none', async (context) => {
    const shop = await openShop(context);
    await shop.open(12, plan);
    const outcome = await shop.run(await shop.pullEvent(12, 'opened'), { inputs: { comment: 'false' } });
    expect(outcome.outputs.status, outcome.log).toBe('complete');
    expect(shop.front.arrivals.filter(({ method, path }) => method !== 'GET' && path.includes('/issues/'))).toEqual([]);
    expect(shop.host.comments(12)).toEqual([]);
  });

  it('with `command: plan` writes nothing and tells its digest, which an apply then expects', async (context) => {
    const shop = await openShop(context);
    await shop.open(12, plan);
    const event = await shop.pullEvent(12, 'opened');
    const planned = await shop.run(event, { inputs: { command: 'plan' } });
    expect([planned.code, planned.outputs.status], planned.log).toEqual([0, 'planned']);
    expect([shop.added(), shop.remote.count.pushes]).toEqual([{}, 0]);
    const { digest } = planned.outputs;
    expect(digest).toMatch(/^[0-9a-f]{16}$/);
    const other = await shop.run(event, { inputs: { expect: '0123456789abcdef' } });
    expect([other.isFailed, shop.added()], other.log).toEqual([true, {}]);
    const applied = await shop.run(event, { inputs: { expect: digest ?? '' } });
    expect([applied.code, applied.outputs.status, applied.outputs.digest], applied.log).toEqual([0, 'complete', digest]);
    expect(JSON.parse(applied.outputs.outputs ?? '')).toMatchObject({ dns: { hostname: 'pr-12.preview.acme.example' } });
    expect(JSON.parse(applied.outputs.result ?? '')).toMatchObject({ ok: true, command: 'apply', scope: 'pr-12' });
  });

  it('by hand names its scope; without one, and for other events, it says why it does nothing', async (context) => {
    const shop = await openShop(context);
    await shop.author.commit('main', { 'release.plan.yaml': plan });
    await shop.open(12, plan);
    const events = [
      shop.dispatchEvent(),
      shop.scheduleEvent(),
      shop.commentEvent(12, 'mallory', '::error::x'),
      await shop.pullEvent(12, 'labeled'),
    ];
    const outcomes = await Promise.all(events.map((event) => shop.run(event)));
    expect(outcomes.map(({ code, outputs, notices }) => [code, outputs.status, notices.length])).toEqual(
      events.map(() => [0, 'skipped', 1]),
    );
    expect(shop.requests()).toBe(0);
    const byHand = await shop.run(shop.dispatchEvent(), { inputs: { scope: 'demo' } });
    expect([byHand.code, byHand.outputs.status], byHand.log).toEqual([0, 'complete']);
    expect(shop.added()['cloudflare records']).toEqual(['demo.preview.acme.example']);
  });
});
