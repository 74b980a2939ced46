import { Failure } from '../core/errors.ts';
import type { Client } from '../http/client.ts';
import { HttpFailure } from '../http/failure.ts';
import { longestWait } from '../http/retry.ts';
import type { CodeHost } from './code-host.ts';
import { type CommentApi, type CommentMark, type HostComment, isSameComment, marked, markOf } from './comment-mark.ts';
import { githubComments } from './github-comments.ts';
import { gitlabNotes } from './gitlab-notes.ts';

/** The report of a run for its pull request. */
export interface Word {
  readonly mark: CommentMark;
  /** Markdown, short enough for the host beside its mark. */
  readonly text: string;
  /** Milliseconds since the run ended. */
  readonly age?: () => number;
}

interface Own extends HostComment {
  readonly mark: CommentMark;
}

/** Most looks at the comments, because comments come and go while a run looks at them. */
const looks = 6;

/**
 * Makes the one comment of this environment and plan hold this word, and takes away doubles that runs made at the same moment: the
 * oldest comment stays. The word of a run that ended later is left alone. Throws `Failure` when the host refuses a write.
 */
export async function upsertComment(api: CommentApi, given: Word, signal: AbortSignal): Promise<'written' | 'unchanged' | 'newer'> {
  const refused = new Set<string>();
  let created: HostComment | null = null;
  let word = given;
  for (let look = 1; look <= looks; look += 1) {
    const listed = await api.list(signal);
    if (look === 1) word = byHost(api, given);
    const found: readonly Own[] = ownOf(listed, word.mark, created).filter(({ id }) => !refused.has(id));
    const [first, ...doubles] = found;
    const body = bodyOf(word, found);
    if (!first) {
      created = await creation(api, body, signal, look < looks);
      continue;
    }
    const newest = found.reduce((one, other) => (endOf(other.mark) > endOf(one.mark) ? other : one));
    const isLate = isAfter(newest.mark, word.mark, word.age ? (api.now?.() ?? null) : null);
    const wanted = isLate ? newest.body : body;
    if (first.body !== wanted) {
      const how = await updated(api, first.id, wanted, signal, look < looks);
      if (how === 'refused') refused.add(first.id);
      if (how === 'gone' && created?.id === first.id) created = null;
      if (how !== 'done') continue;
    }
    for (const { id } of doubles) await removed(api, id, signal);
    if (isLate) return 'newer';
    return first.body === wanted && created === null ? 'unchanged' : 'written';
  }
  if (created !== null) return 'written';
  throw new Failure('PROVIDER_CONFLICT', {
    detail: 'Each time pilotfish wrote the comment on the pull request, somebody took it away or the host refused it.',
    fix: 'Run again.',
  });
}

/** The comments of this environment and plan, the oldest first. A list may lag behind, so the comment that was just created is added. */
function ownOf(listed: readonly HostComment[], mark: CommentMark, created: HostComment | null): readonly Own[] {
  const all = created && !listed.some(({ id }) => id === created.id) ? [...listed, created] : listed;
  return all.flatMap((comment) => {
    const found = comment.isOwn ? markOf(comment.body) : null;
    return found && isSameComment(found, mark) ? [{ ...comment, mark: found }] : [];
  });
}

/** A plan, or a run that failed early, has no receipt of its own. Its comment goes on naming the last receipt of the scope. */
function bodyOf({ mark, text }: Word, found: readonly Own[]): string {
  if (mark.receipt !== null) return marked(mark, text);
  const told = found.filter((one) => one.mark.receipt !== null && (mark.scope === null || one.mark.scope === mark.scope));
  const [last] = told.toSorted((one, other) => endOf(other.mark) - endOf(one.mark));
  return marked(last ? { ...mark, scope: last.mark.scope, receipt: last.mark.receipt } : mark, text);
}

/** The end of the run by the host's clock: the clocks of two machines are never compared. */
function byHost(api: CommentApi, word: Word): Word {
  const now = api.now?.() ?? null;
  if (now === null || !word.age) return word;
  return { ...word, mark: { ...word.mark, endedAt: new Date(Math.floor(now - word.age())).toISOString() } };
}

const endOf = ({ endedAt }: CommentMark): number => Date.parse(endedAt);

/**
 * Whether their run ended later than ours. A mark from the future, by the host's clock, does not count; without that clock, a mark an hour
 * after ours does not either. Such a clock is wrong, or the mark is forged, and it would keep our word away.
 */
function isAfter(theirs: CommentMark, mine: CommentMark, now: number | null): boolean {
  const latest = now === null ? endOf(mine) + 3_600_000 : now + secondMs;
  return endOf(theirs) > endOf(mine) && endOf(theirs) < latest;
}

/** The host tells its time in whole seconds. */
const secondMs = 1_000;

/** `null`: the answer was lost, or the host asks to wait. The next look shows whether the comment exists. */
async function creation(api: CommentApi, body: string, signal: AbortSignal, mayLookAgain: boolean): Promise<HostComment | null> {
  try {
    return await api.create(body, signal);
  } catch (thrown) {
    if (thrown instanceof HttpFailure && mayComeLater(thrown) && mayLookAgain && !signal.aborted) return null;
    throw thrown;
  }
}

/** Whether a later try may succeed: after a short limit, an outage of the host or a lost answer. */
const mayComeLater = ({ code, retryAfter }: HttpFailure): boolean => code === 'PROVIDER_TRANSIENT' && (retryAfter ?? 0) <= longestWait;

/** `refused`: the comment is another app's, and this token may not change it; `gone`: somebody took it away meanwhile; `later`: look again. */
async function updated(
  api: CommentApi,
  id: string,
  body: string,
  signal: AbortSignal,
  mayLookAgain: boolean,
): Promise<'done' | 'refused' | 'gone' | 'later'> {
  try {
    await api.update(id, body, signal);
    return 'done';
  } catch (thrown) {
    if (!(thrown instanceof HttpFailure) || signal.aborted) throw thrown;
    if (thrown.status === 404 || thrown.status === 410) return 'gone';
    if (thrown.status === 403 && thrown.code === 'PROVIDER_AUTH') return 'refused';
    if (mayComeLater(thrown) && mayLookAgain) return 'later';
    throw thrown;
  }
}

/** Another run may be taking the same doubles away. A double that stays is only untidy. */
async function removed(api: CommentApi, id: string, signal: AbortSignal): Promise<void> {
  try {
    await api.remove(id, signal);
  } catch (thrown) {
    if (!isStatus(thrown, 403, 404, 410)) throw thrown;
  }
}

const isStatus = (thrown: unknown, ...statuses: readonly number[]): boolean =>
  thrown instanceof Failure && statuses.includes(thrown.status ?? 0);

/** The comments of one pull request, in the API that its host speaks. */
export function commentsOf(client: Client, host: CodeHost, number: number, env: NodeJS.ProcessEnv): CommentApi {
  if (host.kind === 'gitlab') return gitlabNotes(client, host, number);
  const { block, repository } = host;
  const token = block.auth && 'bearer_env' in block.auth ? (env[block.auth.bearer_env] ?? '') : '';
  return githubComments(client.api(block, { known: { needs: '`pull-requests: write`.' } }), { repository, number, token });
}
