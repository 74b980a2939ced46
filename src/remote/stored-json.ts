import { Failure } from '../core/errors.ts';
import { isMap, type Json, mapValues } from '../core/json.ts';
import { Sealed } from '../core/sealed.ts';
import type { Body } from '../http/types.ts';
import type { Value } from './value.ts';
import { identityText, Kept, Pending } from './value.ts';

/** A value that the ledger will hold. */
export function storedJson(value: Value, where: string): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') return value;
  if (value instanceof Sealed || value instanceof Pending || value instanceof Kept) return identityText(value, where);
  if (Array.isArray(value)) return value.map((item: Value, i) => storedJson(item, `${where}.${i}`));
  const map: { readonly [name: string]: Value } = mapOf(value);
  return mapValues(map, (item, name) => storedJson(item, `${where}.${name}`));
}

/** Narrows a `Value` that is neither a leaf nor a list. */
export function mapOf(value: Value): { readonly [name: string]: Value } {
  if (isMap(value)) {
    const map: { readonly [name: string]: Value } = value;
    return map;
  }
  throw new Failure('INTERNAL', { detail: 'A value is neither a leaf, a list nor a map.' });
}

/** A value of an answer as `Json`. Parsed JSON is nothing else, so any other value is a defect. */
export function asJson(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(asJson);
  if (isMap(value)) return mapValues(value, asJson);
  throw new Failure('INTERNAL', { detail: `A value of type ${typeof value} stands where JSON belongs.` });
}

/** A value as a request body, whose leaves may be sealed. */
export function asBody(value: unknown): Body {
  if (value instanceof Sealed) return value;
  if (Array.isArray(value)) return value.map(asBody);
  if (isMap(value)) return mapValues(value, asBody);
  return asJson(value);
}
