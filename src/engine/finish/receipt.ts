import type { Receipt, ReceiptLine } from '../../ledger/model/facts.ts';
import type { HostDoc, RunStatus } from '../document.ts';
import { judgementOf } from '../line/phases.ts';
import { digestOf } from '../prepare/digest.ts';
import { type Session, workOf } from '../session.ts';
import type { EndPosition } from './causes.ts';
import { msOf, putBackOf, verdictOf } from './documents.ts';
import { endState } from './end-state.ts';

/** The receipt of a run: its lines, those of pruned orphans too, and what they cost. */
export function receiptOf(
  session: Session,
  o: {
    positions: readonly EndPosition[];
    status: RunStatus;
    startedAt: number;
    ms: number;
    approvedBy: string | null;
    pr: number | null;
    hosts: readonly HostDoc[];
    /** The digest that was asked for and found; `null` when none was. */
    expected: string | null;
  },
): Receipt {
  const lines: ReceiptLine[] = o.positions.map((position) => {
    const work = workOf(session, position.id);
    const { error } = position.context;
    return {
      id: position.id,
      verdict: verdictOf(position, work),
      state: endState(position.state),
      ms: msOf(session, work),
      requests: session.client.requestsOf(position.id),
      ...(error ? { code: error.code } : position.because.length > 0 && { code: 'DEPENDENCY_FAILED' }),
      ...(judgementOf(work)?.leaves && { driftLeft: work.drift }),
    };
  });
  const { requests, writes } = session.client.stats;
  return {
    v: 1,
    run: session.runId,
    command: session.purpose === 'destroy' ? 'destroy' : 'apply',
    environment: session.environment,
    scope: session.scope,
    plan: session.planName,
    commit: session.sha,
    branch: session.branch,
    pr: o.pr,
    status: o.status,
    digest: o.expected ?? digestOf(session, o.positions),
    approvedBy: o.approvedBy,
    startedAt: new Date(o.startedAt).toISOString(),
    ms: o.ms,
    lines,
    ...putBackOf(session, lines),
    ...(o.hosts.length > 0 && { hosts: o.hosts.map(({ origin }) => origin) }),
    stats: { requests, writes },
  };
}
