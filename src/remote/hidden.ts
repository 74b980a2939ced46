import { isMap, type Json } from '../core/json.ts';
import { removeAt } from '../core/pointer.ts';
import { type LiveValue, unreadable } from './live-object.ts';
import type { ParentSpec } from './parent-spec.ts';
import { holds } from './read.ts';
import { asJson } from './stored-json.ts';

type Spec = Pick<ParentSpec, 'hidden'>;

/**
 * Whether the provider takes the value of an entry and never shows it again. A read of such an entry proves that the entry exists, but not
 * its value. The entry itself tells, because plain entries stand in the same collection.
 */
export const isHidden = ({ hidden }: Spec, entry: unknown): boolean => hidden !== undefined && isMap(entry) && holds(entry, hidden.match);

/** The readable part of an entry: all of it, unless the entry is hidden. */
export const shownPart = (spec: Spec, entry: unknown): unknown => (isHidden(spec, entry) ? removeAt(entry, spec.hidden?.at ?? '') : entry);

/**
 * A live entry in the form that is compared with the plan. A hidden entry that should be plain differs by its readable part. Members that
 * the plan does not name survive a write, so they are left out here: otherwise the plan would report them as removed.
 * An entry of null exists, but nobody can read it.
 */
export function comparableEntry(spec: Spec, live: Json, planned: unknown): LiveValue {
  if (live === null) return unreadable;
  return isHidden(spec, live) && isHidden(spec, planned) ? unreadable : asJson(declaredPart(planned, shownPart(spec, live)));
}

/** The part of a live value that the plan declares. A list is written whole, so all of a list counts. */
function declaredPart(planned: unknown, live: unknown): unknown {
  if (!isMap(planned) || !isMap(live)) return live;
  return Object.fromEntries(
    Object.entries(live).flatMap(([name, value]) => (Object.hasOwn(planned, name) ? [[name, declaredPart(planned[name], value)]] : [])),
  );
}
