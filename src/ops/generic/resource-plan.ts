import { canonicalJson } from '../../core/canonical.ts';
import { type Json, mapValues } from '../../core/json.ts';
import { joinPointer, splitPointer } from '../../core/pointer.ts';
import type { Paging, StoredRequest } from '../../http/types.ts';
import type { AlikeRules } from '../../remote/alike.ts';
import { graphqlText } from '../../remote/graphql.ts';
import type { FieldRule, ObjectShape, OutputRule } from '../../remote/live.ts';
import { fieldName } from '../../remote/live.ts';
import type { FindSpec, Reach, UntilGone } from '../../remote/reach.ts';
import { storedRequest } from '../../remote/stored.ts';
import { storedJson } from '../../remote/stored-json.ts';
import { fillId } from '../../remote/template.ts';
import type { Value } from '../../remote/value.ts';
import { identityText, withoutKept } from '../../remote/value.ts';
import type { BindContext } from '../op.ts';
import type { ResourceShape } from './resource-shape.ts';

/** A line of `http.resource` with all values resolved that identify the object and reach it again. */
export interface ResourcePlan extends ObjectShape {
  readonly shape: ResourceShape;
  readonly paths: { readonly [name: string]: string };
  readonly find: FindSpec;
  /** Reads one object by its id; `null` where the line has a list alone. */
  readonly read: FindSpec | null;
  readonly reach: Extract<Reach, { kind: 'object' }>;
  readonly chosenId: string | null;
}

/** Plans a line. The second argument says which environment and scope own its objects. */
export function planResource(shape: ResourceShape, { environment, scope }: Pick<BindContext, 'environment' | 'scope'>): ResourcePlan {
  const chosenId = shape.chosen_id === undefined ? null : identityText(shape.chosen_id, 'chosen_id');
  const paths = mapValues(shape.with ?? {}, (value, name) => identityText(value, `with.${name}`));
  // A chosen id is known now; any other stays `{id}` until the object has been found.
  const known = chosenId === null ? paths : { ...paths, id: chosenId };
  const common = {
    ...(chosenId !== null && { chosen_id: chosenId }),
    ...(shape.settle !== undefined && { settle: shape.settle }),
  };
  const mark = shape.mark === undefined ? undefined : { at: shape.mark, text: `${environment}/${scope}` };
  const find = shape.find ? listFind(shape, shape.find, known, { ...common, mark }) : pathFind(shape, known, { ...common, mark });
  const read = shape.read ? pathFind(shape, paths, {}) : null;
  const witness = shape.witness
    ? withId(storedRequest('GET', shape.witness, known, 'witness'), chosenId)
    : find.list === null
      ? null
      : find.request;
  return {
    shape,
    paths,
    find,
    read,
    chosenId,
    key: keyOf(find),
    fields: Object.fromEntries(Object.entries(shape.fields).map(([name, value]) => [fieldName(name), withoutKept(value, name)])),
    rules: rulesOf(shape),
    outputs: outputRules(shape.outputs),
    ...signPlaces(shape, (pointer) => pointer),
    ...(mark && { mark }),
    reach: {
      kind: 'object',
      find,
      ...(read && find.list !== null && isNamed(find) && { read }),
      remove: shape.delete ? storedRequest(shape.delete.method ?? 'DELETE', shape.delete, paths, 'delete') : null,
      ...(shape.gone_status && { gone: shape.gone_status }),
      ...(shape.gone_match && { gone_match: storedMatch(shape.gone_match, 'gone_match') }),
      ...(shape.delete?.fix !== undefined && { remove_fix: shape.delete.fix }),
      ...(shape.delete?.until_gone && { until_gone: untilGone(shape.delete.until_gone, paths) }),
      ...(witness && { witness }),
    },
  };
}

/** The match for an answer, as the ledger may keep it. */
export const storedMatch = (match: { readonly [pointer: string]: Value }, where: string): { readonly [pointer: string]: Json } =>
  mapValues(match, (value, at) => storedJson(value, `${where}.${at}`));

/** The rules of a line, with every value resolved. */
export const alikeRules = (rules: NonNullable<CompareShape['members']>, where: string): AlikeRules =>
  mapValues(rules, ({ default: fallback, ...rule }, at) => ({
    ...rule,
    ...(fallback !== undefined && { default: storedJson(fallback, `${where}.${at}.default`) }),
  }));

type CompareShape = NonNullable<ResourceShape['compare']>[string];
type UntilGoneShape = NonNullable<NonNullable<ResourceShape['delete']>['until_gone']>;

const untilGone = (shape: UntilGoneShape, paths: Known): UntilGone => ({
  read: storedRequest('GET', shape, paths, 'delete.until_gone'),
  seconds: shape.seconds,
  ...(shape.none_status && { none: shape.none_status }),
  ...(shape.none_match && { none_match: storedMatch(shape.none_match, 'delete.until_gone.none_match') }),
});

export function outputRules(outputs: ResourceShape['outputs']): { readonly [name: string]: OutputRule } {
  return mapValues(outputs ?? {}, (output) =>
    typeof output === 'string'
      ? { path: output, sensitive: false, once: false }
      : { path: output.path, sensitive: output.sensitive ?? false, once: output.once ?? false },
  );
}

type Known = { readonly [name: string]: string };
/** The common parts of a find. The mark's place counts from the object. */
interface Common extends Pick<FindSpec, 'chosen_id' | 'settle'> {
  readonly mark?: FindSpec['mark'] | undefined;
}

function listFind(shape: ResourceShape, find: NonNullable<ResourceShape['find']>, known: Known, common: Common): FindSpec {
  const page = pagingOf(find);
  const inside = (pointer: string): string => (find.entry_path === undefined ? pointer : below(find.entry_path, pointer));
  const match = Object.entries(find.match).map(([at, value]) => [inside(at), storedJson(value, `find.match.${at}`)] as const);
  return {
    request: withId(storedRequest('GET', find, known, 'find'), common.chosen_id ?? null),
    list: find.list_path,
    match: Object.fromEntries(match),
    ...(find.absent && { absent: find.absent.map(inside) }),
    ...(find.is_latest_only === true && { latest_only: true }),
    ...(find.is_completed === true && { completed: true }),
    ...(page && { page }),
    id: inside(shape.id_path),
    ...signPlaces(shape, inside),
    ...noneOf(find, 'find'),
    ...commonOf(common, inside),
  };
}

function pagingOf({ page, next, cursor_param: param }: NonNullable<ResourceShape['find']>): Paging | undefined {
  if (!page) return next !== undefined && param !== undefined ? { kind: 'cursor', next, param } : undefined;
  if (!('until_empty' in page)) return page;
  const { until_empty: _said, ...rest } = page;
  return rest;
}

/** A find by path. Pointers count from the answer's root, so the object's own place comes before them. */
function pathFind(shape: ResourceShape, known: Known, common: Common): FindSpec {
  const inside = (pointer: string): string => below(shape.item_path, pointer);
  return {
    request: withId(storedRequest('GET', shape.read ?? { path: '' }, known, 'read'), common.chosen_id ?? null),
    list: null,
    match: {},
    id: inside(shape.id_path),
    ...signPlaces(shape, inside),
    ...noneOf(shape.read ?? {}, 'read'),
    ...commonOf(common, inside),
  };
}

/** The places that tell which object it is. A moment that moves is still of use to a create: an older object is not its own. */
const signPlaces = ({ created_at: at, created_at_moves: moves, uid_path: uid }: ResourceShape, inside: (pointer: string) => string) => ({
  ...(at !== undefined && { created_at: inside(at) }),
  ...(at !== undefined && moves === true && { created_at_moves: true }),
  ...(uid !== undefined && { uid: inside(uid) }),
});

/** Whether the id is a name, which another object may bear later. */
const isNamed = ({ chosen_id, match, id }: FindSpec): boolean => chosen_id !== undefined || match[id] !== undefined;

const noneOf = (shape: Pick<NonNullable<ResourceShape['read']>, 'none_status' | 'none_match'>, where: string) => ({
  ...(shape.none_status && { none: shape.none_status }),
  ...(shape.none_match && { none_match: storedMatch(shape.none_match, `${where}.none_match`) }),
});

const commonOf = ({ mark, ...common }: Common, inside: (pointer: string) => string) => ({
  ...common,
  ...(mark && { mark: { at: inside(mark.at), text: mark.text } }),
});

export const below = (outer: string, inner: string): string => joinPointer([...splitPointer(outer), ...splitPointer(inner)]);

/** Fills a chosen id into the variables of a GraphQL request. A path gets it like its other names. */
const withId = (request: StoredRequest, id: string | null): StoredRequest =>
  id === null || !request.graphql ? request : fillId(request, id);

/** `<find.path>[<field>=<value>,...]`, or the read path. Fields are sorted, so their order in the plan has no meaning. */
function keyOf(find: FindSpec): string {
  const place = find.request.graphql ? graphqlText(find.request.graphql) : find.request.path;
  if (find.list === null) return place;
  const parts = Object.entries(find.match).map(([pointer, value]) => `${fieldName(pointer).replace(/^\//, '')}=${keyText(value)}`);
  return `${place}[${parts.sort().join(',')}]`;
}

/** A text stays as it is, unless it could be read as the end of a value. Then it is written as JSON. */
function keyText(value: Json): string {
  if (typeof value === 'string' && !/[,\]"\p{Cc}]/u.test(value)) return value;
  return canonicalJson(value);
}

function rulesOf(shape: ResourceShape): { readonly [field: string]: FieldRule } {
  return Object.fromEntries(
    Object.entries(shape.compare ?? {}).map(([name, rule]) => {
      const { default: fallback, ignore_case: ignoreCase, members, ...rest } = rule;
      const inside = { ...alikeRules(members ?? {}, `compare.${name}.members`), ...(ignoreCase && { '': { ignore_case: true } }) };
      return [
        fieldName(name),
        {
          ...rest,
          ...(fallback !== undefined && { default: storedJson(fallback, `compare.${name}.default`) }),
          ...(Object.keys(inside).length > 0 && { alike: inside }),
        },
      ];
    }),
  );
}
