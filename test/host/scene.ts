import { githubCi } from 'pilotfish-sandbox/github-ci/index';
import { mount, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { Redactor } from '../../src/core/redact.ts';
import { codeHostOf, isCodeHost } from '../../src/host/code-host.ts';
import type { CommentMark } from '../../src/host/comment-mark.ts';
import { commentsOf, upsertComment } from '../../src/host/upsert-comment.ts';
import { createClient } from '../../src/http/client.ts';
import { expectContracts } from '../contracts/expect.ts';
import { LeapingClock } from '../support/leaping-clock.ts';

/** A pull request 12 of `acme/shop` at its code host, and jobs that write there with tokens of their own. */
export function openScene() {
  const clock = new LeapingClock();
  const host = githubCi({ clock, repository: 'acme/shop' });
  host.world.open(12, 'a'.repeat(40));
  const dispatcher = mount([host]);
  const clients: { close(): void }[] = [];
  const signal = new AbortController().signal;

  const clientOf = (token: string, during = signal) => {
    const env = { GITHUB_REPOSITORY: 'acme/shop', GITHUB_TOKEN: token };
    const found = codeHostOf(env, null);
    if (!isCodeHost(found)) throw new Error(found.why);
    const client = createClient({ env, redactor: new Redactor(), signal: during, clock, dispatcher, random: () => 0 });
    clients.push(client);
    return { client, host: found, env };
  };
  const apiOf = (token: string = host.tokens.full) => {
    const { client, host: found, env } = clientOf(token);
    return commentsOf(client, found, 12, env);
  };
  const mark = (change: Partial<CommentMark> = {}): CommentMark => ({
    environment: 'preview',
    plan: null,
    scope: 'pr-12',
    run: 'r1',
    endedAt: '2026-11-21T12:00:00.000Z',
    receipt: null,
    ...change,
  });
  return {
    clock,
    host,
    world: host.world,
    signal,
    clientOf,
    apiOf,
    mark,
    say: (text: string, change: Partial<CommentMark> = {}, token?: string) =>
      upsertComment(apiOf(token), { mark: mark(change), text }, signal),
    bodies: () => host.world.comments(12).map(({ body }) => body),
    /** Method and status of each request since an earlier length of the log. */
    asked: (since = 0) =>
      host.log.slice(since).map(({ method, path, status }) => `${method} ${path.replace('/repos/acme/shop', '')} ${status}`),
    close: async () => {
      for (const client of clients) client.close();
      verifyHandled([host]);
      expectContracts([host]);
    },
  };
}

export type Scene = ReturnType<typeof openScene>;
