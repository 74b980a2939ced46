import { z } from 'zod';
import { Failure, Interrupted } from '../core/errors.ts';
import { once } from '../core/once.ts';
import type { Client } from '../http/client.ts';
import type { CodeHost } from './code-host.ts';

/** The pull request as the code host shows it now. */
export interface PullNow {
  readonly state: 'open' | 'closed';
  /** Commit at its head. */
  readonly head: string;
  readonly branch: string;
  /** `owner/repo` of its head, on GitLab another project's id; `null` where that repository was deleted. */
  readonly headRepository: string | null;
  /** When it last changed, by the host's clock. */
  readonly at: string;
  readonly labels: readonly string[];
  readonly isDraft: boolean;
  /** `null` where the account was deleted. */
  readonly author: { readonly login: string; readonly isBot: boolean } | null;
}

/** `missing`: the host does not show the pull request. Many reasons look alike there, so `missing` never means closed. */
export type PullAnswer = PullNow | PullUnknown;

export interface PullUnknown {
  readonly state: 'unknown';
  readonly isMissing: boolean;
  /** The beginning of a sentence: `api.github.com gave no answer for the pull request 12`. */
  readonly why: string;
  readonly error: Failure;
}

/** A pull request as the host shows it, alone or in a list. */
export const pullShape = once(() =>
  z.object({
    number: z.int(),
    state: z.enum(['open', 'closed']),
    updated_at: z.string(),
    // Without its labels a pull request counts as unread: a label may be what keeps its scope.
    labels: z.array(z.object({ name: z.string() })),
    draft: z.boolean().nullish(),
    user: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
    head: z.object({ sha: z.string().min(1), ref: z.string(), repo: z.object({ full_name: z.string() }).nullish() }),
  }),
);

export const pullNow = ({ state, head, updated_at: at, labels, draft, user }: z.infer<ReturnType<typeof pullShape>>): PullNow => ({
  state,
  head: head.sha,
  branch: head.ref,
  headRepository: head.repo?.full_name ?? null,
  at,
  labels: labels.map(({ name }) => name),
  isDraft: draft === true,
  author: authorOf(user),
});

/** The account of an app is a bot. The host shows no account where it was deleted. */
export const authorOf = (user: { readonly login: string; readonly type?: string | undefined } | null | undefined): PullNow['author'] =>
  user ? { login: user.login, isBot: user.type === 'Bot' || user.login.endsWith('[bot]') } : null;

function pullRequestNow(number: number, body: unknown): PullNow | null {
  const { data } = pullShape().safeParse(body);
  return data?.number === number ? pullNow(data) : null;
}

/** Asks the code host for a pull request, anew each time. Where the host does not tell, the answer is `unknown`, with the reason in words. */
export async function askPullRequest(client: Client, host: CodeHost, number: number, signal: AbortSignal): Promise<PullAnswer> {
  const unknown = (what: string, thrown?: Failure): PullUnknown => {
    const why = `${new URL(host.block.base_url).host} ${what} for the pull request ${number}`;
    return {
      state: 'unknown',
      isMissing: thrown?.status === 404,
      why,
      error: thrown ?? new Failure('PROVIDER_RESPONSE', { detail: `${why}.` }),
    };
  };
  try {
    const path = host.kind === 'gitlab' ? mergeRequestPath(host, number) : `/repos/${host.repository}/pulls/${number}`;
    const { body } = await client.api(host.block).send({ method: 'GET', path }, { purpose: 'read', share: false, signal });
    const now = host.kind === 'gitlab' ? mergeRequestNow(host, number, body) : pullRequestNow(number, body);
    return now ?? unknown('gave an answer that pilotfish cannot read');
  } catch (thrown) {
    if (signal.aborted) throw new Interrupted();
    if (!(thrown instanceof Failure)) throw thrown;
    if (thrown.status === 404) return unknown('answers 404, as it does for a missing permission,', thrown);
    return unknown(thrown.status ? `answered ${thrown.status}` : 'gave no answer', thrown);
  }
}

/** Where the API of GitLab has a merge request: https://docs.gitlab.com/api/merge_requests/#retrieve-a-merge-request. */
export const mergeRequestPath = (host: CodeHost, iid: number): string => `${mergeRequestsPath(host)}/${iid}`;

export const mergeRequestsPath = (host: CodeHost): string =>
  `/projects/${host.project ?? encodeURIComponent(host.repository)}/merge_requests`;

export const mergeRequestShape = once(() =>
  z.object({
    iid: z.int(),
    // A merge request is `locked` while GitLab merges it.
    state: z.enum(['opened', 'closed', 'locked', 'merged']),
    sha: z.string().min(1).nullable(),
    source_branch: z.string(),
    source_project_id: z.int().nullish(),
    project_id: z.int(),
    updated_at: z.string(),
    labels: z.array(z.string()),
    draft: z.boolean().nullish(),
    author: z.object({ username: z.string() }).nullish(),
  }),
);

/** A merge request as a pull request; `null` for an answer that is no merge request, or is about another one. */
export function mergeRequestNow(host: CodeHost, iid: number, body: unknown): PullNow | null {
  const { data } = mergeRequestShape().safeParse(body);
  return data?.iid === iid ? mergeNow(host, data) : null;
}

export function mergeNow({ repository }: CodeHost, merge: z.infer<ReturnType<typeof mergeRequestShape>>): PullNow {
  const { state, sha, author, source_project_id: source } = merge;
  return {
    state: state === 'closed' || state === 'merged' ? 'closed' : 'open',
    // A merge request whose branch has no commit has no head.
    head: sha ?? '',
    branch: merge.source_branch,
    headRepository: source === merge.project_id ? repository : source ? `project ${source}` : null,
    at: merge.updated_at,
    labels: merge.labels,
    isDraft: merge.draft === true,
    author: author ? { login: author.username, isBot: isGitlabBot(author.username) } : null,
  };
}

/** GitLab tells a bot by its name alone: the accounts of access tokens, and service accounts. */
const isGitlabBot = (username: string): boolean => /^(?:project|group)_\d+_bot(?:_|$)|^service_account_/.test(username);
