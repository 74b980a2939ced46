import { isMap, type Json } from '../../core/json.ts';
import { getAt } from '../../core/pointer.ts';
import { isAsPlanned } from './compare.ts';

/**
 * Whether an answer says something: every pointer holds its value, or, with `{ contains: <text> }`, a text with that in it. Providers
 * change the case of their sentences and the place of an error in its list, so neither counts.
 */
export function says(body: unknown, match: { readonly [pointer: string]: Json }): boolean {
  return Object.entries(match).every(([pointer, want]) => {
    const text = soughtText(want);
    const at = getAt(body, pointer);
    return text === null ? isAsPlanned(want, at) : holdsText(at, text.toLowerCase());
  });
}

/** The text that a value asks for by `{ contains }`; `null` where it asks for itself. */
export function soughtText(want: unknown): string | null {
  return isMap(want) && typeof want.contains === 'string' && Object.keys(want).length === 1 ? want.contains : null;
}

function holdsText(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(text);
  if (Array.isArray(value)) return value.some((one) => holdsText(one, text));
  return isMap(value) && Object.values(value).some((one) => holdsText(one, text));
}
