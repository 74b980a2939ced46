import { isMap } from '../../src/core/json.ts';
import type { Flaw } from './flaw.ts';
import { type Operation, readOperation, type Schema, type Selected, type TypeRef } from './graphql-read.ts';

/** What the vendor's schema says of a document, of the values of its variables, and of the data that answers it. */
export function graphqlFlaws(
  schema: Schema,
  sent: { readonly query: string; readonly variables: unknown },
  answer: unknown,
): readonly Flaw[] {
  let operation: Operation;
  try {
    operation = readOperation(sent.query);
  } catch (error) {
    return [{ at: 'request body /query', what: error instanceof Error ? error.message : String(error) }];
  }
  const root = schema.roots[operation.kind] ?? '';
  const given = isMap(sent.variables) ? sent.variables : {};
  const unknown = Object.keys(given).filter((name) => !operation.variables.has(name));
  return [
    ...selectionFlaws(schema, operation, root, operation.selection, ''),
    ...unknown.map((name) => ({ at: `request body /variables/${name}`, what: 'the document declares no such variable' })),
    ...[...operation.variables].flatMap(([name, { type, hasDefault }]) =>
      given[name] === undefined && hasDefault ? [] : valueFlaws(schema, type, given[name], `request body /variables/${name}`),
    ),
    ...(isMap(answer) && isMap(answer.data) && answer.errors === undefined
      ? dataFlaws(schema, root, operation.selection, answer.data, 'answer /data')
      : []),
  ];
}

function selectionFlaws(schema: Schema, operation: Operation, on: string, selection: readonly Selected[], path: string): readonly Flaw[] {
  const at = `request body /query ${path}`.trimEnd();
  const type = schema.definitions.get(on);
  if (type?.kind !== 'type') return [{ at, what: `${on} is no type of the schema that has fields` }];
  return selection.flatMap(({ name, args, inner }): readonly Flaw[] => {
    const field = type.fields.get(name);
    const here = `${path}/${name}`;
    if (!field) return [{ at, what: `${on} has no field ${name}` }];
    const wrong = [...args].flatMap(([arg, variable]) => {
      const wanted = field.args.get(arg);
      if (!wanted) return [`${name} has no argument ${arg}`];
      if (variable === null) return [];
      const declared = operation.variables.get(variable);
      if (!declared) return [`the variable ${variable} is not declared`];
      const isSafe = fits(declared.type, wanted.type, declared.hasDefault || wanted.hasDefault);
      return isSafe ? [] : [`${arg} takes ${show(wanted.type)}, and ${variable} is ${show(declared.type)}`];
    });
    const missing = [...field.args].filter(([arg, { type: of, hasDefault }]) => of.must && !hasDefault && !args.has(arg));
    const leaf = named(field.type);
    const isObject = schema.definitions.get(leaf)?.kind === 'type';
    return [
      ...wrong.map((what) => ({ at, what })),
      ...missing.map(([arg]) => ({ at, what: `${name} lacks the argument ${arg}` })),
      ...(isObject !== (inner !== null)
        ? [{ at, what: `${name} is ${isObject ? 'an object and its fields are not named' : 'a value and has no fields'}` }]
        : []),
      ...(inner && isObject ? selectionFlaws(schema, operation, leaf, inner, here) : []),
    ];
  });
}

/** Whether a variable of one type may stand where another is taken. */
function fits(given: TypeRef, wanted: TypeRef, hasDefault: boolean): boolean {
  if (wanted.must && !given.must && !hasDefault) return false;
  if (given.of && wanted.of) return fits(given.of, wanted.of, false);
  return given.name === wanted.name && given.of === wanted.of;
}

const named = (type: TypeRef): string => type.name ?? (type.of ? named(type.of) : '');
const show = (type: TypeRef): string => `${type.of ? `[${show(type.of)}]` : type.name}${type.must ? '!' : ''}`;

function valueFlaws(schema: Schema, type: TypeRef, value: unknown, at: string): readonly Flaw[] {
  if (value === undefined || value === null) return type.must ? [{ at, what: `must be ${show(type)}` }] : [];
  if (type.of) {
    const { of } = type;
    return (Array.isArray(value) ? value : [value]).flatMap((one, i) => valueFlaws(schema, of, one, `${at}/${i}`));
  }
  const definition = schema.definitions.get(type.name ?? '');
  if (definition?.kind === 'input') {
    if (!isMap(value)) return [{ at, what: `must be ${show(type)}` }];
    const extra = Object.keys(value).filter((name) => !definition.fields.has(name));
    return [
      ...extra.map((name) => ({ at: `${at}/${name}`, what: `${type.name} has no such field` })),
      ...[...definition.fields].flatMap(([name, { type: of, hasDefault }]) =>
        value[name] === undefined && hasDefault ? [] : valueFlaws(schema, of, value[name], `${at}/${name}`),
      ),
    ];
  }
  if (definition === undefined || definition.kind === 'type') return [{ at, what: `${type.name} is no type of a value` }];
  const isRight = definition.kind === 'enum' ? definition.values.has(String(value)) : (scalars[type.name ?? '']?.(value) ?? true);
  return isRight ? [] : [{ at, what: `must be ${show(type)}` }];
}

/** What the named scalars hold; any other is the vendor's own, and holds anything. */
const scalars: { readonly [name: string]: (value: unknown) => boolean } = {
  String: (value) => typeof value === 'string',
  ID: (value) => typeof value === 'string' || Number.isInteger(value),
  Int: (value) => Number.isInteger(value),
  Float: (value) => typeof value === 'number',
  Boolean: (value) => typeof value === 'boolean',
};

function dataFlaws(
  schema: Schema,
  on: string,
  selection: readonly Selected[],
  data: { readonly [name: string]: unknown },
  at: string,
): readonly Flaw[] {
  const type = schema.definitions.get(on);
  if (type?.kind !== 'type') return [];
  return selection.flatMap(({ name, alias, inner }) => {
    const field = type.fields.get(name);
    return field ? fieldFlaws(schema, field.type, inner, data[alias], `${at}/${alias}`) : [];
  });
}

function fieldFlaws(schema: Schema, type: TypeRef, inner: readonly Selected[] | null, value: unknown, at: string): readonly Flaw[] {
  // Null is an answer where it is allowed; what was asked for and is not there at all is none.
  if (value === undefined) return [{ at, what: 'was asked for and is not there' }];
  if (value === null || inner === null) return valueFlaws(schema, type, value, at);
  const { of } = type;
  if (of)
    return Array.isArray(value)
      ? value.flatMap((one, i) => fieldFlaws(schema, of, inner, one, `${at}/${i}`))
      : [{ at, what: 'must be a list' }];
  return isMap(value) ? dataFlaws(schema, named(type), inner, value, at) : [{ at, what: 'must be an object' }];
}
