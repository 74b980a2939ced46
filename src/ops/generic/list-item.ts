import { Failure } from '../../core/errors.ts';
import { isMap, type Json, mapValues } from '../../core/json.ts';
import { setAt, splitPointer } from '../../core/pointer.ts';
import { itemRecordId, parentPlace } from '../../remote/find.ts';
import { storedGraphql } from '../../remote/graphql.ts';
import { fieldName } from '../../remote/live.ts';
import { lockNameOf } from '../../remote/parent.ts';
import { without } from '../../remote/parent-body.ts';
import type { ParentSpec } from '../../remote/parent-spec.ts';
import { storedPath } from '../../remote/stored.ts';
import { mapOf, storedJson } from '../../remote/stored-json.ts';
import type { Value } from '../../remote/value.ts';
import { identityText, Kept, Pending, withoutKept } from '../../remote/value.ts';
import type { ItemBound, Params } from '../bound.ts';
import type { BindContext, Op } from '../op.ts';
import { type ListItemShape, listItemShape } from './list-item-shape.ts';
import { alikeRules } from './resource-plan.ts';
import { parseShape, shapeProblems } from './shape.ts';

export { listItemShape };

/** One entry of a collection on a parent object; every other entry stays as it is. */
export const listItem: Op = {
  kind: 'item',
  doc: 'One entry in a list, map or comma-separated text on a parent object; every other entry stays as it is.',
  subject: [
    '{item} in [{list_path} of ]{parent.path}',
    '{item} in [{list_path} of ]{parent.read.graphql.data_path}[, {parent.read.graphql.variables}]',
  ],
  params: {},
  open: true,
  outputs: { id: { doc: 'The entry itself: its value in a list, its name in a map.' } },
  problems: (params) => shapeProblems(listItemShape(), params),
  bind: (params, context) => bindListItem(params, context),
};

export function bindListItem(params: Params, context: Pick<BindContext, 'block'>): ItemBound {
  const shape = parseShape(listItemShape(), params);
  const spec = parentSpecOf(shape);
  const item = identityText(shape.item, 'item');
  if (item.trim() === '') throw new Failure('PARAM_INVALID', { at: ['item'], detail: 'item is empty, so it names no entry.' });
  if (shape.shape === 'delimited' && (item.includes(',') || item !== item.trim())) {
    throw new Failure('PARAM_INVALID', {
      at: ['item'],
      detail: `item is ${JSON.stringify(item)}, but commas and outer spaces separate the entries of this text.`,
    });
  }
  const entry = entryValue(shape, item);
  refuseDropped(spec, item, entry);
  return {
    kind: 'item',
    key: itemRecordId(parentPlace(spec), spec.list_path, item),
    lockOn: lockNameOf(context.block, spec),
    reach: { kind: 'item', parent: spec, item },
    fields: shape.value === undefined ? { item: entry } : { value: entry },
    entry,
  };
}

/** Refuses a planned member that every write drops, because it would never reach the provider. */
function refuseDropped(spec: ParentSpec, item: string, entry: Value): void {
  const collection = spec.shape === 'map' ? { [item]: entry } : [entry];
  const written = spec.send === 'collection' ? collection : setAt({}, spec.write_list_path ?? spec.list_path, collection);
  if (without(written, spec.drop ?? []) === written) return;
  throw new Failure('PARAM_INVALID', {
    at: ['value'],
    detail: 'value holds a member that parent.drop takes out of every write, so it would never reach the provider.',
    fix: 'Take it out of value, or out of parent.drop.',
  });
}

function parentSpecOf(shape: ListItemShape): ParentSpec {
  const { parent: from } = shape;
  const paths = mapValues(shape.with ?? {}, (value, name) => identityText(value, `with.${name}`));
  const writeListPath = from.write_list_path === undefined ? undefined : fieldName(from.write_list_path);
  const read = from.read && storedGraphql(from.read.graphql, 'parent.read').graphql;
  const write = from.write && storedGraphql(from.write.graphql, 'parent.write').graphql;
  return {
    path: read ? '' : storedPath(from.path, paths, 'parent.path'),
    method: from.method ?? 'POST',
    ...(read && write && { graphql: { read, write } }),
    ...(from.read_path !== undefined && { read_path: storedPath(from.read_path, paths, 'parent.read_path') }),
    ...(from.read_method && { read_method: from.read_method }),
    ...(from.send && { send: from.send }),
    ...(from.item_path !== undefined && { item_path: from.item_path }),
    ...(from.if_missing && { if_missing: from.if_missing }),
    ...(writeListPath !== undefined && { write_list_path: writeListPath }),
    list_path: fieldName(shape.list_path),
    shape: shape.shape,
    ...(shape.key_field !== undefined && { key_field: shape.key_field }),
    ...(shape.when_empty && { when_empty: shape.when_empty }),
    ...(shape.empty_as !== undefined && { empty_as: storedJson(shape.empty_as, 'empty_as') }),
    ...(from.headers && { headers: mapValues(from.headers, (value, name) => identityText(value, `parent.headers.${name}`)) }),
    ...(from.query && { query: mapValues(from.query, (value, name) => identityText(value, `parent.query.${name}`)) }),
    ...(from.encoding && { encoding: from.encoding }),
    ...(from.body !== undefined && { body: storedJson(from.body, 'parent.body') }),
    ...(shape.compare && { alike: alikeRules(shape.compare, 'compare') }),
    ...(from.drop && { drop: from.drop }),
    ...(from.missing_match && { missing_match: storedMap(from.missing_match, 'parent.missing_match') }),
    ...(from.require && { require: { match: storedMap(from.require.match, 'parent.require.match'), fix: from.require.fix } }),
    ...(from.version && { version: from.version }),
    ...(shape.settle !== undefined && { settle: shape.settle }),
  };
}

const storedMap = (given: { readonly [at: string]: Value }, where: string): { readonly [at: string]: Json } =>
  mapValues(given, (value, at) => storedJson(value, `${where}.${at}`));

/** The wanted entry of the collection. A number in a plain list stays a number. */
function entryValue(shape: ListItemShape, item: string): Value {
  if (shape.shape === 'map') return withoutKept(shape.value ?? null, 'value');
  if (shape.key_field === undefined) return typeof shape.item === 'number' && shape.shape === 'array' ? shape.item : item;
  const { value } = shape;
  if (value instanceof Pending || value instanceof Kept) return value;
  if (value !== undefined && !isMap(value)) {
    throw new Failure('PARAM_INVALID', {
      at: ['value'],
      detail: `value must be a map, because ${shape.key_field} inside it names the entry.`,
    });
  }
  return withKey(withoutKept(value ?? {}, 'value'), splitPointer(shape.key_field), item);
}

/** The value with the item's name at its place. The place may be the first entry of a list: a CORS rule is named by its first origin. */
function withKey(value: Value | undefined, parts: readonly string[], item: string): Value {
  const [part, ...rest] = parts;
  if (part === undefined) return item;
  if (Array.isArray(value) || (value === undefined && part === '0')) {
    const list: readonly Value[] = Array.isArray(value) ? value : [];
    if (!/^\d+$/.test(part) || Number(part) > list.length) {
      throw new Failure('PARAM_INVALID', {
        at: ['key_field'],
        detail: `key_field names entry ${part} of a list in value, but that list has ${list.length}.`,
      });
    }
    const named = withKey(list[Number(part)], rest, item);
    return Number(part) === list.length ? [...list, named] : list.with(Number(part), named);
  }
  if (value !== undefined && !isMap(value)) {
    throw new Failure('PARAM_INVALID', {
      at: ['key_field'],
      detail: `key_field goes through ${part}, but value has neither a map nor a list around it.`,
    });
  }
  const map = mapOf(value ?? {});
  return { ...map, [part]: withKey(rest.length === 0 ? undefined : map[part], rest, item) };
}
