import { isMap, type Json } from '../core/json.ts';
import { removeAt } from '../core/pointer.ts';
import { type LiveValue, unreadable } from './live-object.ts';
import type { ParentSpec } from './parent-spec.ts';
import { holds } from './read.ts';
import { asJson } from './stored-json.ts';

type Spec = Pick<ParentSpec, 'hidden'>;

/**
 * Whether an entry is one whose value the provider takes and never shows again: what is read of it proves that it is there, and
 * not what it holds. Told by the entry itself, since plain entries stand in the same collection.
 */
export const isHidden = ({ hidden }: Spec, entry: unknown): boolean => hidden !== undefined && isMap(entry) && holds(entry, hidden.match);

/** The part of an entry that can be read, which is all of one that is not hidden. */
export const shownPart = (spec: Spec, entry: unknown): unknown => (isHidden(spec, entry) ? removeAt(entry, spec.hidden?.at ?? '') : entry);

/**
 * A live entry as it is compared with what is planned there. One that is hidden and should not be differs by what it shows. Members that
 * the plan does not name stay at a write, so they are left out: shown, they would be told as taken away.
 * One that is null is there, and nobody can read it.
 */
export function comparableEntry(spec: Spec, live: Json, planned: unknown): LiveValue {
  if (live === null) return unreadable;
  return isHidden(spec, live) && isHidden(spec, planned) ? unreadable : asJson(declaredPart(planned, shownPart(spec, live)));
}

/** Lists are written whole, so of a list everything counts. */
function declaredPart(planned: unknown, live: unknown): unknown {
  if (!isMap(planned) || !isMap(live)) return live;
  return Object.fromEntries(
    Object.entries(live).flatMap(([name, value]) => (Object.hasOwn(planned, name) ? [[name, declaredPart(planned[name], value)]] : [])),
  );
}
