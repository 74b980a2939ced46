import type { ItemBound } from '../../ops/bound.ts';
import type { Session } from '../session.ts';
import type { LineEntry } from '../shared/parent-asks.ts';
import type { Judged, Written } from './phases.ts';
import { written } from './publish.ts';

/** A line whose object is an entry of a shared parent. */
export type OfEntry = (Judged | Written) & { readonly bound: ItemBound };

/** The entry of a line, as its parent is asked for it. */
export const entryOf = ({ id, http, stopping, bound, attempt, intent, made, record }: OfEntry): LineEntry => ({
  ...{ id, http, stopping, attempt },
  reach: bound.reach,
  lock: bound.lockOn,
  isNew: attempt.sends <= 1 && intent !== null && made === null && record === null,
});

/** The line after a write of its entry. */
export function writtenEntry(session: Session, line: OfEntry): void {
  const { item } = line.bound.reach;
  const made = line.record ? 'updated' : line.made === 'claimed' ? 'claimed' : 'created';
  written(session, line, { live: { id: item, values: {}, outputs: { id: item } }, made });
}
