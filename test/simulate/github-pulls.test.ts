import { afterEach, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { asking } from './ask.ts';
import { githubPulls } from './github-pulls.ts';
import { verifyHandled } from './kit/index.ts';

const sha = 'a'.repeat(40);
const pulls = githubPulls({ repository: 'acme/shop' });
afterEach(() => {
  verifyHandled([pulls]);
  expectContracts([pulls]);
});
const asWho = (token: 'full' | 'blind' | null) =>
  asking(pulls, { 'user-agent': 'test', ...(token && { authorization: `Bearer ${pulls.tokens[token]}` }) });
const path = '/repos/Acme/shop/pulls/12';

it('a pull request tells its state, its head and when it last changed', async () => {
  pulls.world.open(12, sha);
  expect((await asWho('full')('GET', path)).body).toMatchObject({
    number: 12,
    state: 'open',
    head: { sha, ref: 'feature' },
    merged: false,
  });
  pulls.world.close(12, 'merged');
  expect((await asWho('full')('GET', path)).body).toMatchObject({ state: 'closed', merged: true });
  pulls.world.reopen(12);
  pulls.world.push(12, 'b'.repeat(40));
  expect((await asWho('full')('GET', path)).body).toMatchObject({ state: 'open', head: { sha: 'b'.repeat(40) }, closed_at: null });
});

it('one that is not there, or not to be seen, is 404, and without a token it is 401', async () => {
  expect((await asWho('full')('GET', '/repos/acme/shop/pulls/13')).status).toBe(404);
  expect((await asWho('blind')('GET', path)).status).toBe(404);
  expect((await asWho(null)('GET', path)).status).toBe(401);
});
