import { Failure } from '../core/errors.ts';
import type { LinePosition } from '../machines/coordinator/run-lines.ts';
import { endState } from './documents.ts';
import { asLineError, LineError } from './errors.ts';
import type { Session } from './session.ts';

/**
 * Lines that had settled before this run held its lease, or before it read what another wrote, and that the other one changed: its
 * destroy may have removed what they found as planned. Nothing of them was written, and what they say is no longer so.
 */
export function overtakenLines(session: Session, positions: readonly LinePosition[]): ReadonlySet<string> {
  const { writer, runId, works } = session;
  const overtaken = positions.filter(({ id, state }) => {
    const work = works.get(id);
    if (!work?.identity || !work.record || work.record.run === runId || endState(state) !== 'settled') return false;
    const now = writer.state.records.get(work.identity);
    return now?.run !== work.record.run || now.generation !== work.record.generation;
  });
  return new Set(overtaken.map(({ id }) => id));
}

/** Positions with these lines failed: the run must not end as if they stood. */
export function withOvertaken(
  session: Session,
  positions: readonly LinePosition[],
  overtaken: ReadonlySet<string>,
): readonly LinePosition[] {
  if (overtaken.size === 0) return positions;
  return positions.map((position) => {
    if (!overtaken.has(position.id)) return position;
    const error = asLineError(
      new Failure('LEASE_LOST', {
        detail: 'Another run of this scope changed it after this run had looked.',
        fix: 'Run the same command again.',
      }),
      { line: position.id, place: session.works.get(position.id)?.place ?? null, redactor: session.redactor },
    );
    return { ...position, state: 'failed', context: { ...position.context, error: error instanceof LineError ? error.data : null } };
  });
}
