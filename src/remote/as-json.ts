import { Failure } from '../core/errors.ts';
import { isMap, type Json, mapValues } from '../core/json.ts';
import { Sealed } from '../core/sealed.ts';
import type { Body } from '../http/types.ts';

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
