import { z } from 'zod';
import { isMap } from '../../core/json.ts';
import { getAt } from '../../core/pointer.ts';
import type { Value } from '../../remote/value.ts';
import { pointer } from './shape.ts';

/** The place of a header in the object as read, and the form that the provider takes in a request. */
const source = z.union([
  pointer(),
  z.strictObject({
    path: pointer().describe('Pointer to the value.'),
    after: z.string().min(1).describe('Text that follows the value in a request, such as a unit.'),
  }),
  z.strictObject({
    parts: z.record(z.string(), pointer()).describe('Name to pointer: `name=value` for each value that exists, with commas.'),
  }),
  z.strictObject({
    each: pointer().describe('Pointer to a map whose members are headers of their own.'),
    except: z.array(z.string()).exactOptional().describe('Names, or their beginnings, that the provider adds by itself.'),
  }),
]);

export const liveHeaders = z.record(z.string(), source);
export type LiveHeaders = z.output<typeof liveHeaders>;

type Headers = { readonly [name: string]: Value };

/**
 * The headers of an update that replaces the whole object: those of the line, and the object's own values for the others. A name
 * that ends with `*` is left to the line as soon as the line gives one header with that beginning.
 */
export function withLiveHeaders(own: Headers | undefined, sources: LiveHeaders, live: unknown): Headers {
  const given = Object.keys(own ?? {}).map((name) => name.toLowerCase());
  const isGiven = (name: string): boolean =>
    name.endsWith('*') ? given.some((one) => one.startsWith(name.slice(0, -1).toLowerCase())) : given.includes(name.toLowerCase());
  const kept = Object.entries(sources).flatMap(([name, from]) => (isGiven(name) ? [] : headersFrom(name, from, live)));
  return { ...Object.fromEntries(kept), ...own };
}

function headersFrom(name: string, from: LiveHeaders[string], live: unknown): readonly (readonly [string, string])[] {
  if (typeof from === 'string') return one(name, textAt(live, from));
  if ('parts' in from) {
    const parts = Object.entries(from.parts).flatMap(([part, at]) => one(part, textAt(live, at)).map(([, text]) => `${part}=${text}`));
    return one(name, parts.length === 0 ? null : parts.join(', '));
  }
  if ('path' in from) {
    const text = textAt(live, from.path);
    return one(name, text === null ? null : `${text}${from.after}`);
  }
  const members = getAt(live, from.each);
  const isOwn = (member: string): boolean => !(from.except ?? []).some((start) => member.toLowerCase().startsWith(start.toLowerCase()));
  return Object.keys(isMap(members) ? members : {})
    .filter(isOwn)
    .flatMap((member) => one(name.replace(/\*$/, member), textOf(isMap(members) ? members[member] : null)));
}

const one = (name: string, text: string | null): readonly (readonly [string, string])[] => (text === null ? [] : [[name, text]]);
const textAt = (live: unknown, at: string): string | null => textOf(getAt(live, at));

/** A value as header text; `null` for no value, and for a value that no header can hold. */
function textOf(value: unknown): string | null {
  if (Array.isArray(value)) {
    const texts = value.flatMap((entry: unknown) => textOf(entry) ?? []);
    return texts.length === 0 ? null : texts.join(',');
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}
