import type { Manners, Thing } from './shelf.ts';

const texts =
  (change: (text: string, name: string) => unknown) =>
  (thing: Thing): Thing =>
    Object.fromEntries(Object.entries(thing).map(([name, value]) => [name, typeof value === 'string' ? change(value, name) : value]));
const members =
  (change: (value: unknown, name: string) => unknown) =>
  (thing: Thing): Thing =>
    Object.fromEntries(
      Object.entries(thing).flatMap(([name, value]) => {
        const kept = change(value, name);
        return kept === undefined ? [] : [[name, kept]];
      }),
    );
const isEmpty = (value: unknown): boolean => value === '' || value === false || (Array.isArray(value) && value.length === 0);

/** Forms in which a provider may keep a value, and both mean the same. */
export const keptForms: { readonly [form: string]: Manners['keeps'] } = {
  tidy: (thing) => thing,
  'case of texts': texts((text) => text.toLowerCase()),
  'case of hosts': texts((text, name) => (name === 'url' || name === 'host' ? text.toLowerCase() : text)),
  'a URL written anew': texts((text, name) => (name === 'url' ? new URL(text).href : text)),
  'no final slash': texts((text, name) => (name === 'url' ? text.replace(/\/$/, '') : text)),
  'no final dot': texts((text, name) => (name === 'host' ? text.replace(/\.$/, '') : text)),
  'JSON in another spacing and order': texts((text, name) => (name === 'config' ? '{"a":[1,2],"b":1}' : text)),
  'JSON as an object': texts((text, name) => (name === 'config' ? (JSON.parse(text) as unknown) : text)),
  'another time zone': texts((text, name) => (name === 'at' ? new Date(text).toISOString() : text)),
  'no fractions of seconds': texts((text, name) => (name === 'at' ? new Date(text).toISOString().replace('.000', '') : text)),
  trimmed: texts((text) => text.trim()),
  'lines end in LF': texts((text) => text.replaceAll('\r\n', '\n')),
  'numbers and booleans as text': members((value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value)),
  'numbers as decimals': members((value) => (typeof value === 'number' ? value.toFixed(1) : value)),
  'empty values as null': members((value) => (isEmpty(value) ? null : value)),
  'empty values left out': members((value) => (isEmpty(value) ? undefined : value)),
  'lists sorted': members((value) => (Array.isArray(value) ? [...(value as string[])].sort() : value)),
  'lists as sets, backwards': members((value) => (Array.isArray(value) ? [...new Set(value as string[])].reverse() : value)),
  'lists as one text': members((value) => (Array.isArray(value) ? value.join(',') : value)),
  'lists of one as their entry': members((value) => (Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value)),
  'texts as lists of one': members((value, name) => (name === 'text' ? [value] : value)),
  'members of maps in another order, and more of them': members((value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { since: 'today', ...Object.fromEntries(Object.entries(value).reverse()) }
      : value,
  ),
  'numbers within bounds': members((value) => (typeof value === 'number' ? Math.max(60, value) : value)),
  'numbers rounded': members((value) => (typeof value === 'number' ? Math.ceil(value / 10) * 10 : value)),
  'members of its own': (thing) => ({ ...thing, revision: 4, owner: { name: 'shelf' } }),
};
