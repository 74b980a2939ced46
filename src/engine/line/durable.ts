import type { Fact } from '../../ledger/model/change.ts';
import { LedgerMoved } from '../../ledger/writer/ledger-moved.ts';
import type { Session } from '../session.ts';
import type { PhaseFacts } from './phases.ts';

/** Hands the line's facts to the ledger; resolves when they are durable. An intent starts a push as soon as the run is quiet. */
export function durable(session: Session, work: PhaseFacts, facts: readonly Fact[], isUnready = false): Promise<void> {
  mustBeCurrent(session, work);
  const { barrier, writer, upcoming, awaited } = session;
  const isIntent = facts.some((fact) => fact.kind === 'intent');
  // The lines after an unready line end only when that line has ended, so its record cannot ride with the last push of the run.
  const isAwaited = isUnready && awaited.has(work.id);
  const stored = writer.submit(facts, { urgent: isIntent || isAwaited });
  barrier.hold(work.id, { isLast: !isIntent });
  if (!isIntent || !writesAlone(work)) return stored;
  // Thousands of lines wait here at once: an async function would keep a frame for each.
  return upcoming.during(work, stored).then(() => barrier.resume(work.id));
}

/** Takes the lease, for a line whose state is not an intent, and stores facts that must be durable before its write. */
export async function underLease(session: Session, work: PhaseFacts, facts: readonly Fact[] = []): Promise<void> {
  mustBeCurrent(session, work);
  const { barrier, writer, upcoming } = session;
  if (writer.holdsLease && facts.length === 0) return;
  const held = Promise.all([writer.ensureLease(), writer.submit(facts, { urgent: true })]);
  await barrier.aside(work.id, () => (writesAlone(work) ? upcoming.during(work, held) : held));
}

/** A line that looked before another run wrote looks again, whether or not this run holds the lease by now. */
function mustBeCurrent({ writer }: Session, { epoch }: PhaseFacts): void {
  if (epoch !== writer.epoch) throw new LedgerMoved();
}

/** Whether the line's write is a request of its own. Entries of a list, and objects that a provider makes in bulk, share one. */
function writesAlone({ bound, record, intent }: PhaseFacts): boolean {
  if (bound?.kind === 'object') return bound.bulk === undefined;
  return bound === null && (record ?? intent)?.reach.kind === 'object';
}

/** Ends an intent of this run that made nothing: it was never sent, or a definite answer or a believed look says so. */
export function endIntent(session: Session, { intent, identity }: PhaseFacts): void {
  if (intent?.run !== session.runId || identity === null) return;
  void session.writer.submit([{ kind: 'withdraw', identity }], { urgent: false }).catch(() => undefined);
}
