import { domainToASCII } from 'node:url';
import { canonicalJson } from '../core/canonical.ts';
import { isMap, type Json } from '../core/json.ts';
import { isAsPlanned, isSameScalar } from './compare.ts';

interface FormOptions {
  /**
   * True for a value that was just written: case, order, doubles, and a list around one value do not count then. In any other value a
   * person may have changed just that.
   */
  readonly isLoose?: boolean;
}

/**
 * Whether a provider may keep `planned` as `live` with the same meaning: a host or URL in another spelling, another time zone, JSON or a
 * number as text, outer spaces, no value for an empty one. Members that the plan does not name do not count.
 */
export function isOtherForm(planned: Json, live: unknown, o: FormOptions = {}): boolean {
  if (isEmpty(planned)) return isEmpty(live);
  if (Array.isArray(planned)) return isListForm(planned, live, o);
  if (Array.isArray(live)) return o.isLoose === true && live.length === 1 && isOtherForm(planned, live[0], o);
  if (isMap(planned)) {
    const there = isMap(live) ? live : parsed(live);
    return isMap(there) && Object.entries(planned).every(([name, value]) => isOtherForm(value, memberOf(there, name), o));
  }
  if (isMap(live)) return isMap(parsed(planned)) && isOtherForm(parsed(planned) as Json, live, o);
  return isSameScalar(planned, live) || (isScalar(live) && isScalarForm(planned as Scalar, live, o));
}

/** Whether nothing of the sent value is missing or empty: a dropped value is no other form of the sent one. */
export function isWhole(planned: Json, live: unknown): boolean {
  if (isEmpty(planned)) return true;
  if (Array.isArray(planned) && Array.isArray(live)) return live.length > 0;
  if (!isMap(planned)) return !isEmpty(live);
  return Object.entries(planned).every(([name, value]) => {
    const there = isMap(live) ? memberOf(live, name) : null;
    return isAsPlanned(value, there) || isOtherForm(value, there ?? null) || isWhole(value, there ?? null);
  });
}

/** Whether a text is a mask: signs in place of letters, alone or around a few letters. A mask stands for a secret that nobody can read. */
export const isMask = (shown: unknown): boolean => typeof shown === 'string' && /\*{3}|[•●]{3}/.test(shown);

function isListForm(planned: readonly Json[], live: unknown, o: FormOptions): boolean {
  const joined = isLone(live) && planned.length > 1 ? live[0] : live;
  const there = typeof joined === 'string' ? (parsed(joined) ?? (o.isLoose && planned.length > 1 ? joined.split(/[\s,]+/) : joined)) : live;
  if (!Array.isArray(there)) {
    return o.isLoose === true && planned.length === 1 && planned[0] !== undefined && isOtherForm(planned[0], there, o);
  }
  const entries: readonly unknown[] = there;
  if (!o.isLoose) return planned.length === entries.length && planned.every((one, i) => isOtherForm(one, entries[i], o));
  return (
    planned.every((one) => entries.some((entry) => isOtherForm(one, entry, o))) &&
    entries.every((entry) => planned.some((one) => isOtherForm(one, entry, o)))
  );
}

/** XML has one form for a text and for a list of one text. */
const isLone = (live: unknown): live is readonly [string] => Array.isArray(live) && live.length === 1 && typeof live[0] === 'string';

/** Two texts are never compared as numbers: `1.10` is another version than `1.1`. */
function isScalarForm(planned: Scalar, live: Scalar, { isLoose = false }: FormOptions): boolean {
  const [a, b] = [String(planned), String(live)];
  if (typeof planned !== typeof live && numberOf(a) !== null && numberOf(a) === numberOf(b)) return true;
  return formOf(a, isLoose) === formOf(b, isLoose);
}

/** Equal for two texts that mean the same. With `isLoose` the case of letters does not count. */
export function formOf(text: string, isLoose: boolean): string {
  const bare = isLoose ? plain(text).toLowerCase() : plain(text);
  for (const form of [momentOf, urlOf, hostOf, jsonOf]) {
    const meant = form(bare);
    if (meant !== null) return String(meant);
  }
  return bare;
}

const plain = (text: string): string => text.replaceAll('\r\n', '\n').trim().normalize('NFC');

/** The number of a text that a number holds exactly. */
const numberOf = (text: string): number | null => (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?$/.test(text) ? Number(text) : null);

const momentOf = (text: string): number | null => {
  const ms = /^\d{4}-\d\d-\d\dt\d\d:\d\d/i.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
};

/** The URL without a final slash of the path. The URL parser already lowers the host and drops default ports. */
function urlOf(text: string): string | null {
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? URL.parse(text) : null;
  if (url === null) return null;
  url.pathname = url.pathname.replace(/\/$/, '');
  return url.href;
}

function hostOf(text: string): string | null {
  if (!/^(?:[\p{L}\p{N}_*-]+\.)+[\p{L}][\p{L}\p{N}-]+\.?$/u.test(text)) return null;
  const bare = text.toLowerCase().replace(/\.$/, '');
  return domainToASCII(bare) || bare;
}

const jsonOf = (text: string): string | null => {
  const value = parsed(text);
  return value === null ? null : canonicalJson(value);
};

/** A map or list that a text holds as JSON. */
function parsed(text: unknown): object | null {
  if (typeof text !== 'string' || !/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.parse(text) as object;
  } catch {
    return null;
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) ? value.length === 0 : isMap(value) && Object.keys(value).length === 0);

type Scalar = string | number | boolean | null;
const isScalar = (value: unknown): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value);

const memberOf = (map: { readonly [name: string]: unknown }, name: string): unknown => (Object.hasOwn(map, name) ? map[name] : undefined);
