import { toErrorData } from '../core/errors.ts';
import { askPullRequest } from '../host/pull-request.ts';
import { belongingOf } from '../ledger/model/belongs.ts';
import { applyOpened } from './apply.ts';
import { judgePulls, type MayEnd, stays } from './closed-pulls.ts';
import type { ClosedWork, Cost, Say, Scope } from './closed-work.ts';
import type { ApplyDoc, ClosedScopeDoc, RunEvent } from './document.ts';
import { lookByPlan } from './look-by-plan.ts';
import { noPlan } from './prepare/destroy-target.ts';
import { openSession } from './prepare/open-session.ts';
import { wantedBy } from './prepare/recorded-lines.ts';
import type { Session } from './session.ts';
import type { Freshness } from './timing/freshness.ts';
import type { RunRequest } from './types.ts';

/** Why a sweep ends a scope, and what must still hold under its lease. */
export interface Reason {
  readonly why: string;
  readonly freshness: (session: Session) => Freshness;
}

/** The host has just told that no pull request of the scope keeps it. */
export const mayEnd = (work: ClosedWork, scope: Scope, told: MayEnd): Reason => ({
  why: told.why,
  freshness: (session) => onlyEnding(session, work, scope, told),
});

/** Ends one scope of a sweep by a run of its own. */
export async function destroyScope(
  work: ClosedWork,
  scope: Scope,
  { cost, say, reason }: { readonly cost: Cost; readonly say: Say; readonly reason: Reason },
): Promise<ClosedScopeDoc> {
  if (work.request.isPlan) return say('would destroy', reason.why);
  try {
    const doc = await runDestroy(work, scope, cost, reason);
    const { runId, lines, hosts, warnings } = doc;
    const more = { runId, lines, ...(hosts && { hosts }), ...(warnings.length > 0 && { warnings }) };
    switch (doc.status) {
      case 'complete':
        return say('destroyed', reason.why, more);
      case 'stale':
        return say('kept', doc.warnings[0] ?? 'another run took the scope over', more);
      case 'interrupted':
        return say('interrupted', 'the run was interrupted during its destroy', more);
      case 'partial':
      case 'failed':
        return say('failed', 'its destroy failed; the next one goes on from there', { ...more, ...(doc.error && { error: doc.error }) });
    }
  } catch (thrown) {
    if (work.signal.aborted) return say('interrupted', 'the run was interrupted during its destroy');
    const error = toErrorData(thrown);
    return say('failed', error.summary, { error });
  }
}

async function runDestroy(work: ClosedWork, scope: Scope, cost: Cost, { freshness }: Reason): Promise<ApplyDoc> {
  const { environment, keepReceiptsDays: _days, isExpired: _expired, isPlan: _plan, ...shared } = work.request;
  const { world, registry, store } = work;
  const pr = scope.pulls.at(-1) ?? null;
  const context = { environment, scope: scope.scope, git: { sha: scope.commit, branch: null }, pr: { number: pr } };
  const none = { branch: null, sha: null, only: [], recreate: [], reconcile: false, expect: null, approvedBy: null };
  const run: RunRequest = { ...shared, ...none, environment, scope: scope.scope, pr, destroy: true };
  const options = {
    request: run,
    world: { ...world, ...(world.listen && { listen: named(scope.scope, world.listen) }) },
    registry,
    redactor: work.redactor,
    facts: scope.facts,
    purpose: 'destroy' as const,
    context,
    plan: { ...(work.plan ?? noPlan), name: scope.plan },
    freshness,
  };
  const opened = await openSession(options);
  lookByPlan(opened, options);
  try {
    const target = { ...opened, prepared: null, context, repository: scope.facts, wanted: wantedBy([]) };
    const doc = await applyOpened(target, run);
    cost.requests += doc.stats.requests;
    cost.writes += doc.stats.writes;
    const { lockStore } = opened.session;
    if (lockStore !== store) cost.lockPushes += lockStore.stats.lockPushes;
    return doc;
  } finally {
    await opened.close();
  }
}

/** Lines of several scopes have the same names. */
const named =
  (scope: string, listen: (event: RunEvent) => void) =>
  (event: RunEvent): void =>
    listen(inScope(event, (name) => `${scope}: ${name}`));

function inScope(event: RunEvent, name: (own: string) => string): RunEvent {
  if (event.type === 'run') return event.detail === undefined ? event : { ...event, detail: name(event.detail) };
  if (event.type === 'lines')
    return { ...event, lines: event.lines.map((line) => ({ ...line, id: name(line.id), after: line.after.map(name) })) };
  if (event.type === 'machine') return { ...event, actor: name(event.actor) };
  if (event.type === 'verdict') return { ...event, line: name(event.line), lock: event.lock === null ? null : name(event.lock) };
  return 'line' in event && event.line !== null ? { ...event, line: name(event.line) } : event;
}

/**
 * The run asks the host once more under its lease, and goes on only while no pull request keeps the scope. The sweep asked just before, so
 * the first judgement asks only when another run wrote since. That run may have been for another pull request.
 */
function onlyEnding(session: Session, { host, request }: ClosedWork, { pulls, head }: Scope, told: MayEnd): Freshness {
  let after: string | null = null;
  let isAsked = false;
  let { isOpen } = told;
  return {
    judge: async () => {
      after = session.writer.state.history.at(-1)?.run ?? null;
      const isJustAsked = !isAsked && session.writer.head === head;
      isAsked = true;
      if (isJustAsked) return null;
      const now = [...new Set([...pulls, ...belongingOf(session.writer.state).pulls])];
      const judged = await judgePulls(now, (pull) => askPullRequest(session.client, host, pull, session.stopping), request.wanting);
      if (stays(judged)) return `${judged.why}.`;
      isOpen = judged.isOpen;
      return null;
    },
    facts: () => ({ pull: isOpen ? 'open' : 'closed', after }),
  };
}
