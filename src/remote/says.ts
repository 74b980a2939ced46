import { Failure } from '../core/errors.ts';
import { isMap, type Json } from '../core/json.ts';
import { withoutFullStop } from '../core/plain-text.ts';
import { getAt, joinPointer, splitPointer } from '../core/pointer.ts';
import type { Answer, Http } from '../http/types.ts';
import { isAsPlanned } from './compare.ts';

/**
 * Whether every pointer into an answer holds its value. `*` in a pointer stands for any entry of a list. With
 * `{ one_of: [...] }` one of several values suffices, with `{ contains: <text> }` a text that holds this text. `{ absent: true }` wants
 * that nothing stands there, not even null. Providers change the case of
 * their sentences and the place of an error in its list, so neither counts there.
 */
export function says(body: unknown, match: { readonly [pointer: string]: Json }): boolean {
  return Object.entries(match).every(([pointer, want]) => valuesAt(body, splitPointer(pointer)).some((at) => isSaid(want, at)));
}

function isSaid(want: Json, at: unknown): boolean {
  if (asksForNothing(want)) return at === undefined;
  const text = soughtText(want);
  if (text !== null) return holdsText(at, text.toLowerCase());
  const choices = soughtChoices(want);
  return choices === null ? isAsPlanned(want, at) : choices.some((one) => isSaid(one, at));
}

/** The text that a value names by `{ contains }`; `null` for a value that stands for itself. */
export function soughtText(want: unknown): string | null {
  return isMap(want) && typeof want.contains === 'string' && Object.keys(want).length === 1 ? want.contains : null;
}

/** Whether a wanted value says that the member must be absent. */
export const asksForNothing = (want: unknown): boolean => isMap(want) && want.absent === true && Object.keys(want).length === 1;

/** The values that `{ one_of }` names; `null` for a value that stands for itself. */
function soughtChoices(want: Json): readonly Json[] | null {
  const choices = isMap(want) && Object.keys(want).length === 1 ? want.one_of : undefined;
  return Array.isArray(choices) ? (choices as readonly Json[]) : null;
}

/** The values at a pointer: one value, `undefined` included, or with `*` as many as the list has entries. */
function valuesAt(value: unknown, parts: readonly string[]): readonly unknown[] {
  const at = parts.indexOf('*');
  if (at === -1) return [getAt(value, joinPointer(parts))];
  const list = getAt(value, joinPointer(parts.slice(0, at)));
  return Array.isArray(list) ? list.flatMap((entry: unknown) => valuesAt(entry, parts.slice(at + 1))) : [];
}

function holdsText(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(text);
  if (Array.isArray(value)) return value.some((one) => holdsText(one, text));
  return isMap(value) && Object.values(value).some((one) => holdsText(one, text));
}

/** Whether an answer with a good status reports an error in its body: `{ "error": … }`, a list of errors, `{ "ok": false }`. */
export function saysError(body: unknown): boolean {
  if (!isMap(body)) return false;
  return ['error', 'errors', 'failed'].some((name) => isFilled(body[name])) || body.success === false || body.ok === false;
}

function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isMap(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** The failure of an answer with a good status and an error in its body, in the provider's own words. */
export function saidError(http: Http, what: string, { status, body }: Pick<Answer, 'status' | 'body'>): Failure {
  const said = http.quote?.(body) || (isMap(body) && http.quote?.(body.failed)) || '';
  return new Failure('PROVIDER_RESPONSE', {
    detail: `${http.block.api} answered ${status} to ${what}, but its answer is an error${said === '' ? '.' : `: ${withoutFullStop(said)}.`}`,
  });
}
