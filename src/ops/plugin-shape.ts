import { z } from 'zod';
import { isMap } from '../core/json.ts';
import { Sealed } from '../core/sealed.ts';
import { type Live, unreadable } from '../remote/live-object.ts';
import { reachSchema } from '../remote/reach-schema.ts';
import { Kept, Pending } from '../remote/value.ts';
import type { Readiness } from './bound.ts';

/** Mistakes that a plugin's author may make without a type checker. They are found before a line needs the member, with a sentence about it. */
const text = z.string();
const texts = z.record(z.string(), z.string());
const code = z.custom<(...given: never[]) => unknown>((value) => typeof value === 'function', 'a function is needed');
const isMaybe = z.boolean().optional();
const request = z.object({
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: text,
  query: z.record(z.string(), z.union([text, z.array(text)])).optional(),
  headers: texts.optional(),
  body: z.json().optional(),
  encoding: z.enum(['json', 'form', 'xml', 'multipart']).optional(),
});

const header = z.object({ header: text, value_env: text, prefix: text.optional(), user_env: text.optional() });
const auth = z.union([
  z.object({ bearer_env: text }),
  header,
  z.object({ headers: z.array(header) }),
  z.object({
    basic: z.object({ user_env: text.optional(), user: text.optional(), password_env: text.optional(), password: text.optional() }),
  }),
  z.object({
    oauth_client_credentials: z.object({
      client_id_env: text,
      client_secret_env: text,
      token_url: text.optional(),
      token_path: text.optional(),
      audience: text.optional(),
      audience_path: text.optional(),
      audience_env: text.optional(),
      resource: text.optional(),
      scope: text.optional(),
      token_url_env: text.optional(),
    }),
  }),
  z.object({ aws_v4: z.object({ access_key_id_env: text, secret_access_key_env: text, service: text }) }),
  z.object({ command: z.array(text).min(1) }),
  z.object({ digest: z.object({ user_env: text, password_env: text }) }),
]);

const provider = z.object({
  base_url: text.nullable(),
  base_url_env: text.optional(),
  auth: auth.nullable(),
  region: text.optional(),
  session_token_env: text.optional(),
  headers: texts.optional(),
  encoding: z.enum(['json', 'form', 'xml', 'multipart']).optional(),
  form_arrays: z.enum(['repeat', 'index', 'brackets']).optional(),
  media_type: text.optional(),
  refuse_credential: z.object({ prefixes: z.array(text), unless_env: text.optional() }).optional(),
  concurrency: z.int().positive().optional(),
  settings: z.record(z.string(), z.object({ doc: text, required: isMaybe })).optional(),
});

const pattern = text.refine((source) => {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}, 'it is no regular expression');

const param = z.object({
  type: z.enum(['string', 'boolean', 'integer', 'number', 'list', 'map', 'any']),
  required: isMaybe,
  default: z.json().optional(),
  enum: z.array(z.json()).optional(),
  pattern: pattern.optional(),
  format: z.enum(['url', 'https_url', 'hostname', 'uuid', 'digits']).optional(),
  max_length: z.number().optional(),
  min_length: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  items: z.enum(['string', 'integer', 'map', 'any']).optional(),
  secret: isMaybe,
  templates: z.literal(true).optional(),
  doc: text.optional(),
  example: z.json().optional(),
});

export const outputsShape = z.record(z.string(), z.object({ doc: text.optional(), sensitive: isMaybe, once: isMaybe, lazy: isMaybe }));

export const adapterShape = z.object({
  name: text.min(1),
  alias: text.optional(),
  title: text.optional(),
  docs: text.optional(),
  provider,
  setup: z
    .object({
      page: text,
      needs: text,
      check: request.nullable(),
      check_refuses: text.optional(),
      check_expects: z.array(z.object({ at: text, any_of: z.array(z.json()).optional(), where: text.optional(), lacks: text })).optional(),
      check_by: z.array(request.extend({ method: z.literal('GET'), ops: z.array(text).optional() })).optional(),
      check_query: z.record(z.string(), text).optional(),
      unproven: text.optional(),
    })
    .optional(),
  ops: z.record(z.string(), z.unknown()),
});

export const opShape = z.object({
  kind: z.enum(['object', 'item', 'action', 'wait']),
  subject: z.union([text, z.array(text)]).optional(),
  params: z.record(z.string(), param),
  open: isMaybe,
  outputs: outputsShape,
  outputsFor: code.optional(),
  providerFor: code.optional(),
  destroy: z.enum(['delete', 'keep', 'never']).optional(),
  mayDelete: isMaybe,
  writesProduction: code.optional(),
  reported: isMaybe,
  quota: z
    .object({
      limit: text.optional(),
      answers: z
        .array(
          z.object({
            method: text.optional(),
            path: text.optional(),
            status: z.number(),
            match: z.record(z.string(), z.json()).optional(),
            empty: z.literal(true).optional(),
          }),
        )
        .optional(),
      figures: z
        .object({
          limit: z.object({ path: text, at: text }),
          count: z.object({ path: text, at: text, match: z.record(z.string(), z.json()).optional() }),
        })
        .optional(),
    })
    .optional(),
  problems: code.optional(),
  bind: code,
});

/** The result of `providerFor`. */
export const blockShape = provider.extend({ api: text, base_url: text, settings: texts.optional() });
const partShape = z.array(z.union([z.string(), z.number()]));
export const problemsShape = z.array(z.union([text, z.strictObject({ detail: text, at: partShape })]));
export const remarkShape = text.nullable();

/** Deep enough for every body that a provider takes. It also ends the walk through values that hold themselves. */
const maxDepth = 64;

/** A value of a field: plain data whose leaves may be secret, pending or kept. */
const valueShape = z.custom<unknown>((value) => isValue(value), 'plain data is needed');

/** A copy of such a value as plain data, even where the value only pretends to be plain data. */
export function copyOf<T>(value: T): T;
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => copyOf(item));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copyOf(item)]));
}

function isValue(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (value instanceof Sealed || value instanceof Pending || value instanceof Kept) return true;
  if (depth > maxDepth) return false;
  if (Array.isArray(value)) return value.every((item: unknown) => isValue(item, depth + 1));
  return isMap(value) && Object.values(value).every((item) => isValue(item, depth + 1));
}

/** A reach is stored, so it may hold only JSON, even in unknown members. */
const storable = z
  .custom<unknown>((value) => isValue(value) && isStorable(value), 'plain data without secrets is needed')
  .pipe(reachSchema);

function isStorable(value: unknown): boolean {
  if (value instanceof Sealed || value instanceof Pending || value instanceof Kept) return false;
  return typeof value !== 'object' || value === null || Object.values(value).every(isStorable);
}

const bound = z.object({
  key: text.min(1),
  fields: z.record(z.string(), valueShape),
  reach: storable,
  elsewhere: z.array(text).optional(),
  problems: z.array(text).optional(),
});

/** The result of `bind`, by the kind of its operation. */
export const boundShapes = {
  object: bound.extend({
    kind: z.literal('object'),
    immutable: z.array(text).optional(),
    writeOnly: z.array(text).optional(),
    coexist: isMaybe,
    idempotency: isMaybe,
    find: code,
    read: code.optional(),
    create: code,
    update: code.optional(),
    room: code.optional(),
    ready: code.optional(),
    output: code.optional(),
  }),
  item: bound.extend({
    kind: z.literal('item'),
    lockOn: text.min(1),
    reach: storable.refine(({ kind }) => kind === 'item', 'the kind `item` is needed'),
    entry: valueShape,
    remark: code.optional(),
  }),
  action: bound.extend({ kind: z.literal('action'), send: code }),
  wait: bound.extend({ kind: z.literal('wait'), poll: code, kick: code.optional() }),
} as const;

const isLive = (value: unknown): boolean => live.safeParse(value).success;
const live = z.object({
  id: text.min(1),
  values: z.record(
    z.string(),
    z.custom<unknown>((value) => value === undefined || value === unreadable || isValue(value)),
  ),
  outputs: z.record(z.string(), valueShape),
  createdAt: text.optional(),
  uid: text.optional(),
});
const liveShape = z.custom<Live>(isLive, 'an object with `id` (text), `values` and `outputs` is needed').transform(liveOf);

/** The object with its data copied. Members are read by name, because a plugin may use a class. */
function liveOf({ id, values, outputs, createdAt, uid, revision, isMarked, raw }: Live): Live {
  return {
    id,
    values: copyOf(values),
    outputs: copyOf(outputs),
    ...(createdAt !== undefined && { createdAt }),
    ...(uid !== undefined && { uid }),
    ...(revision !== undefined && { revision }),
    ...(isMarked !== undefined && { isMarked }),
    ...(raw !== undefined && { raw }),
  };
}

const readinessShape = z.custom<Readiness>(isReadiness, 'a `state`, with `live` or `detail`, is needed').transform(readinessOf);

function readinessOf(told: Readiness): Readiness {
  if (told.state === 'ready') return { state: told.state, live: liveOf(told.live) };
  const { state, detail } = told;
  return state === 'stale' ? { state, detail, live: liveOf(told.live) } : { state, detail };
}

const outputShape = valueShape.transform((value) => copyOf(value));

/** The results of the functions of an operation. */
export const answerShapes = {
  find: z.array(liveShape),
  read: liveShape.nullable(),
  room: z.union([z.object({ state: z.literal('ready') }), z.object({ state: z.enum(['wait', 'failed']), detail: text })]),
  create: liveShape,
  update: liveShape,
  ready: readinessShape,
  poll: readinessShape,
  send: z.object({ outputs: z.record(z.string(), outputShape) }),
  output: outputShape,
  kick: z.unknown(),
} as const;

function isReadiness(value: unknown): boolean {
  const told = z.object({ state: z.enum(['wait', 'failed']), detail: text });
  const there = z.object({ state: z.enum(['ready', 'stale']), live: liveShape, detail: text.optional() });
  return z.union([told, there]).safeParse(value).success;
}
