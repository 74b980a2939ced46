import { asking } from 'pilotfish-sandbox/ask';
import { type CiWorld, githubCi } from 'pilotfish-sandbox/github-ci/index';
import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { LeapingClock } from '../support/leaping-clock.ts';

const sha = 'a'.repeat(40);
let clock = new LeapingClock();
let pulls: Simulation<CiWorld>;
beforeEach(() => {
  clock = new LeapingClock();
  pulls = githubCi({ repository: 'acme/shop', clock, ahead: 0 });
});
afterEach(() => {
  verifyHandled([pulls]);
  expectContracts([pulls]);
});
const asWho = (token: 'full' | 'readOnly' | 'blind' | null, other?: string) => {
  const bearer = other ?? (token && pulls.tokens[token]);
  return asking(pulls, { 'user-agent': 'test', ...(bearer && { authorization: `Bearer ${bearer}` }) });
};
const path = '/repos/Acme/shop/pulls/12';
const comments = '/repos/acme/shop/issues/12/comments';

describe('pull requests', () => {
  it('one tells its state, its head and when it last changed', async () => {
    pulls.world.open(12, sha);
    expect((await asWho('full')('GET', path)).body).toMatchObject({
      number: 12,
      state: 'open',
      head: { sha, ref: 'feature', repo: { full_name: 'acme/shop' } },
      merged: false,
    });
    pulls.world.close(12, 'merged');
    expect((await asWho('full')('GET', path)).body).toMatchObject({ state: 'closed', merged: true });
    pulls.world.reopen(12);
    pulls.world.push(12, 'b'.repeat(40));
    expect((await asWho('full')('GET', path)).body).toMatchObject({ state: 'open', head: { sha: 'b'.repeat(40) }, closed_at: null });
  });

  it('one that is not there, or not to be seen, is 404, and without a token it is 401', async () => {
    pulls.world.open(12, sha);
    expect((await asWho('full')('GET', '/repos/acme/shop/pulls/13')).status).toBe(404);
    expect((await asWho('blind')('GET', path)).status).toBe(404);
    expect((await asWho(null)('GET', path)).status).toBe(401);
  });

  it('one of a fork names the fork, until that is deleted', async () => {
    pulls.world.open(12, sha, 'feature', 'mallory/shop');
    expect((await asWho('full')('GET', path)).at('head', 'repo', 'full_name')).toBe('mallory/shop');
    pulls.world.dropFork(12);
    expect((await asWho('full')('GET', path)).at('head', 'repo')).toBe(null);
  });

  it('those of a commit are listed by page, forks and earlier heads included', async () => {
    for (let number = 1; number <= 31; number += 1)
      pulls.world.open(number, sha, `b${number}`, number === 7 ? 'mallory/shop' : 'acme/shop');
    pulls.world.push(3, 'b'.repeat(40));
    pulls.world.close(4);
    const of = `/repos/acme/shop/commits/${sha}/pulls`;
    const first = await asWho('full')('GET', of);
    expect(first.body).toHaveLength(30);
    expect(first.headers.get('link')).toContain('page=2>; rel="next"');
    expect((await asWho('full')('GET', `${of}?page=2`)).body).toMatchObject([{ number: 31 }]);
    expect((await asWho('full')('GET', `/repos/acme/shop/commits/${'c'.repeat(40)}/pulls`)).body).toEqual([]);
    const [repository] = Object.values(pulls.world.state.repositories);
    if (repository) repository.isEmpty = true;
    expect((await asWho('full')('GET', of)).status).toBe(409);
  });
});

describe('comments', () => {
  it("a job's token writes as a bot, a person's as that person", async () => {
    pulls.world.open(12, sha);
    const made = await asWho('full')('POST', comments, { body: 'hello' });
    expect(made).toMatchObject({ status: 201, body: { body: 'hello', user: { login: 'github-actions[bot]', type: 'Bot' } } });
    await asWho(null, pulls.world.tokenOf('ann'))('POST', comments, { body: 'hi' });
    await asWho(null, pulls.world.tokenOf('releaser[bot]'))('POST', comments, { body: 'ho' });
    const listed = await asWho('full')('GET', comments);
    expect(listed.body).toMatchObject([
      { user: { login: 'github-actions[bot]' } },
      { user: { login: 'ann', type: 'User' } },
      { user: { login: 'releaser[bot]' } },
    ]);
    const one = `/repos/acme/shop/issues/comments/${String(made.at('id'))}`;
    expect((await asWho('full')('PATCH', one, { body: 'changed' })).body).toMatchObject({ body: 'changed' });
    expect((await asWho('full')('GET', one)).body).toMatchObject({ body: 'changed' });
    expect((await asWho('full')('DELETE', one)).status).toBe(204);
    expect((await asWho('full')('DELETE', one)).status).toBe(404);
    expect((await asWho('full')('PATCH', one, { body: 'again' })).status).toBe(404);
  });

  it('they come by pages of 30, oldest first', async () => {
    pulls.world.open(12, sha);
    for (let n = 1; n <= 65; n += 1) pulls.world.comment(12, `no. ${n}`);
    const first = await asWho('full')('GET', comments);
    expect(first.body).toHaveLength(30);
    expect(first.at(0, 'body')).toBe('no. 1');
    const next = /<([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect((await asWho('full')('GET', next.replace(pulls.origin, ''))).at(0, 'body')).toBe('no. 31');
    const last = await asWho('full')('GET', `${comments}?per_page=100`);
    expect(last.body).toHaveLength(65);
    expect(last.headers.get('link')).toBe(null);
  });

  it('one too long, or empty, is refused, and so is writing with a token that may only read', async () => {
    pulls.world.open(12, sha);
    expect((await asWho('full')('POST', comments, { body: 'x'.repeat(65_536) })).status).toBe(201);
    expect((await asWho('full')('POST', comments, { body: 'x'.repeat(65_537) })).status).toBe(422);
    expect((await asWho('full')('POST', comments, { body: ' ' })).status).toBe(422);
    const refused = await asWho('readOnly')('POST', comments, { body: 'hello' });
    expect(refused).toMatchObject({ status: 403, body: { message: 'Resource not accessible by integration' } });
    expect((await asWho('readOnly')('GET', comments)).status).toBe(200);
    expect((await asWho('full')('POST', '/repos/acme/shop/issues/13/comments', { body: 'hello' })).status).toBe(404);
    pulls.world.lock(12);
    expect((await asWho('full')('POST', comments, { body: 'hello' })).status).toBe(403);
  });
});

describe('jobs', () => {
  it('a deployment has statuses, the newest first', async () => {
    const ask = asWho('full');
    const { body } = await ask('POST', '/repos/acme/shop/deployments', {
      ref: sha,
      environment: 'Preview',
      auto_merge: false,
      required_contexts: [],
    });
    const id = String(Reflect.get(Object(body), 'id'));
    for (const state of ['in_progress', 'success'])
      await ask('POST', `/repos/acme/shop/deployments/${id}/statuses`, { state, environment_url: 'https://shop-1.example.app' });
    expect((await ask('GET', `/repos/acme/shop/deployments/${id}/statuses`)).body).toMatchObject([
      { state: 'success', environment_url: 'https://shop-1.example.app' },
      { state: 'in_progress' },
    ]);
    expect((await ask('POST', `/repos/acme/shop/deployments/${id}/statuses`, { state: 'done' })).status).toBe(422);
    expect((await ask('GET', `/repos/acme/shop/deployments?sha=${sha}`)).body).toHaveLength(1);
    expect((await ask('GET', '/repos/acme/shop/deployments?environment=production')).body).toEqual([]);
  });

  it('reviews of a run are told to a job that may read actions', async () => {
    pulls.world.approve('4711', 'production', 'ann');
    const of = '/repos/acme/shop/actions/runs/4711/approvals';
    expect((await asWho('full')('GET', of)).status).toBe(403);
    pulls.world.readActions(true);
    expect((await asWho('full')('GET', of)).body).toMatchObject([
      { state: 'approved', user: { login: 'ann' }, environments: [{ name: 'production' }] },
    ]);
  });

  it('a person learns who the token belongs to, and an app does not', async () => {
    expect((await asWho('full')('GET', '/user')).status).toBe(403);
    expect((await asWho(null, pulls.world.tokenOf('ann'))('GET', '/user')).at('login')).toBe('ann');
  });
});

describe('limits', () => {
  it('an hour that is spent is 403 until it is over', async () => {
    pulls.world.open(12, sha);
    pulls.world.spend(1, 30_000);
    expect((await asWho('full')('GET', path)).headers.get('x-ratelimit-remaining')).toBe('0');
    const refused = await asWho('full')('GET', path);
    expect([refused.status, refused.headers.get('x-ratelimit-reset')]).toEqual([403, String(Math.ceil((clock.now() + 30_000) / 1000))]);
    await clock.sleep(30_000);
    expect((await asWho('full')('GET', path)).status).toBe(200);
  });

  it.each([
    [403, 'retry-after', '20'],
    [429, 'retry-after', '20'],
    [403, 'message', null],
  ] as const)('a host under load answers %d with %s', async (status, how, seconds) => {
    pulls.world.open(12, sha);
    pulls.world.slowDown(20_000, how, status);
    const refused = await asWho('full')('GET', path);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([status, seconds]);
    expect(refused.at('message')).toContain('secondary rate limit');
    await clock.sleep(20_000);
    expect((await asWho('full')('GET', path)).status).toBe(200);
  });
});
