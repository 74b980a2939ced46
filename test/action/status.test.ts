import { describe, expect, it } from 'vitest';
import { openShop } from './shop.ts';

const dns = `  - { id: dns, recipe: cloudflare.dns_cname, zone_id: 5f0c1d2e3b4a59687786a5b4c3d2e1f0, name: "\${ctx.scope}.preview.acme.example", target: cname.vercel-dns.com }\n`;
const plan = `version: 1\nchanges:\n${dns}`;

describe.concurrent('the status of the commit', () => {
  it('is pending when the run begins and success when it is complete', async (context) => {
    const shop = await openShop(context);
    shop.host.writeStatuses(true);
    const head = await shop.open(12, plan);
    const outcome = await shop.run(await shop.pullEvent(12, 'opened'));
    expect(outcome.outputs.status, outcome.log).toBe('complete');
    expect(shop.host.statuses(head)).toEqual([
      'pending pilotfish: pilotfish began.',
      'success pilotfish: Every service has the state of the plan.',
    ]);
  });

  it('is a failure when a line failed, and the next run that goes well mends it', async (context) => {
    const shop = await openShop(context);
    shop.host.writeStatuses(true);
    const head = await shop.open(12, plan);
    shop.world.cloudflare.faults.times(50, (call) => call.method === 'POST', 400, {
      success: false,
      errors: [{ code: 9000, message: 'no' }],
    });
    await shop.run(await shop.pullEvent(12, 'opened'));
    expect(shop.host.statuses(head).at(-1)).toMatch(/^failure /);
    shop.world.cloudflare.faults.clear();
    const outcome = await shop.run(shop.deploymentEvent({ sha: head }));
    expect(outcome.outputs.status, outcome.log).toBe('complete');
    expect(shop.host.statuses(head).slice(1)).toEqual([
      'failure pilotfish: A line failed. The log and the comment say why.',
      'success pilotfish: Every service has the state of the plan.',
    ]);
  });

  it('is a failure when the plan cannot be read', async (context) => {
    const shop = await openShop(context);
    shop.host.writeStatuses(true);
    const head = await shop.open(12, 'version: 1\nchanges: nothing\n');
    await shop.run(await shop.pullEvent(12, 'opened'));
    expect(shop.host.statuses(head).map((status) => status.split(' ')[0])).toEqual(['pending', 'failure']);
  });

  it('is not written without `statuses: write`, and the log is silent about it', async (context) => {
    const shop = await openShop(context);
    const head = await shop.open(12, plan);
    const outcome = await shop.run(await shop.pullEvent(12, 'opened'));
    expect([outcome.code, outcome.outputs.status], outcome.log).toEqual([0, 'complete']);
    expect(shop.host.statuses(head)).toEqual([]);
    expect(outcome.log).not.toContain('status of the commit');
    expect(shop.front.arrivals.filter(({ path }) => path.includes('/statuses/'))).toHaveLength(1);
  });

  it('changes nothing of the run when the host refuses it', async (context) => {
    const shop = await openShop(context);
    shop.host.writeStatuses(true);
    await shop.open(12, plan);
    shop.codeHost.faults.times(9, 'POST /repos/{owner}/{repo}/statuses/{sha}', 422, { message: 'Validation Failed' });
    const outcome = await shop.run(await shop.pullEvent(12, 'opened'));
    expect([outcome.code, outcome.outputs.status], outcome.log).toEqual([0, 'complete']);
    expect(outcome.warnings.join()).toContain('did not write the status of the commit');
  });

  it('is of an apply alone: a plan and a closed pull request write none, and another environment has its own', async (context) => {
    const shop = await openShop(context);
    shop.host.writeStatuses(true);
    const head = await shop.open(12, plan.replace('changes:', 'environments: [preview, staging]\nchanges:'));
    const event = await shop.pullEvent(12, 'opened');
    await shop.run(event, { inputs: { command: 'plan' } });
    expect(shop.host.statuses(head)).toEqual([]);
    await shop.run(event, { inputs: { env: 'staging' } });
    expect(shop.host.statuses(head).map((status) => status.split(':')[0])).toEqual([
      'pending pilotfish/staging',
      'success pilotfish/staging',
    ]);
    shop.close(12);
    await shop.run(await shop.pullEvent(12, 'closed'), { inputs: { env: 'staging' } });
    expect(shop.host.statuses(head)).toHaveLength(2);
  });
});
