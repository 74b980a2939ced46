import { BadForm, type Call, type Fields, type Nested, nestFields } from '../kit/index.ts';
import { isMap } from '../kit/json.ts';
import { invalid } from './errors.ts';

/** What a param may be: text, the words `true` and `false`, a list of texts, a map of texts that an empty text clears, a group of params. */
export type ParamKind = 'text' | 'boolean' | 'list' | 'map' | 'group';
export type Params = Readonly<Record<string, Nested>>;

/** The form body of a POST, nested and held to `kinds`: what is not in them is unknown. A body of any other type is refused. */
export function readParams(
  call: Call<unknown, unknown>,
  kinds: Readonly<Record<string, ParamKind>>,
  required: readonly string[] = [],
): Params {
  const params = nest(call);
  for (const [name, value] of Object.entries(params)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) throw invalid(`Received unknown parameter: ${name}`, { code: 'parameter_unknown', param: name });
    checkKind(name, value, kind);
  }
  for (const name of required) {
    if (params[name] === undefined) throw invalid(`Missing required param: ${name}.`, { code: 'parameter_missing', param: name });
    if (params[name] === '') throw invalid(`You passed an empty string for '${name}'.`, { code: 'parameter_invalid_empty', param: name });
  }
  return params;
}

/** The query of a list, held to the names it may have. */
export function readQuery(call: Call<unknown, unknown>, names: readonly string[]): void {
  for (const name of call.query.keys()) {
    if (!names.includes(name.replace(/\[\d*\]$/, '')))
      throw invalid(`Received unknown parameter: ${name}`, { code: 'parameter_unknown', param: name });
  }
}

export const textOf = (value: Nested | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

export const listOf = (value: Nested | undefined): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : undefined;

/** A key sent as empty text is removed, an empty text for the whole clears it, every other key stays as it was. */
export function mergeMetadata(before: Readonly<Record<string, string>>, sent: Nested | undefined): Readonly<Record<string, string>> {
  if (sent === undefined) return before;
  if (sent === '') return {};
  const merged = Object.fromEntries(Object.entries({ ...before, ...mapOf(sent) }).filter(([, value]) => value !== ''));
  if (Object.keys(merged).length > 50) throw invalid('Metadata can have up to 50 keys.', { param: 'metadata' });
  return merged;
}

function nest(call: Call<unknown, unknown>): Params {
  if (call.text === '') return {};
  if (call.contentType !== 'application/x-www-form-urlencoded') {
    throw invalid('Invalid request (check that your POST content type is application/x-www-form-urlencoded).');
  }
  try {
    return nestFields(call.body as Fields);
  } catch (thrown) {
    if (thrown instanceof BadForm) throw invalid(`Invalid form: ${thrown.message}.`);
    throw thrown;
  }
}

function checkKind(name: string, value: Nested, kind: ParamKind): void {
  const wrong = (what: string) => invalid(`Invalid ${what}: ${name}`, { param: name });
  if (kind === 'text' && typeof value !== 'string') throw wrong('string');
  if (kind === 'boolean' && value !== 'true' && value !== 'false') throw wrong('boolean');
  if (kind === 'list' && value === '' && name === 'images') return;
  if (kind === 'list' && (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))) throw wrong('array');
  if (kind === 'group' && !isMap(value)) throw wrong('object');
  if (kind !== 'map' || value === '') return;
  if (typeof value === 'string') throw wrong('hash');
  for (const [key, item] of Object.entries(mapOf(value))) {
    if (typeof item !== 'string') throw wrong('hash');
    if (key.length > 40) throw invalid(`Metadata keys can be up to 40 characters long. ${key} is longer.`, { param: name });
    if (item.length > 500) throw invalid('Metadata values can be up to 500 characters long.', { param: `${name}[${key}]` });
  }
}

/** Keys that count up from zero read like a list; for metadata they are keys all the same. */
function mapOf(value: Nested): Record<string, string> {
  if (Array.isArray(value)) return Object.fromEntries(value.map((item, index) => [String(index), item]));
  return isMap(value) ? (value as Record<string, string>) : {};
}
