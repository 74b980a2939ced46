import { Failure } from '../../core/errors.ts';
import { isMap, type Json } from '../../core/json.ts';
import { Sealed } from '../../core/sealed.ts';
import type { Body } from '../../http/types.ts';

/** What an answer held, as `Json`: parsed JSON is nothing else, so anything else is a defect. */
export function asJson(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(asJson);
  if (isMap(value)) return mapValues(value, asJson);
  throw new Failure('INTERNAL', { detail: `A value of type ${typeof value} stands where JSON belongs.` });
}

/** The same for a request body, whose leaves may be sealed. */
export function asBody(value: unknown): Body {
  if (value instanceof Sealed) return value;
  if (Array.isArray(value)) return value.map(asBody);
  if (isMap(value)) return mapValues(value, asBody);
  return asJson(value);
}

export function mapValues<T, R>(map: { readonly [name: string]: T }, change: (value: T, name: string) => R): { [name: string]: R } {
  // Object.fromEntries defines own members, so a member named __proto__ stays a member.
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value, name)]));
}
