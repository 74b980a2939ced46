import { Failure } from '../core/errors.ts';
import { isMap, type Json } from '../core/json.ts';
import { joinPointer } from '../core/pointer.ts';
import { joinTexts, Sealed } from '../core/sealed.ts';
import type { Params } from '../ops/bound.ts';
import { fieldName } from '../remote/live.ts';
import { asJson, mapOf } from '../remote/stored-json.ts';
import { expandPath, namesOf } from '../remote/template.ts';
import type { Value } from '../remote/value.ts';
import { identityText, Kept, Pending } from '../remote/value.ts';
import { isSpread, spreadHeaders } from './spread.ts';

type Template = { readonly [name: string]: Json };

/**
 * The params of the http operation that a recipe stands for: `{ param }` and `{ join }` replaced by values, paths filled in. `{name}` is
 * filled in in the name of a member and in `item_path` too, for a provider that keeps objects in a map by their names.
 * A place of a missing optional param is left out, and so are the mentions of a field that this removes. A list param gives its
 * entries to the list around it. Below a header `<prefix>*` each member of a map gives a header.
 */
export function expandTemplate(template: Template, params: Params): Params {
  const expanded = Object.fromEntries(members(template, params, []));
  const dropped = droppedFields(template, expanded, params);
  return dropped.size === 0 ? expanded : withoutMentions(expanded, dropped);
}

/** Whether the text at this place of a template is a path or URL. Its `{name}`s are filled in. */
export function isPathAt(at: readonly string[]): boolean {
  const named = at.filter((part) => !/^\d+$/.test(part));
  return requests.has(named.slice(0, -1).join('.')) && ['path', 'read_path', 'url'].includes(named.at(-1) ?? '');
}

/** Whether the text at this place of a template is a pointer whose `{name}`s are filled in. */
export const isPointerAt = (at: readonly string[]): boolean => at.length === 1 && at[0] === 'item_path';

const requests = new Set([
  'find',
  'read',
  'create',
  'create.revive',
  'update',
  'delete',
  'delete.until_gone',
  'witness',
  'parent',
  'request',
]);

function members(template: Template, params: Params, at: readonly string[]): [string, Value][] {
  return Object.entries(template).flatMap(([name, part]) => {
    const value = expand(part, params, [...at, name]);
    if (value === undefined) return [];
    return isSpread(name, at) ? spreadHeaders(name, value) : [[named(name, params), value]];
  });
}

function expand(part: Json, params: Params, at: readonly string[]): Value | undefined {
  if (typeof part === 'string') return isPathAt(at) ? filled(part, params) : isPointerAt(at) ? named(part, params) : part;
  if (Array.isArray(part)) return part.flatMap((item: Json, i) => entriesOf(item, expand(item, params, [...at, String(i)])));
  if (!isMap(part)) return part;
  const map: Template = part;
  const keys = Object.keys(map);
  if (isParam(map)) return Object.hasOwn(params, map.param) ? params[map.param] : undefined;
  if (keys.length === 1 && Array.isArray(map.join)) return joined(map.join, params, at);
  return Object.fromEntries(members(map, params, at));
}

const isParam = (part: Json): part is { readonly param: string } =>
  isMap(part) && Object.keys(part).length === 1 && typeof part.param === 'string';

/** The values for one entry of a list in a template: none, one, or all entries of a list param. */
function entriesOf(part: Json, value: Value | undefined): readonly Value[] {
  if (value === undefined) return [];
  return isParam(part) && Array.isArray(value) ? value : [value];
}

function filled(path: string, params: Params): string {
  return expandPath(path, Object.fromEntries(namesOf(path).map((name) => [name, identityText(params[name], name)])));
}

/** A member or a pointer with its params filled in. A slash of a value separates nothing in a pointer. */
function named(text: string, params: Params): string {
  return namesOf(text).reduce((whole, name) => {
    const value = identityText(params[name], name);
    return whole.replaceAll(`{${name}}`, () => (text.startsWith('/') ? joinPointer([value]).slice(1) : value));
  }, text);
}

/** The parts as one text. It is pending, kept, sealed or left out when one of its parts is. */
function joined(parts: readonly Json[], params: Params, at: readonly string[]): Value | undefined {
  const texts: (string | Sealed)[] = [];
  for (const part of parts) {
    const value = expand(part, params, [...at, 'join']);
    if (value === undefined) return undefined;
    if (value instanceof Pending || value instanceof Kept) return value;
    texts.push(value instanceof Sealed ? value : identityText(value, at.join('.')));
  }
  return joinTexts(texts);
}

function droppedFields(template: Template, expanded: Params, params: Params): Set<string> {
  const before = isMap(template.fields) ? Object.keys(template.fields).map((name) => named(name, params)) : [];
  const after = expanded.fields === undefined ? {} : mapOf(expanded.fields);
  return new Set(before.filter((name) => !Object.hasOwn(after, name)).map(fieldName));
}

function withoutMentions(expanded: Params, dropped: ReadonlySet<string>): Params {
  const names = (list: Value | undefined): Value => namesIn(list).filter((name) => !dropped.has(fieldName(name)));
  const step = (update: Value): Value =>
    mapOf(update).fields === undefined ? update : { ...mapOf(update), fields: names(mapOf(update).fields) };
  const { immutable, write_only: writeOnly, compare, update } = expanded;
  return {
    ...expanded,
    ...(immutable !== undefined && { immutable: names(immutable) }),
    ...(writeOnly !== undefined && { write_only: names(writeOnly) }),
    ...(compare !== undefined && {
      compare: Object.fromEntries(Object.entries(mapOf(compare)).filter(([name]) => !dropped.has(fieldName(name)))),
    }),
    ...(update !== undefined && { update: Array.isArray(update) ? update.map(step) : step(update) }),
  };
}

function namesIn(list: Value | undefined): string[] {
  const names = asJson(list ?? []);
  if (Array.isArray(names)) return names.map(String);
  throw new Failure('INTERNAL', { detail: 'A list of field names in a recipe is not a list.' });
}
