import { recordIdOf } from '../../remote/find.ts';
import type { Live } from '../../remote/live-object.ts';
import { keep, type Session } from '../session.ts';
import { momentNow } from '../timing/host-time.ts';
import { ioOf, type Judged, type Made, type ObjectWrite, type Written } from './phases.ts';

interface Stands {
  readonly live: Live;
  readonly made: Made;
  readonly sent?: ObjectWrite;
}

/**
 * Gives the line an object that stands. Hides its outputs, and hands them to the lines after it. An output that cannot be hidden becomes
 * the line's flaw, and nobody may use it.
 */
export function standing(session: Session, line: Judged | Written, { live, made, ...stands }: Stands): Written {
  const sent = stands.sent ?? (line.phase === 'written' ? line.sent : null);
  const generation = line.generation ?? generationOf(line, made);
  const flaw = line.flaw ?? session.vault.hide(live);
  if (flaw === null && session.awaited.has(line.id)) {
    const { prepared, bound, identity } = line;
    session.vault.put(line.id, {
      prepared,
      bound,
      live,
      io: ioOf(line, line.stopping),
      identity,
      recordId: bound.reach.kind === 'none' ? '' : recordIdOf(bound.reach, live.id),
      generation,
    });
  }
  return keep(session, { ...line, phase: 'written', live, made, generation, flaw, sent });
}

/** Publishes a line whose object is missing and stays so. The lines after it get the outputs that the ledger stores and a key of this run sealed. */
export function missing(session: Session, line: Judged): Judged {
  const { id, prepared, bound, identity, record } = line;
  if (!record || !session.awaited.has(id)) return line;
  const outputs = session.trust.isDoubtful(identity) ? {} : record.outputs;
  const { recordId, generation, objectId } = record;
  const live = { id: objectId, values: {}, outputs };
  session.vault.put(id, { prepared, bound, live, io: null, identity, recordId, generation, isMissing: true });
  return line;
}

/** The line after a write of this run, just now. `told`: the provider's own answer, which may tell the moment. */
export const written = (
  session: Session,
  line: Judged | Written,
  { told, ...stands }: Stands & { readonly told?: Pick<Live, 'changedAt'> },
): Written => standing(session, { ...line, wrote: momentNow(session, line, told) }, stands);

/** Every object that this run made or claimed raises the generation: dependents that hold secrets of the old object must take new ones. */
function generationOf({ record, intent }: Judged | Written, made: Made): number {
  const before = record?.generation ?? 0;
  const isNew = made === 'created' || made === 'claimed';
  return isNew ? Math.max(before, intent?.generation ?? 0) + 1 : Math.max(before, 1);
}
