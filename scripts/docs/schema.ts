import { z } from 'zod';
import type { JsonMap } from '../../src/core/json.ts';
import type { ParamSpec } from '../../src/ops/op.ts';
import { lineKeys, lineSchema, topKeys, topSchema, valueForms } from '../../src/plan/schema.ts';
import type { DocumentedOp, Subject } from '../../src/recipes/subjects.ts';
import { authForms } from './auth-forms.ts';

export type Schema = { readonly [key: string]: unknown };

/**
 * The JSON Schema with which editors complete and check a plan. The frame is the program's own zod schema. The other keys of a line depend
 * on its operation, with one `if` for each. It is Draft 7, because YAML editors read that.
 */
export function planSchema(subjects: readonly Subject[]): Schema {
  const top = draft7(topSchema);
  const line = draft7(lineSchema);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'release.plan.yaml',
    description: 'A pilotfish plan: the state that ships beside a release.',
    ...without(top, '$schema'),
    properties: {
      ...mapAt(top, 'properties'),
      providers: providers(subjects),
      changes: { ...topKeys.changes.meta(), type: ['array', 'null'], items: { $ref: '#/definitions/line' } },
    },
    definitions: {
      line: {
        ...without(line, '$schema'),
        properties: lineProperties(mapAt(line, 'properties'), subjects),
        allOf: subjects.flatMap(conditions),
      },
      api,
      reference: references,
      filled: { anyOf: [{ type: 'string', pattern: '\\$\\{' }, { $ref: '#/definitions/reference' }] },
      auth: authForms,
    },
  };
}

/**
 * The text of a schema's file. A diff shows a change in one line, and the lines have no indentation: the package carries these files, and
 * spaces were half of them.
 */
export const schemaText = (schema: Schema): string => `${linesOf(schema)}\n`;

function linesOf(value: unknown): string {
  const line = JSON.stringify(value);
  if (line.length <= 140 || typeof value !== 'object' || value === null) return line;
  if (Array.isArray(value)) return `[\n${value.map(linesOf).join(',\n')}\n]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{\n${members.map(([key, member]) => `${JSON.stringify(key)}:${linesOf(member)}`).join(',\n')}\n}`;
}

/** An editor takes any value where zod checks by code, such as a value with a reference in it. */
export const draft7 = (schema: z.ZodType): Schema => z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' });

export const without = (schema: Schema, key: string): Schema => Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));

export const mapAt = (schema: Schema, key: string): Schema => {
  const value = schema[key];
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
};

/** Offers known names with their meaning, and allows other names, because a plugin may add them. */
const offered = (names: readonly Named[]): Schema => ({ anyOf: [choice(names), { type: 'string' }] });

type Named = readonly [name: string, doc: string];

/** `enumDescriptions` is not part of JSON Schema, but editors show it beside each choice. */
const choice = (names: readonly Named[]): Schema => ({
  enum: names.map(([name]) => name),
  enumDescriptions: names.map(([, doc]) => doc),
});

function lineProperties(properties: Schema, subjects: readonly Subject[]): Schema {
  const adapters = subjects
    .filter(({ kind }) => kind === 'adapter')
    .flatMap(({ spellings, adapter }) => spellings.map((name): Named => [name, adapter.title]));
  const recipes = subjects.flatMap(({ ops }) => ops.flatMap(({ op, recipes: names }) => names.map((name): Named => [name, op.doc])));
  const describe = (key: string, more: Schema): Schema => ({
    description: mapAt(properties, key).description,
    examples: mapAt(properties, key).examples,
    ...more,
  });
  return {
    ...properties,
    adapter: describe('adapter', offered([['http', 'The generic adapter: any HTTP API, by its own requests.'], ...adapters])),
    recipe: describe('recipe', offered(recipes)),
    credential: describe('credential', { anyOf: [{ $ref: '#/definitions/reference' }] }),
  };
}

/** The settings of each adapter by name; those of recipes stand under `http`. */
function providers(subjects: readonly Subject[]): Schema {
  const blocks = (kind: Subject['kind']): Schema =>
    Object.fromEntries(subjects.filter((s) => s.kind === kind).flatMap((s) => s.spellings.map((name) => [name, providerBlock(s)])));
  return {
    ...topKeys.providers.meta(),
    type: ['object', 'null'],
    properties: { ...blocks('adapter'), http: { type: ['object', 'null'], properties: blocks('recipe'), additionalProperties: ownApi } },
  };
}

/** An API of a provider that no recipe knows. */
const ownApi: Schema = { type: ['object', 'null'], properties: { auth: { $ref: '#/definitions/auth' } } };

/** The settings that every provider has. */
const api: Schema = {
  type: ['object', 'null'],
  properties: {
    base_url: { description: 'Base address of the API.', type: 'string' },
    base_url_env: { description: 'Variable that overrides the base address.', type: 'string' },
    auth: { $ref: '#/definitions/auth' },
    region: { description: 'With aws_v4: the region that signatures are for.', type: 'string' },
    session_token_env: { description: 'With aws_v4: variable of the session token of temporary keys.', type: 'string' },
    concurrency: { description: 'Requests in flight at once.', type: 'integer', minimum: 1, maximum: 64 },
  },
};

function providerBlock({ adapter }: Subject): Schema {
  const settings = Object.entries(adapter.provider.settings ?? {}).map(([key, { doc }]) => [key, { description: doc, type: 'string' }]);
  return {
    description: adapter.title,
    allOf: [{ $ref: '#/definitions/api' }],
    ...(settings.length > 0 && { properties: Object.fromEntries(settings) }),
  };
}

/** The conditions of a provider: the params of a line for each spelling of an operation, and the operations of an adapter. */
function conditions(subject: Subject): Schema[] {
  return [...subject.ops.map((documented) => paramsOf(subject, documented)), ...operationsOf(subject)];
}

function operationsOf({ kind, spellings, ops }: Subject): Schema[] {
  if (kind !== 'adapter') return [];
  const known = choice(ops.map(({ name, op }): Named => [name, op.doc]));
  return [
    {
      if: { properties: { adapter: { enum: spellings } }, required: ['adapter'] },
      // biome-ignore lint/suspicious/noThenProperty: `then` is a key of JSON Schema.
      then: { properties: { op: known }, required: ['op'] },
    },
  ];
}

/** The keys that every line may have. The definition of the line says what they hold. */
const frame: Schema = Object.fromEntries(Object.keys(lineKeys).map((key) => [key, true]));

function paramsOf(subject: Subject, documented: DocumentedOp): Schema {
  const params = Object.entries(documented.op.params);
  const required = params.filter(([, spec]) => spec.required && spec.default === undefined).map(([name]) => name);
  return {
    if: namesOp(subject, documented),
    // biome-ignore lint/suspicious/noThenProperty: `then` is a key of JSON Schema.
    then: {
      // An editor shows this name for a snippet with every required param.
      title: `${subject.name}.${documented.name}`,
      properties: {
        ...(!documented.op.open && frame),
        ...Object.fromEntries(params.map(([name, spec]) => [name, paramSchema(spec)])),
      },
      ...(required.length > 0 && { required }),
      ...(!documented.op.open && { additionalProperties: false }),
    },
  };
}

const namesOp = (subject: Subject, { name, recipes }: DocumentedOp): Schema =>
  subject.kind === 'recipe'
    ? { properties: { recipe: { enum: recipes } }, required: ['recipe'] }
    : { properties: { adapter: { enum: subject.spellings }, op: { const: name } }, required: ['adapter', 'op'] };

/** A param: its literal, text with `${…}` in it, or a reference. A secret may stand in a text by `${<line>.<output>}`. */
function paramSchema(spec: ParamSpec): Schema {
  return {
    description: spec.todo === undefined ? spec.doc : `${spec.doc} To be found: ${spec.todo}`,
    ...(spec.default !== undefined && { default: spec.default }),
    anyOf: [...(spec.secret ? [] : [literal(spec)]), { $ref: '#/definitions/filled' }],
  };
}

function literal(spec: ParamSpec): Schema {
  // The choices of a list belong to its items.
  if (spec.enum && spec.type !== 'list') return { enum: spec.enum };
  const types: JsonMap = {
    // pilotfish takes a number without quotes as the text that was written.
    string: ['string', 'number'],
    boolean: 'boolean',
    integer: 'integer',
    number: 'number',
    list: 'array',
    map: 'object',
  };
  return {
    ...(spec.type !== 'any' && { type: types[spec.type] }),
    ...(spec.type === 'list' && spec.enum && { items: { anyOf: [{ enum: spec.enum }, { $ref: '#/definitions/reference' }] } }),
    ...(spec.pattern !== undefined && { pattern: spec.pattern }),
    ...(spec.max_length !== undefined && { maxLength: spec.max_length }),
    ...(spec.min_length !== undefined && { minLength: spec.min_length }),
    ...(spec.minimum !== undefined && { minimum: spec.minimum }),
    ...(spec.maximum !== undefined && { maximum: spec.maximum }),
  };
}

const single = (key: string, value: Schema): Schema => ({
  type: 'object',
  properties: { [key]: value },
  required: [key],
  additionalProperties: false,
});

const references: Schema = {
  anyOf: [
    single('from', { description: valueForms.from, type: 'string', pattern: '^[^.]+\\.[^.]+$' }),
    single('secret', { description: valueForms.secret, type: 'string', pattern: '^[a-z][a-z0-9+.-]*://' }),
    single('keep', { description: valueForms.keep, const: true }),
    single('join', { description: valueForms.join, type: 'array', minItems: 1 }),
    single('public', { description: valueForms.public, type: 'string' }),
  ],
};
