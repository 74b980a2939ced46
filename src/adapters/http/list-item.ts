import { z } from 'zod';
import { Failure } from '../../core/errors.ts';
import { isMap } from '../../core/json.ts';
import { splitPointer } from '../../core/pointer.ts';
import type { BindContext, ItemBound, Op, Params, ParentSpec, Value } from '../op.ts';
import { identityText, Kept, Pending } from '../value.ts';
import { mapValues } from './as-json.ts';
import { itemRecordId } from './find.ts';
import { lockNameOf } from './parent.ts';
import { fieldName } from './resource-shape.ts';
import { leaf, parseShape, pointer, request, shapeProblems, text, values } from './shape.ts';
import { mapOf, storedPath } from './stored.ts';

const parent = z
  .strictObject({
    ...request,
    method: z.enum(['PUT', 'PATCH', 'POST']).describe('How the collection is written.'),
    query: z.record(z.string(), text).exactOptional().describe('Query parameters of both the read and the write.'),
    read_path: text.exactOptional().describe('Where the parent is read, when that is not where it is written.'),
    read_method: z.enum(['GET', 'POST']).exactOptional().describe('POST: the read is an action without a body.'),
    send: z
      .union([z.enum(['parent', 'collection']), z.array(z.string())])
      .exactOptional()
      .describe('What goes back beside the collection: the whole parent, these members of it, or nothing around the collection.'),
    item_path: pointer.exactOptional().describe('Pointer to the parent inside the answer.'),
    if_missing: z.enum(['empty', 'error']).exactOptional().describe('empty: a parent that answers 404 is an empty collection.'),
    write_list_path: pointer.exactOptional().describe('Where the list is written, when that is not where it is read.'),
    idempotent: z.boolean().exactOptional().describe('Writes of a collection always are; the key is taken for clearness.'),
  })
  .describe('The object that holds the collection.');

/** The params of `http.list_item`, and the template of a recipe of that kind. */
export const listItemShape = z
  .strictObject({
    parent,
    list_path: pointer.describe('Pointer to the collection inside the parent; empty when the parent is the collection.'),
    shape: z.enum(['array', 'delimited', 'map']).default('array').describe('A list, a comma-separated text, or a map.'),
    key_field: pointer.exactOptional().describe('The member that names an entry of a list of maps.'),
    item: text.describe('The entry: its value in a list, its name in a map or under key_field.'),
    value: leaf.exactOptional().describe('What stands under that name.'),
    when_empty: z.literal('delete').exactOptional().describe('The provider takes no empty collection: delete it instead.'),
    with: values.exactOptional().describe('Values for `{name}` and `{+name}` in the paths of this line.'),
  })
  .superRefine((shape, ctx) => {
    const say = (message: string) => ctx.addIssue({ code: 'custom', message, params: { sentence: true } });
    if (shape.shape === 'map' && shape.value === undefined) say('An entry of a map needs a value.');
    if (shape.shape !== 'array' && shape.key_field !== undefined) say('key_field belongs to a list of maps (shape: array).');
    if (shape.shape === 'delimited' && shape.value !== undefined) say('An entry of a comma-separated text has no value.');
    if (shape.shape === 'array' && shape.key_field === undefined && shape.value !== undefined)
      say('An entry with a value needs key_field or shape: map.');
  });

type ListItemShape = z.output<typeof listItemShape>;

/** One entry of a collection on a parent object; every other entry stays as it is. */
export const listItem: Op = {
  kind: 'item',
  doc: 'One entry in a list, map or comma-separated text on a parent object; every other entry stays as it is.',
  params: {},
  open: true,
  outputs: { id: { doc: 'The entry itself: its value in a list, its name in a map.' } },
  problems: (params) => shapeProblems(listItemShape, params),
  bind: (params, context) => bindListItem(params, context),
};

export function bindListItem(params: Params, context: Pick<BindContext, 'block'>): ItemBound {
  const shape = parseShape(listItemShape, params);
  const spec = parentSpecOf(shape);
  const item = identityText(shape.item, 'item');
  if (item.trim() === '') throw new Failure('PARAM_INVALID', { detail: 'item is empty, so it names no entry.' });
  if (shape.shape === 'delimited' && (item.includes(',') || item !== item.trim())) {
    throw new Failure('PARAM_INVALID', {
      detail: `item is ${JSON.stringify(item)}, and commas and outer spaces separate the entries of this text.`,
    });
  }
  const entry = entryValue(shape, item);
  return {
    kind: 'item',
    key: itemRecordId(spec.path, spec.list_path, item),
    lockOn: lockNameOf(context.block, spec),
    reach: { kind: 'item', parent: spec, item },
    fields: shape.value === undefined ? { item: entry } : { value: entry },
    entry,
  };
}

function parentSpecOf(shape: ListItemShape): ParentSpec {
  const { parent: from } = shape;
  const paths = mapValues(shape.with ?? {}, (value, name) => identityText(value, `with.${name}`));
  const writeListPath = from.write_list_path === undefined ? undefined : fieldName(from.write_list_path);
  return {
    path: storedPath(from.path, paths, 'parent.path'),
    method: from.method,
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
    ...(from.headers && { headers: mapValues(from.headers, (value, name) => identityText(value, `parent.headers.${name}`)) }),
    ...(from.query && { query: mapValues(from.query, (value, name) => identityText(value, `parent.query.${name}`)) }),
  };
}

/** What is to stand in the collection. A number in a plain list stays a number. */
function entryValue(shape: ListItemShape, item: string): Value {
  if (shape.shape === 'map') return shape.value ?? null;
  if (shape.key_field === undefined) return typeof shape.item === 'number' && shape.shape === 'array' ? shape.item : item;
  const { value } = shape;
  if (value instanceof Pending || value instanceof Kept) return value;
  if (value !== undefined && !isMap(value)) {
    throw new Failure('PARAM_INVALID', { detail: `value must be a map, because ${shape.key_field} inside it names the entry.` });
  }
  return withKey(value ?? {}, splitPointer(shape.key_field), item);
}

function withKey(value: Value, parts: readonly string[], item: string): Value {
  const [part, ...rest] = parts;
  if (part === undefined) return item;
  const map = mapOf(value);
  return { ...map, [part]: withKey(rest.length === 0 ? {} : (map[part] ?? {}), rest, item) };
}
