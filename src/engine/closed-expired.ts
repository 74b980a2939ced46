import { dayText, spanText } from '../core/life-span.ts';
import { lostCommits } from '../host/lost-commits.ts';
import { askPullRequest, type PullAnswer, type PullNow } from '../host/pull-request.ts';
import { belongingOf } from '../ledger/model/belongs.ts';
import type { HistoryEntry, Renewal } from '../ledger/model/facts.ts';
import { packedScope } from '../ledger/model/removed.ts';
import { notReached } from './closed-belongs.ts';
import { goesSoon, putAbove, warnMs, went } from './closed-comment.ts';
import { destroyScope, type Reason } from './closed-destroy.ts';
import type { ClosedWork, Expiry, Say, Scope, Turn } from './closed-work.ts';
import type { ClosedScopeDoc } from './document.ts';
import type { Session } from './session.ts';
import { endOf } from './timing/renewal.ts';
import type { NoRenewal } from './trust/last-renewal.ts';
import type { Trust } from './trust/trust.ts';

/**
 * When the scope ends, or why that is not known. The later one of two ends holds: the stored one, so that nothing goes earlier than its
 * comment said, and that of the plan at hand. Without `lifetime` in that plan nothing expires, whatever a ledger says.
 */
export async function expiryOf({ plan }: ClosedWork, trust: Trust, pulls: readonly number[]): Promise<Expiry | NoRenewal> {
  const lifetime = plan?.lifetime ?? null;
  const span = (pulls.length > 0 ? lifetime?.idleMs : lifetime?.othersMs) ?? null;
  if (span === null) return { why: pulls.length > 0 ? 'the plan has no `lifetime.idle`' : 'the plan has no `lifetime.others`' };
  const renewed: Renewal | NoRenewal = await trust.lastRenewal();
  if ('why' in renewed) return renewed;
  const end = endOf({ ...renewed, staysMs: Math.max(renewed.staysMs, span) });
  if (end === null) return { why: 'its end lies beyond every date' };
  return { end, labels: [lifetime?.label, renewed.label].flatMap((label) => label ?? []) };
}

/** Milliseconds until the end, by the code host's clock; `null` where the host tells no time. Below zero the scope is over. */
export function leftOf({ client, host }: Pick<ClosedWork, 'client' | 'host'>, { end }: Expiry): number | null {
  const now = client.api(host.block).time?.() ?? null;
  return now === null ? null : end - now;
}

/** The label that keeps a scope, of those that its pull requests have. */
export const labelOf = (pulls: Iterable<PullNow>, { labels }: Expiry): string | null =>
  [...pulls].flatMap((pull) => pull.labels).find((label) => labels.includes(label)) ?? null;

/** Why a scope whose end is past stays all the same; `null` when nothing keeps it. Pull requests that cannot be read may have the label. */
export async function whyKept(
  pulls: readonly number[],
  expiry: Expiry,
  ask: (pull: number) => Promise<PullAnswer>,
): Promise<string | null> {
  for (const pull of pulls) {
    const answer = await ask(pull);
    if (answer.state === 'unknown') return `it is not known whether a label keeps it: ${answer.why}`;
    const label = answer.state === 'open' ? labelOf([answer], expiry) : null;
    if (label !== null) return `the pull request ${pull} has the label ${label}, which keeps it`;
  }
  return null;
}

/** Whether somebody moved the branch back by force. An older commit has an older end, sealed as well. */
export async function hasLostCommits({ client, host, store, signal }: ClosedWork, branch: string): Promise<boolean> {
  const lost = await lostCommits(client, host, branch, signal);
  if (lost.length === 0) return false;
  const removed = await packedScope(store, branch).catch(() => null);
  return lost.some((commit) => commit !== removed?.head);
}

interface Looked {
  readonly scope: Scope;
  readonly trust: Trust;
  /** The end of the scope when it is not over. */
  readonly stays: ClosedScopeDoc;
  readonly isEmpty: boolean;
}

/**
 * Judges a scope that no closed pull request ends: by its time, with `--expired`. It stays where that is not known. The labels of the list
 * are the first look, and spare the questions of the scope's own turn.
 */
export async function judgeExpiry(work: ClosedWork, { scope, trust, stays, isEmpty }: Looked): Promise<ClosedScopeDoc | Turn> {
  if (!work.request.isExpired || isEmpty) return stays;
  const keep = (why: string, more: Partial<ClosedScopeDoc> = {}): ClosedScopeDoc => ({ ...stays, why: `${stays.why}; ${why}`, ...more });
  const expiry = await expiryOf(work, trust, scope.pulls);
  if ('why' in expiry) return keep(`it does not expire: ${expiry.why}`);
  const open = await work.pulls.open();
  const label = labelOf(
    scope.pulls.flatMap((pull) => open.get(pull) ?? []),
    expiry,
  );
  const lifetime = { goesAt: new Date(expiry.end).toISOString(), ...(expiry.labels[0] !== undefined && { label: expiry.labels[0] }) };
  if (label !== null) return keep(`its label ${label} keeps it`);
  const left = leftOf(work, expiry);
  if (left === null) return keep('it does not expire: the code host tells no time');
  if (left > 0 && left < warnMs) await putAbove(work, scope, goesSoon(expiry));
  if (left > 0) return keep(`it goes on ${dayText(expiry.end)} unless it is applied again`, { lifetime });
  const { branch, pulls } = scope;
  const say: Say = (outcome, why, more = {}) => {
    const { unowned: _unowned, warnings: _warnings, ...known } = stays;
    return { ...known, lifetime, outcome, why, ...more };
  };
  return {
    branch,
    // A runner that died in the last apply holds its lease for ever. A living run writes while the sweep waits, and keeps the scope.
    isHeld: scope.isHeld,
    act: async (cost) => {
      if (work.signal.aborted) return notReached(branch, pulls);
      const kept = await whyKept(pulls, expiry, (pull) => work.pulls.ask(pull));
      if (kept !== null) return keep(kept, { lifetime });
      if (await hasLostCommits(work, branch)) return keep('somebody moved its receipts branch by force, so its end is not known');
      const doc = await destroyScope(work, scope, { cost, say, reason: expired(work, scope, expiry, -left) });
      if (doc.outcome === 'destroyed') await putAbove(work, scope, went(expiry));
      return doc;
    },
  };
}

/** Why a sweep ends this scope. Under its lease the run looks once more at all that could keep it. */
export function expired(work: ClosedWork, scope: Scope, expiry: Expiry, past: number): Reason {
  const since = `${spanText(past)} ago`;
  const why = `${scope.pulls.length > 0 ? 'it was not applied' : 'no pull request has it, and it was not applied'}, and its time was over ${since}`;
  return { why, freshness: (session) => stillExpired(session, work, { scope, expiry }) };
}

function stillExpired(session: Session, { host }: ClosedWork, { scope, expiry }: { readonly scope: Scope; readonly expiry: Expiry }) {
  let seen: { readonly epoch: number; readonly history: string } | null = null;
  let after: string | null = null;
  let isOpen = false;
  const ask = async (pull: number): Promise<PullAnswer> => {
    const answer = await askPullRequest(session.client, host, pull, session.stopping);
    isOpen ||= answer.state === 'open';
    return answer;
  };
  return {
    judge: async (): Promise<string | null> => {
      const { head, epoch, history } = session.writer;
      after = history.at(-1)?.run ?? null;
      const now = { epoch, history: textOf(history) };
      if (seen === null ? head !== scope.head : now.epoch !== seen.epoch || now.history !== seen.history) return movedWhy;
      seen = now;
      const pulls = new Set([...scope.pulls, ...belongingOf(session.writer.state).pulls]);
      const kept = await whyKept([...pulls], expiry, ask);
      return kept && `${kept}.`;
    },
    facts: (): Partial<Pick<HistoryEntry, 'pull' | 'after'>> => ({
      ...(scope.pulls.length > 0 && { pull: isOpen ? ('open' as const) : ('closed' as const) }),
      after,
    }),
  };
}

const movedWhy = 'another run wrote to it since the sweep looked, so it is in use.';
const textOf = (history: readonly HistoryEntry[]): string => history.map(({ run }) => run).join();
