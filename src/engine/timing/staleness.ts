import type { PullNow } from '../../host/pull-request.ts';
import { isToCome } from '../../http/host-clock.ts';
import type { HistoryEntry } from '../../ledger/model/facts.ts';
import type { Trigger } from './trigger.ts';
import { type Wanting, whyUnwanted } from './wanted.ts';

/** Everything that tells whether a run is too late. */
export interface Situation {
  readonly command: 'apply' | 'destroy';
  readonly trigger: Trigger;
  /** `null` where the run is for no pull request. */
  readonly pr: number | null;
  readonly commit: string | null;
  /** The code host's present answer; `null` where nobody can ask it. */
  readonly pull: PullNow | null;
  readonly history: readonly HistoryEntry[];
  /** A pull request keeps its scope only with this; `null`: it needs nothing. */
  readonly wanting?: Wanting | null;
  /** The time at the code host; `null` while none of its answers told it. */
  readonly hostNow: number | null;
  /** Whether the first commit is a proper ancestor of the second; `false` where nobody knows. */
  readonly isOlder: (older: string, newer: string) => Promise<boolean>;
  /** Whether the commit is the head of the run's branch at the remote. */
  readonly isHead: (commit: string) => Promise<boolean>;
}

/**
 * The reason why a run must write nothing, as a sentence; `null` when it is in time. The pull request as it is now is the authority; history
 * and ancestry decide only where nobody can be asked. A person is never too late.
 */
export async function staleBecause(situation: Situation): Promise<string | null> {
  const { command, trigger, pull } = situation;
  if (trigger.kind === 'person') return null;
  // An answer from before the event is one of a replica that has not heard of it.
  const now = pull && !(trigger.changedAt !== null && isBefore(pull.at, trigger.changedAt)) ? pull : null;
  if (command === 'destroy') return now ? openNow(situation, now) : reopenedSince(situation);
  return now ? await lateByHost(situation, now) : await lateByHistory(situation);
}

const named = ({ pr }: Situation): string => `the pull request ${pr ?? ''}`.trimEnd();
const isBefore = (a: string, b: string): boolean => Date.parse(a) < Date.parse(b);
const isSameTime = (a: string, b: string): boolean => Date.parse(a) === Date.parse(b);
const short = (commit: string): string => commit.slice(0, 12);
const isSame = (a: string, b: string): boolean => a === b || (b.length >= 7 && a.startsWith(b)) || (a.length >= 7 && b.startsWith(a));
const isDestroy = ({ outcome }: HistoryEntry): boolean => outcome.startsWith('destroyed');

/** An apply, however it ended. A destroy of a part of the scope is none. */
export const isApply = (entry: HistoryEntry): boolean => !isDestroy(entry) && !isPart(entry);

/** Begins the outcome of a destroy that `--only` narrowed: neither an end of the scope nor an apply of its commit. */
export const partly = 'partly ';
const isPart = ({ outcome }: HistoryEntry): boolean => outcome.startsWith(partly);

function openNow(situation: Situation, now: PullNow): string | null {
  if (now.state === 'open' && situation.wanting && whyUnwanted(now, situation.wanting) !== null) return null;
  return now.state === 'open' ? `${named(situation)} is open, and an event does not destroy what it uses.` : null;
}

/** A `closed` that comes after the pull request was opened again, be it in the same second. */
function reopenedSince(situation: Situation): string | null {
  const { pr, history, trigger } = situation;
  const { at } = trigger;
  const later =
    eventAfter(situation) ??
    history.findLast(({ reopened, eventAt }) => reopened && at !== null && eventAt !== undefined && isSameTime(eventAt, at));
  return later && !isDestroy(later) && !isPart(later)
    ? `the pull request ${pr ?? ''} was opened again at ${later.eventAt}, after this event.`
    : null;
}

/** No job of an event runs later than this after the event. */
const longestJobMs = 35 * 86_400_000;

/** An entry of a later event of the same pull request. An entry from the host's future does not count, or it would stop all jobs until then. */
function eventAfter({ history, hostNow, trigger: { at } }: Situation): HistoryEntry | undefined {
  if (at === null) return undefined;
  const now = hostNow ?? Date.parse(at) + longestJobMs;
  return history.findLast(({ eventAt }) => eventAt !== undefined && isBefore(at, eventAt) && !isToCome(Date.parse(eventAt), now));
}

/** The close of the same second. The host's times are whole seconds. */
function closedInThatSecond({ history, trigger: { at, precedesClose } }: Situation): HistoryEntry | undefined {
  if (at === null || !precedesClose) return undefined;
  return history.findLast((entry) => isDestroy(entry) && wasClosed(entry) && entry.eventAt !== undefined && isSameTime(entry.eventAt, at));
}

async function lateByHost(situation: Situation, now: PullNow): Promise<string | null> {
  const { trigger, commit, history } = situation;
  if (now.state === 'closed') return `${named(situation)} is closed.`;
  const unwanted = situation.wanting && whyUnwanted(now, situation.wanting);
  if (unwanted) return `${named(situation)} ${unwanted}.`;
  const destroyed = destroyedBy(history);
  if (destroyed && trigger.kind === 'deployment' && !wasClosed(destroyed)) {
    return `this scope was destroyed at ${destroyed.at} while ${named(situation)} was open, and a deployment does not bring it back.`;
  }
  if (commit === null || isSame(now.head, commit)) return null;
  const late = `${short(commit)} is not the head of ${named(situation)} any more; the head is now ${short(now.head)}.`;
  if (trigger.kind === 'deployment' || trigger.isRerun) return late;
  // The first run of an event may be faster than the host's own replicas. So another head counts only if the host's answer is the later word.
  if (trigger.kind === 'pull_request' && trigger.at !== null && isBefore(trigger.at, now.at)) return late;
  // Two pushes of one second: an answer that has not heard of the event shows the head before it.
  if (trigger.before !== undefined && trigger.at !== null && isSameTime(trigger.at, now.at) && !isSame(trigger.before, now.head))
    return late;
  return (await situation.isOlder(commit, now.head)) ? late : null;
}

async function lateByHistory(situation: Situation): Promise<string | null> {
  const { trigger, commit, history, pr } = situation;
  const isLifecycle = trigger.kind === 'pull_request' && !trigger.isRerun;
  if (trigger.says === 'closed' && trigger.kind === 'pull_request') return `${named(situation)} is closed, as this event says.`;
  const later = eventAfter(situation) ?? closedInThatSecond(situation);
  if (later) {
    return `a later event of ${named(situation)}, from ${later.eventAt}, was ${isDestroy(later) ? 'its end' : isPart(later) ? 'carried out' : 'applied'} already.`;
  }
  const destroyed = destroyedBy(history);
  if (destroyed && trigger.kind === 'deployment')
    return `this scope was destroyed at ${destroyed.at}, and a deployment does not bring it back.`;
  // Every push, opening and reopening says that the pull request wants its scope.
  if (isLifecycle || commit === null) return null;
  const known = history.some((entry) => !isPart(entry) && entry.commit !== null && isSame(entry.commit, commit));
  if (destroyed && (known || (destroyed.commit !== null && (await situation.isOlder(commit, destroyed.commit)))))
    return `this scope was destroyed at ${destroyed.at}, after ${short(commit)} was applied or passed over.`;
  if (pr === null) return null;
  const last = history.findLast((entry) => !isDestroy(entry) && !isPart(entry) && entry.commit !== null)?.commit;
  if (!last || isSame(last, commit)) return null;
  const isPassed = known || (await situation.isOlder(commit, last));
  // After a push back to an earlier commit, that commit is the branch's head.
  if (!isPassed || (await situation.isHead(commit))) return null;
  return `${short(commit)} is older than ${short(last)}, which was applied already.`;
}

/** The entry that destroyed the scope, unless a run that knew of it has applied since. */
export function destroyedBy(history: readonly HistoryEntry[]): HistoryEntry | null {
  const index = history.findLastIndex(isDestroy);
  const entry = history[index];
  if (!entry) return null;
  const knewOfIt = ({ after }: HistoryEntry): boolean => after === undefined || history.findIndex(({ run }) => run === after) >= index;
  return history.slice(index + 1).some((later) => !isPart(later) && knewOfIt(later)) ? null : entry;
}

/** Whether the scope was destroyed because its pull request was closed. If the pull request is open now, it was opened again. */
const wasClosed = ({ pull, event }: HistoryEntry): boolean => pull === 'closed' || /^(pull|merge)_request/.test(event ?? '');
