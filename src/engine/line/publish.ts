import { recordIdOf } from '../../remote/find.ts';
import type { Live } from '../../remote/live-object.ts';
import { keep, type Session } from '../session.ts';
import { momentNow } from '../timing/host-time.ts';
import { ioOf, type Judged, type Made, type Written } from './phases.ts';

interface Stands {
  readonly live: Live;
  readonly made: Made;
}

/**
 * The line with an object that stands. Its outputs are hidden, and the lines after it find them. One that cannot be hidden is the line's
 * flaw, and nobody's to use.
 */
export function standing(session: Session, line: Judged | Written, { live, made }: Stands): Written {
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
  return keep(session, { ...line, phase: 'written', live, made, generation, flaw });
}

/** The line whose object is missing and stays so. The lines after it have the outputs that the ledger stores and a key of this run sealed. */
export function missing(session: Session, line: Judged): Judged {
  const { id, prepared, bound, identity, record } = line;
  if (!record || !session.awaited.has(id)) return line;
  const outputs = session.trust.isDoubtful(identity) ? {} : record.outputs;
  const { recordId, generation, objectId } = record;
  const live = { id: objectId, values: {}, outputs };
  session.vault.put(id, { prepared, bound, live, io: null, identity, recordId, generation, isMissing: true });
  return line;
}

/** The line after a write of this run, just now. `told`: what the provider's own answer says of when that was. */
export const written = (
  session: Session,
  line: Judged | Written,
  { told, ...stands }: Stands & { readonly told?: Pick<Live, 'changedAt'> },
): Written => standing(session, { ...line, wrote: momentNow(session, line, told) }, stands);

/** Raised by every object that this run made or claimed: dependents that hold the old one's secrets must take new ones. */
function generationOf({ record, intent }: Judged | Written, made: Made): number {
  const before = record?.generation ?? 0;
  const isNew = made === 'created' || made === 'claimed';
  return isNew ? Math.max(before, intent?.generation ?? 0) + 1 : Math.max(before, 1);
}
