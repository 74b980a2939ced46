import { z } from 'zod';

/** What records and intents look like, down to what a destroy sends: it has nothing else to go by. Members that are not known pass. */
const texts = z.record(z.string(), z.string());
const base = z.url({ protocol: /^https?$/ });
const json = z.unknown();
const statuses = z.array(z.int());

const stored = z.looseObject({
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().startsWith('/'),
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])).exactOptional(),
  headers: texts.exactOptional(),
  body: json.optional(),
  encoding: z.enum(['json', 'form', 'xml']).exactOptional(),
});

const paging = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('cursor'), next: z.string(), param: z.string() }),
  z.looseObject({ kind: z.literal('page'), param: z.string(), first: z.int().exactOptional(), size: z.int().exactOptional() }),
  z.looseObject({ kind: z.literal('offset'), param: z.string(), size: z.int().positive() }),
  z.looseObject({ kind: z.literal('last_id'), param: z.string(), id: z.string(), more: z.string().exactOptional() }),
  z.looseObject({ kind: z.literal('next_url'), next: z.string() }),
  z.looseObject({ kind: z.literal('link') }),
]);

const find = z.looseObject({
  request: stored,
  list: z.string().nullable(),
  match: z.record(z.string(), json),
  absent: z.array(z.string()).exactOptional(),
  page: paging.exactOptional(),
  id: z.string(),
  chosen_id: z.string().exactOptional(),
  created_at: z.string().exactOptional(),
  none: statuses.exactOptional(),
  settle: z.number().min(0).max(3_600).exactOptional(),
});

const parent = z.looseObject({
  path: z.string().startsWith('/'),
  method: z.enum(['PUT', 'PATCH', 'POST']),
  read_path: z.string().startsWith('/').exactOptional(),
  read_method: z.enum(['GET', 'POST']).exactOptional(),
  send: z.union([z.enum(['parent', 'collection']), z.array(z.string())]).exactOptional(),
  item_path: z.string().exactOptional(),
  if_missing: z.enum(['empty', 'error']).exactOptional(),
  write_list_path: z.string().exactOptional(),
  list_path: z.string(),
  shape: z.enum(['array', 'delimited', 'map']),
  key_field: z.string().exactOptional(),
  when_empty: z.literal('delete').exactOptional(),
  headers: texts.exactOptional(),
  query: texts.exactOptional(),
});

const reach = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('object'),
    find: find.nullable(),
    remove: stored.nullable(),
    gone: statuses.exactOptional(),
    gone_match: z.record(z.string(), json).exactOptional(),
    witness: stored.exactOptional(),
  }),
  z.looseObject({ kind: z.literal('item'), parent, item: z.string() }),
  z.looseObject({ kind: z.literal('none') }),
]);

const header = z.looseObject({ header: z.string(), value_env: z.string(), prefix: z.string().exactOptional() });
const auth = z.union([
  z.looseObject({ bearer_env: z.string() }),
  header,
  z.looseObject({ headers: z.array(header) }),
  z.looseObject({
    basic: z.looseObject({
      user_env: z.string().exactOptional(),
      user: z.string().exactOptional(),
      password_env: z.string().exactOptional(),
      password: z.string().exactOptional(),
    }),
  }),
  z.looseObject({
    oauth_client_credentials: z.looseObject({
      client_id_env: z.string(),
      client_secret_env: z.string(),
      token_url: base.exactOptional(),
      audience: z.string().exactOptional(),
      audience_env: z.string().exactOptional(),
      token_url_env: z.string().exactOptional(),
    }),
  }),
]);

const provider = z.looseObject({
  api: z.string(),
  base_url: base,
  base_url_env: z.string().exactOptional(),
  auth: auth.nullable(),
  headers: texts.exactOptional(),
  encoding: z.enum(['json', 'form', 'xml']).exactOptional(),
  form_arrays: z.enum(['repeat', 'index', 'brackets']).exactOptional(),
  media_type: z.string().exactOptional(),
  refuse_credential: z.looseObject({ prefixes: z.array(z.string()), unless_env: z.string().exactOptional() }).exactOptional(),
  concurrency: z.int().positive().exactOptional(),
  settings: texts.exactOptional(),
});

const shared = {
  v: z.number(),
  identity: z.string().regex(/^[0-9a-f]{64}$/),
  adapter: z.string(),
  op: z.string(),
  recipe: z.string().nullable(),
  key: z.string(),
  provider,
  line: z.string().min(1),
  plan: z.string().nullable(),
  reach,
  lock: z.string().nullable(),
  destroy: z.enum(['delete', 'keep', 'never']),
  kind: z.enum(['object', 'item', 'action', 'wait']),
  after: z.array(z.string()),
  credential: z.union([z.literal('block'), z.looseObject({ secret: z.string() }), z.looseObject({ from: z.string() })]),
  generation: z.int().min(0),
  run: z.string(),
};

export const recordSchema = z.looseObject({
  ...shared,
  recordId: z.string(),
  objectId: z.string(),
  owned: z.boolean(),
  hash: z.string(),
  fields: texts,
  fingerprints: texts,
  unready: z.boolean(),
  writtenAt: z.iso.datetime(),
  outputs: z.record(z.string(), json),
  edges: z.array(
    z.looseObject({
      field: z.string(),
      line: z.string(),
      output: z.string(),
      producer: z.string(),
      recordId: z.string(),
      generation: z.number(),
    }),
  ),
  superseded: z.array(z.looseObject({ recordId: z.string(), objectId: z.string(), reach })),
  template: z.string(),
});

export const intentSchema = z.looseObject({
  ...shared,
  idempotencyKey: z.string().nullable(),
  not: z.array(z.string()),
  at: z.iso.datetime(),
});
