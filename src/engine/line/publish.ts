import { recordIdOf } from '../../remote/find.ts';
import type { Session } from '../session.ts';
import { ioOf, type LineWork } from './work.ts';

/** Hides the line's outputs, and puts them where the lines after it find them. One that cannot be hidden is the line's flaw, and nobody's to use. */
export function publish(session: Session, work: LineWork): void {
  const { prepared, bound, live, identity } = work;
  if (!prepared || !bound || !live || !identity) return;
  const generation = generationOf(work);
  work.flaw ??= session.vault.hide(live);
  if (work.flaw !== null || !session.awaited.has(work.id)) return;
  session.vault.put(work.id, {
    prepared,
    bound,
    live,
    io: ioOf(work, work.stopping),
    identity,
    recordId: bound.reach.kind === 'none' ? '' : recordIdOf(bound.reach, live.id),
    generation,
  });
}

/** Raised by every object that this run made or claimed: dependents that hold the old one's secrets must take new ones. */
export function generationOf(work: LineWork): number {
  const before = work.record?.generation ?? 0;
  const isNew = work.made === 'created' || work.made === 'claimed';
  // Once known it stays: the record that this run writes must not raise it again.
  work.generation ??= isNew ? Math.max(before, work.intent?.generation ?? 0) + 1 : Math.max(before, 1);
  return work.generation;
}
