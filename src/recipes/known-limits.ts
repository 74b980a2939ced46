import { isMap, type Json, type JsonMap } from '../core/json.ts';
import type { FamilyOp } from './schema.ts';
import type { DocumentedOp, Subject } from './subjects.ts';

/**
 * Facts that a person should know before using this operation: changes that make a new object, values that nobody can see, and
 * writers who may be in the way. Most of them follow from the template. The `notes` beside it hold limits of the provider itself.
 */
export function knownLimits({ adapter }: Subject, { op, recipe }: DocumentedOp): readonly string[] {
  return [
    ...(recipe ? byKind[recipe.kind](recipe, adapter.title) : []),
    ...(recipe?.limits ?? []).map(lengthOf),
    ...(op.quota?.limit === undefined ? [] : [op.quota.limit]),
    ...(op.quota?.figures
      ? ['pilotfish reads that limit before it makes one. Where there is no room for all of a run, it writes nothing.']
      : []),
    ...(op.notes ?? []),
  ];
}

const byKind: { readonly [kind in FamilyOp['kind']]: (op: FamilyOp, title: string) => readonly string[] } = {
  resource: ofResource,
  list_item: ofListItem,
  action: ofAction,
  address: () => [],
};

function ofResource({ template }: FamilyOp, title: string): readonly string[] {
  const fields = mapAt(template, 'fields');
  const compare = mapAt(template, 'compare');
  const named = (keys: readonly string[]): readonly string[] => [...new Set(keys.flatMap((key) => paramsIn(fields[key])))];
  const hidden = (how: string): readonly string[] =>
    Object.entries(compare).flatMap(([key, value]) => (isMap(value) && value.hidden === how ? [key] : []));
  const immutable = listAt(template, 'immutable');
  const writeOnly = listAt(template, 'write_only');
  const stuck = 'update' in template ? [] : Object.keys(fields).filter((key) => ![...immutable, ...writeOnly].includes(key));
  const { create, ...others } = template;
  const known = new Set(paramsIn(others));
  const first = [...new Set([...paramsIn(create ?? null), ...pathsIn(create ?? null)])].filter(
    (name) => !known.has(name) && !pathsIn(others).includes(name),
  );
  const isSingle = template.coexist === false || 'chosen_id' in template;
  return [
    sentence(named(immutable), (names) =>
      isSingle
        ? `Another ${either(names)} removes the object and makes it anew.`
        : `Another ${either(names)} makes a new object, which takes over before the old one goes.`,
    ),
    sentence(named(hidden('always')), (names) => `${title} never shows ${either(names)}, so a change from outside is not seen.`),
    sentence(
      named(hidden('masked')),
      (names) => `${title} shows only whether ${either(names)} is set, so another value from outside is not seen.`,
    ),
    sentence(named(writeOnly), (names) => `pilotfish sends ${either(names)} when the object is made, and does not compare it.`),
    sentence(first, (names) => `Only the create uses ${either(names)}. A later change does nothing.`),
    sentence(
      named(stuck),
      (names) => `${title} cannot change ${either(names)} of an existing object. The plan is refused where it differs.`,
    ),
    ...(Object.keys(fields).length === 0 ? ['Only its existence is compared.'] : []),
    ...lateReads(template, `Lists of ${title}`),
  ].flatMap((one) => one ?? []);
}

const lateReads = ({ settle }: JsonMap, who: string): readonly string[] =>
  typeof settle === 'number' ? [`${who} may lag behind a write by ${settle} seconds. pilotfish waits that long.`] : [];

function ofListItem(op: FamilyOp, title: string): readonly string[] {
  return [...writtenBack(op, title), ...lateReads(op.template, `Reads of ${title}`)];
}

function writtenBack({ template }: FamilyOp, title: string): readonly string[] {
  const parent = mapAt(template, 'parent');
  if (template.shape === 'map' && parent.method === 'PATCH') return ['Only this entry is sent. Other entries are not touched.'];
  if ('version' in parent)
    return [
      'The object around this entry is written back whole, with the version that was read. So no change of others in between is lost.',
    ];
  return [
    `The object around this entry is read, changed and written back whole. Lines and runs of pilotfish take turns. ${title} cannot detect a change of somebody else at the same moment, so that change may be lost.`,
  ];
}

function ofAction({ template }: FamilyOp): readonly string[] {
  const names = [...new Set(paramsIn(template.trigger ?? null))];
  return [
    sentence(names, (list) => `Sent again when ${either(list)} changes.`),
    'Sent at least once: after a lost answer it is sent again.',
  ].flatMap((one) => one ?? []);
}

const lengthOf = ({ at, max_length }: { readonly at: string; readonly max_length: number }): string =>
  `\`${at.slice(1).replaceAll('/', '.')}\` holds at most ${max_length} characters. A longer text is refused before any request.`;

const sentence = (names: readonly string[], say: (names: readonly string[]) => string): string | null =>
  names.length > 0 ? say(names) : null;

function either(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  const last = quoted.at(-1) ?? '';
  return quoted.length < 2 ? last : `${quoted.slice(0, -1).join(', ')} or ${last}`;
}

const mapAt = (map: JsonMap, key: string): JsonMap => {
  const value = map[key];
  return isMap(value) ? (value as JsonMap) : {};
};

const listAt = (map: JsonMap, key: string): readonly string[] => {
  const value = map[key];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
};

/** The params with values in this part of a template. */
function paramsIn(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(paramsIn);
  if (!isMap(value)) return [];
  if (typeof value.param === 'string' && Object.keys(value).length === 1) return [value.param];
  return Object.values(value as JsonMap).flatMap(paramsIn);
}

/** The params in the paths of this part: `{name}` and `{+name}`. */
function pathsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return value.startsWith('/') ? [...value.matchAll(/\{\+?(\w+)\}/g)].flatMap(([, name]) => name ?? []) : [];
  if (Array.isArray(value)) return value.flatMap(pathsIn);
  return isMap(value) ? Object.values(value as JsonMap).flatMap(pathsIn) : [];
}
