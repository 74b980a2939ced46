import { Failure } from '../core/errors.ts';
import { isMap } from '../core/json.ts';
import { Sealed } from '../core/sealed.ts';
import { mapOf } from '../remote/stored-json.ts';
import type { Value } from '../remote/value.ts';
import { Kept, Pending, PendingValue } from '../remote/value.ts';

/** Whether a member of `headers` stands for many: `Upstash-Forward-*` with a map below it, or `*` for headers with the names of the map. */
export const isSpread = (name: string, at: readonly string[]): boolean => name.endsWith('*') && at.at(-1) === 'headers';

/** One header for each member of the map, with its name after the prefix. Values may be secret, but names are not. */
export function spreadHeaders(name: string, value: Value): [string, Value][] {
  const prefix = name.slice(0, -1);
  if (value instanceof Pending) throw new PendingValue(value);
  if (value instanceof Kept) return [];
  if (value instanceof Sealed || !isMap(value))
    throw new Failure('PARAM_INVALID', { detail: `The headers ${name} must be a map of names and values.` });
  return Object.entries(mapOf(value)).map(([member, one]) => {
    if (!token.test(prefix + member))
      throw new Failure('PARAM_INVALID', {
        detail: `${JSON.stringify(member)} cannot name a header.`,
        fix: 'Write the name with letters, digits and hyphens.',
      });
    return [prefix + member, one];
  });
}

/** The allowed names of headers (RFC 9110). */
const token = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
