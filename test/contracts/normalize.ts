import { isMap } from '../../src/core/json.ts';

/** Who sends the value: `readOnly` members are not in a request, `writeOnly` ones not in an answer. */
export type Direction = 'request' | 'answer';

type Node = { readonly [key: string]: unknown };

/**
 * An OpenAPI document whose schemas are JSON Schema 2020-12, so that an ordinary validator reads them as the vendor meant
 * them: `nullable` becomes a null type (also without `type`, also beside `anyOf`, `oneOf` and `$ref`), boolean
 * `exclusiveMinimum` becomes a number, references are absolute under `id`. Documents call themselves 3.1 and still use 3.0
 * words, so the version is asked nothing.
 */
export function normalize(document: Node, id: string, direction: Direction): Node {
  const schema = schemaReader(document, id, direction);
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (!isMap(node)) return node;
    const out: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(node)) {
      if (key === 'example' || key === 'examples') continue;
      if (key === 'schema') out[key] = schema(value);
      else if (key === 'schemas' && isMap(value)) out[key] = mapValues(value, schema);
      else out[key] = walk(value);
    }
    return out;
  };
  const normal = walk(document);
  return isMap(normal) ? normal : {};
}

/** Follows references inside a document; the node itself when it is none. */
export function resolve(document: Node, node: unknown): unknown {
  let here = node;
  // A chain longer than this is a circle.
  for (let step = 0; step < 20 && isMap(here) && typeof here.$ref === 'string'; step++) {
    here = here.$ref
      .slice(here.$ref.indexOf('#') + 1)
      .split('/')
      .slice(1)
      .reduce<unknown>((at, part) => (isMap(at) ? at[unescapePointer(part)] : undefined), document);
  }
  return here;
}

const unescapePointer = (part: string): string => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');

const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const singles = new Set([
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'not',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
]);
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
/** Words that say nothing about which values are valid, or that are rewritten below. */
const dropped = new Set([
  'nullable',
  'readOnly',
  'writeOnly',
  'discriminator',
  'externalDocs',
  'example',
  'examples',
  'description',
  'title',
  'default',
  'deprecated',
]);
const typeNames = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);

function schemaReader(document: Node, id: string, direction: Direction): (schema: unknown) => unknown {
  // What only the provider writes may not be in a request, and what it never shows not in an answer: no value is right.
  const isOther = (schema: unknown): boolean => {
    const here = resolve(document, schema);
    return isMap(here) && here[direction === 'request' ? 'readOnly' : 'writeOnly'] === true;
  };
  const member = (schema: unknown): unknown => (isOther(schema) ? false : convert(schema));
  const convert = (schema: unknown): unknown => {
    if (!isMap(schema)) return schema;
    if (typeof schema.$ref === 'string') return orNull({ $ref: id + schema.$ref }, schema.nullable === true);
    const out: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(schema)) {
      if (dropped.has(key)) continue;
      if (key === 'properties' && isMap(value)) out[key] = mapValues(value, member);
      else if (maps.has(key) && isMap(value)) out[key] = mapValues(value, convert);
      else if (singles.has(key)) out[key] = convert(value);
      else if (lists.has(key) && Array.isArray(value)) out[listKey(key, schema)] = value.map(convert);
      else if (key === 'type') Object.assign(out, typeOf(value));
      else if (key === 'pattern') Object.assign(out, patternOf(value));
      else if (key === 'required') Object.assign(out, requiredOf(value, schema));
      else out[key] = value;
    }
    strictBound(out, 'exclusiveMinimum', 'minimum');
    strictBound(out, 'exclusiveMaximum', 'maximum');
    return orNull(out, schema.nullable === true);
  };

  // Answer schemas are open, so the forms of a vendor's union overlap: a value that fits two of them is right, not wrong.
  const listKey = (key: string, schema: Node): string =>
    direction === 'answer' && key === 'oneOf' && !('anyOf' in schema) ? 'anyOf' : key;

  // In a request, what only the provider writes is not missing; in an answer, what it never shows is not missing.
  const requiredOf = (required: unknown, schema: Node): Node => {
    if (!Array.isArray(required)) return {};
    const members = membersOf(document, schema);
    return { required: required.filter((name) => !isOther(members[String(name)])) };
  };
  return convert;
}

/** The members of an object, also those that parts of its `allOf` declare. */
function membersOf(document: Node, schema: unknown, depth = 0): Node {
  const here = resolve(document, schema);
  if (!isMap(here) || depth > 8) return {};
  const parts = Array.isArray(here.allOf) ? here.allOf.map((part) => membersOf(document, part, depth + 1)) : [];
  return Object.assign({}, ...parts, isMap(here.properties) ? here.properties : {});
}

function orNull(schema: Record<string, unknown>, isNullable: boolean): Node {
  if (!isNullable) return schema;
  const combined = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'const'].some((key) => key in schema);
  if (combined || (schema.type === undefined && schema.enum !== undefined)) return { anyOf: [schema, { type: 'null' }] };
  // Without a type everything is allowed, null included.
  if (schema.type === undefined) return schema;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const values = Array.isArray(schema.enum) && !schema.enum.includes(null) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type: [...new Set([...types, 'null'])], ...values };
}

/** Swagger's `file` and other private type names allow everything rather than stop the validator. */
function typeOf(value: unknown): Node {
  const names = (Array.isArray(value) ? value : [value]).filter((name) => typeof name === 'string' && typeNames.has(name));
  return names.length === 0 ? {} : { type: names.length === 1 ? names[0] : names };
}

/** Some vendors publish expressions of another language; those cannot be checked here. */
function patternOf(value: unknown): Node {
  if (typeof value !== 'string') return {};
  try {
    new RegExp(value);
    return { pattern: value };
  } catch {
    return {};
  }
}

function strictBound(schema: Record<string, unknown>, strict: string, bound: string): void {
  if (typeof schema[strict] !== 'boolean') return;
  if (schema[strict] && typeof schema[bound] === 'number') {
    schema[strict] = schema[bound];
    delete schema[bound];
  } else delete schema[strict];
}

const mapValues = (map: Node, change: (value: unknown) => unknown): Node =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
