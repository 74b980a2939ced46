import { z } from 'zod';
import { Failure } from '../core/errors.ts';
import { once } from '../core/once.ts';
import { HttpFailure } from '../http/failure.ts';
import type { Http } from '../http/types.ts';
import { type CommentApi, type HostComment, markOf } from './comment-mark.ts';

const shape = once(() =>
  z.object({
    id: z.int(),
    body: z.string().nullish(),
    // GitHub answers `null` for a deleted account.
    user: z.object({ login: z.string(), type: z.string().nullish() }).nullish(),
  }),
);
type Shown = z.infer<ReturnType<typeof shape>>;

/** A write that must wait is sent again only after a look, because another run may have written meanwhile. */
const sentOnce = { retry: 'none' } as const;

const perPage = 100;
/** Ten thousand comments. A pull request with more of them before ours gets a second comment of ours. */
const mostPages = 100;

/** Comments of a pull request at GitHub, whose API calls it an issue there. */
export function githubComments(
  http: Http,
  o: { readonly repository: string; readonly number: number; readonly token: string },
): CommentApi {
  const { repository, number } = o;
  const all = `/repos/${repository}/issues/${number}/comments`;
  const one = (id: string): string => `/repos/${repository}/issues/comments/${id}`;
  let account: Promise<string | null> | null = null;

  return {
    longest: 65_536,
    now: () => http.time?.() ?? null,
    list: async (signal) => {
      const shown = await listed(http, all, signal);
      if (!shown.some(({ body }) => markOf(body ?? ''))) return shown.map((comment) => hostComment(comment, false));
      account ??= loginOf(http, o.token, signal);
      const isOwn = ownership(shown, await account);
      return shown.map((comment) => hostComment(comment, isOwn(comment)));
    },
    create: async (body, signal) => {
      const answer = await http.send({ method: 'POST', path: all, body: { body } }, { purpose: 'write', signal, ...sentOnce });
      return hostComment(parsed(shape(), answer.body, http), true);
    },
    update: async (id, body, signal) => {
      await http.send({ method: 'PATCH', path: one(id), body: { body } }, { purpose: 'write', signal, ...sentOnce });
    },
    remove: async (id, signal) => {
      await http.send({ method: 'DELETE', path: one(id) }, { purpose: 'write', signal, accept: [404] });
    },
  };
}

const hostComment = ({ id, body }: Shown, isOwn: boolean): HostComment => ({ id: String(id), body: body ?? '', isOwn });

async function listed(http: Http, path: string, signal: AbortSignal): Promise<readonly Shown[]> {
  const found: Shown[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { per_page: String(perPage), page: String(page) };
    const { body, headers } = await http.send({ method: 'GET', path, query }, { purpose: 'read', signal, share: false });
    found.push(...parsed(z.array(shape()), body, http));
    if (!/;\s*rel="?next"?/.test(headers.link ?? '')) break;
  }
  return found;
}

function parsed<T>(wanted: z.ZodType<T>, body: unknown, { block }: Http): T {
  const { data } = wanted.safeParse(body);
  if (data !== undefined) return data;
  throw new Failure('PROVIDER_RESPONSE', {
    detail: `${new URL(block.base_url).host} gave an answer about the comments of the pull request that pilotfish cannot read.`,
  });
}

/** Tokens of a job and of other apps. The host does not tell which app a token belongs to (403 at `GET /user`, 2026-11). */
const ofApp = /^ghs_/;
const jobs = 'github-actions[bot]';

/** The login of the token's account; `null` for an app. */
async function loginOf(http: Http, token: string, signal: AbortSignal): Promise<string | null> {
  if (ofApp.test(token)) return null;
  try {
    const { body } = await http.send({ method: 'GET', path: '/user' }, { purpose: 'read', signal });
    return parsed(z.object({ login: z.string().min(1) }), body, http).login;
  } catch (thrown) {
    // Older hosts give apps tokens that look like those of people.
    if (thrown instanceof HttpFailure && thrown.status === 403 && thrown.retryAfter === null) return null;
    throw thrown;
  }
}

/**
 * Tells which comments the token's account wrote. An app looks for comments of a job, then for comments of any app with our mark. The host
 * decides whether the app may change them. No app ever takes a person's comment for its own.
 */
function ownership(shown: readonly Shown[], login: string | null): (comment: Shown) => boolean {
  if (login !== null) return ({ user }) => user?.login.toLowerCase() === login.toLowerCase();
  const isBot = ({ user }: Shown): boolean => user?.type === 'Bot' && user.login.endsWith('[bot]');
  const isJob = (comment: Shown): boolean => isBot(comment) && comment.user?.login === jobs;
  const hasJobs = shown.some((comment) => isJob(comment) && markOf(comment.body ?? ''));
  return hasJobs ? isJob : isBot;
}
