import { Failure, Interrupted } from '../../core/errors.ts';
import { type CodeHost, codeHostOf, isCodeHost } from '../../host/code-host.ts';
import { askPullRequest, type PullAnswer, type PullNow } from '../../host/pull-request.ts';
import { pullsOf } from '../../host/pulls-of.ts';
import { lastPullOf } from '../../ledger/model/belongs.ts';
import type { HistoryEntry } from '../../ledger/model/facts.ts';
import { type RemovedScope, removedScope } from '../../ledger/model/removed.ts';
import { isProduction } from '../../plan/context.ts';
import { isAncestor } from '../../platform/ancestry.ts';
import type { RepositoryFacts } from '../../platform/checkout.ts';
import type { Session } from '../session.ts';
import type { RunRequest } from '../types.ts';
import { hostPatience } from './host-patience.ts';
import { staleBecause } from './staleness.ts';
import { type Trigger, triggerOf } from './trigger.ts';

/** Whether a run is in time. It is asked before its lines start, and again under the lease before its first write. */
export interface Freshness {
  /** The reason why the run must write nothing, as a sentence; `null` when it is in time. */
  judge(): Promise<string | null>;
  /** The members of the run's line of history. */
  facts(): Pick<HistoryEntry, 'eventAt' | 'reopened' | 'pull' | 'after'> & Partial<Pick<HistoryEntry, 'event'>>;
}

/** The freshness of a run that an event or a person set off. Production has no pull request that could be closed. */
export function freshnessOf(
  session: Session,
  o: { readonly request: RunRequest; readonly repository: RepositoryFacts | null; readonly pr: number | null },
): Freshness {
  const { env, cwd } = o.request;
  const trigger = triggerOf(env, o.pr);
  let after: string | null = null;
  let pull: PullNow | null = null;

  const judge = async (): Promise<string | null> => {
    after = session.writer.history.at(-1)?.run ?? null;
    if (trigger.kind === 'person' || isProduction(session.environment)) return null;
    const history = await historyOf(session, trigger);
    const pr = o.pr ?? prOf(session, history);
    pull = pr === null ? null : await ask(session, o.repository, pr);
    return await staleBecause({
      command: o.request.destroy ? 'destroy' : 'apply',
      trigger,
      pr,
      commit: commitOf(session, o.request, trigger),
      pull,
      history,
      wanting: o.request.wanting ?? null,
      hostNow: hostNow(session, o.repository),
      isOlder: async (older, newer) =>
        (await isAncestor({ cwd, env, facts: o.repository }, older, newer)) ||
        (pr !== null && pull?.head === newer && (await isBelowHead(session, o.repository, { pr, head: newer, commit: older }))),
      isHead: async (commit) => session.branch !== null && (await headOf(session, session.branch)) === commit,
    });
  };
  return {
    judge,
    facts: () => ({
      event: trigger.event,
      ...(trigger.at !== null && { eventAt: trigger.at }),
      ...(trigger.reopens && { reopened: true }),
      ...(pull && { pull: pull.state }),
      after,
    }),
  };
}

/**
 * A shallow checkout does not know what came before. There the code host tells: a commit of the pull request that is not its head stands
 * below it. `false` where the host does not tell.
 */
async function isBelowHead(
  { client, env, stopping }: Session,
  repository: RepositoryFacts | null,
  { pr, head, commit }: { readonly pr: number; readonly head: string; readonly commit: string },
): Promise<boolean> {
  const host = codeHostOf(env, repository);
  if (!repository?.shallow || commit === head || !isCodeHost(host) || host.kind !== 'github') return false;
  const pulls = await pullsOf(client, host, commit, stopping).catch(() => []);
  return pulls.some((pull) => pull.number === pr && pull.head === head);
}

function hostNow({ client, env }: Session, repository: RepositoryFacts | null): number | null {
  const host = codeHostOf(env, repository);
  return isCodeHost(host) ? (client.api(host.block).time?.() ?? null) : null;
}

/** In a pull request job without its event, the checkout is a merge commit that nobody pushed, so nothing follows from it. */
const commitOf = (session: Session, request: RunRequest, trigger: Trigger): string | null =>
  request.sha ?? trigger.sha ?? (/^(pull|merge)_request/.test(trigger.event ?? '') ? null : session.sha);

/** The history of the scope. A scope whose branch was removed counts as destroyed for late events. */
async function historyOf(session: Session, trigger: Trigger): Promise<readonly HistoryEntry[]> {
  const { history } = session.writer;
  // A pull request that begins, goes on or comes back needs no history of a removed scope. Other events ask for it.
  if (session.writer.head !== null || (trigger.kind === 'pull_request' && !trigger.isRerun)) return history;
  const removed: RemovedScope | null = await removedScope(session.store, session.receiptsBranch);
  return removed ? [removed.last] : history;
}

/** The pull request that the scope was last applied for, where the run itself names none. */
const prOf = ({ repository, writer }: Session, history: readonly HistoryEntry[]): number | null =>
  lastPullOf({ ...writer.state, history }, repository);

async function ask(session: Session, repository: RepositoryFacts | null, pr: number): Promise<PullNow | null> {
  const host = codeHostOf(session.env, repository);
  const answer = isCodeHost(host) ? await answerOf(session, host, pr) : host.why;
  if (typeof answer !== 'string' && answer.state !== 'unknown') return answer;
  const why = typeof answer === 'string' ? answer : answer.why;
  const notice = `It is not known whether the pull request ${pr} is open: ${why}. History and ancestry decide.`;
  if (!session.warnings.includes(notice)) session.warnings.push(notice);
  return null;
}

/** Gives the host's answer, or the reason why none came in the time that the run has. */
async function answerOf(session: Session, host: CodeHost, pr: number): Promise<PullAnswer | string> {
  const { clock, client, stopping, waitUntil } = session;
  try {
    const o = { clock, signal: stopping, leftMs: waitUntil - clock.mono() };
    return await hostPatience(o, (signal) => askPullRequest(client, host, pr, signal));
  } catch (thrown) {
    if (stopping.aborted) throw new Interrupted();
    if (!(thrown instanceof Failure)) throw thrown;
    return 'the code host gave no answer in the time that this run has';
  }
}

async function headOf(session: Session, branch: string): Promise<string | null> {
  try {
    return await session.store.head(`refs/heads/${branch}`);
  } catch {
    return null;
  }
}
