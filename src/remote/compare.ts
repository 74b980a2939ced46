import { isMap, mapValues } from '../core/json.ts';
import { Sealed } from '../core/sealed.ts';
import type { Body } from '../http/types.ts';

/**
 * Whether a live value is as planned. Maps are compared by the members that the plan names: other members are not
 * ours. Lists are compared whole and in order. A number equals its own text, because providers disagree on
 * ids. A sealed value is compared in memory and nowhere else.
 */
export function isAsPlanned(planned: Body, live: unknown): boolean {
  if (planned instanceof Sealed) return typeof live === 'string' && planned.reveal() === live;
  if (Array.isArray(planned)) {
    return Array.isArray(live) && live.length === planned.length && planned.every((item: Body, i) => isAsPlanned(item, live[i]));
  }
  if (isMap(planned)) {
    if (!isMap(live)) return false;
    const members: { readonly [name: string]: Body } = planned;
    return Object.entries(members).every(([name, value]) => Object.hasOwn(live, name) && isAsPlanned(value, live[name]));
  }
  return isSameScalar(planned, live);
}

/** The live value with the plan's values in it: members that the plan names take its values, and the others stay as read. */
export function merged(live: Body, planned: Body): Body {
  if (!isMap(live) || !isMap(planned)) return planned;
  const before: { readonly [name: string]: Body } = live;
  const after: { readonly [name: string]: Body } = planned;
  return { ...before, ...mapValues(after, (value, name) => (Object.hasOwn(before, name) ? merged(before[name] ?? null, value) : value)) };
}

/** Equal, or a number on one side and its text on the other. */
export function isSameScalar(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'string') return String(a) === b;
  if (typeof a === 'string' && typeof b === 'number') return a === String(b);
  return a === b;
}
