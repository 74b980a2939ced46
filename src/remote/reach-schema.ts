import { z } from 'zod';

/** How an object is reached again, as records keep it and as an operation gives it. Unknown members pass. */
export const reachSchema = z.lazy(() => {
  const texts = z.record(z.string(), z.string());
  const json = z.json();
  const statuses = z.array(z.int());
  const settle = z.number().min(0).max(3_600);

  const graphql = z.looseObject({
    query: z.string(),
    variables: z.record(z.string(), json).optional(),
    data_path: z.string(),
    null_is: z.enum(['absent', 'sealed']).optional(),
    idempotent: z.boolean().optional(),
  });

  /** Below the base URL; empty for GraphQL, which goes to the base URL itself. */
  const path = z.string().regex(/^(?:\/|$)/);
  const encoding = z.enum(['json', 'form', 'xml', 'multipart']);

  const stored = z.looseObject({
    method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path,
    query: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
    headers: texts.optional(),
    body: json.optional(),
    encoding: encoding.optional(),
    graphql: graphql.optional(),
  });

  const pageEnd = { cap: z.int().positive().optional(), total: z.string().optional() };
  const paging = z.discriminatedUnion('kind', [
    z.looseObject({ kind: z.literal('cursor'), next: z.string(), param: z.string(), more: z.string().optional() }),
    z.looseObject({ kind: z.literal('page'), param: z.string(), first: z.int().optional(), size: z.int().optional(), ...pageEnd }),
    z.looseObject({ kind: z.literal('offset'), param: z.string(), size: z.int().positive(), ...pageEnd }),
    z.looseObject({ kind: z.literal('last_id'), param: z.string(), id: z.string(), more: z.string().optional() }),
    z.looseObject({ kind: z.literal('next_url'), next: z.string() }),
    z.looseObject({ kind: z.literal('link') }),
  ]);

  const find = z.looseObject({
    request: stored,
    list: z.string().nullable(),
    match: z.record(z.string(), json),
    absent: z.array(z.string()).optional(),
    latest_only: z.boolean().optional(),
    completed: z.boolean().optional(),
    page: paging.optional(),
    id: z.string(),
    chosen_id: z.string().optional(),
    mark: z.looseObject({ at: z.string(), text: z.string() }).optional(),
    created_at: z.string().optional(),
    created_at_moves: z.boolean().optional(),
    uid: z.string().optional(),
    none: statuses.optional(),
    none_match: z.record(z.string(), json).optional(),
    settle: settle.optional(),
  });

  const version = z.looseObject({
    from: z.string(),
    header: z.string().optional(),
    query: z.string().optional(),
    body: z.string().optional(),
    original: z.string().optional(),
  });

  const choices = z.looseObject({
    list: z.string(),
    id: z.string(),
    names: z.string(),
    index: z.string(),
    match: z.record(z.string(), json).optional(),
    instructions: z.string(),
    add: json,
    remove: json,
  });

  const parent = z.looseObject({
    path,
    method: z.enum(['PUT', 'PATCH', 'POST']),
    read_path: z.string().startsWith('/').optional(),
    read_method: z.enum(['GET', 'POST']).optional(),
    send: z.union([z.enum(['parent', 'collection']), z.array(z.string())]).optional(),
    item_path: z.string().optional(),
    if_missing: z.enum(['empty', 'error']).optional(),
    write_list_path: z.string().optional(),
    list_path: z.string(),
    shape: z.enum(['array', 'delimited', 'map']),
    key_field: z.string().optional(),
    when_empty: z.literal('delete').optional(),
    empty_as: json.optional(),
    absent_as: json.optional(),
    headers: texts.optional(),
    query: texts.optional(),
    encoding: encoding.optional(),
    body: json.optional(),
    echo: z.array(z.string()).optional(),
    hidden: z.looseObject({ match: z.record(z.string(), json), at: z.string() }).optional(),
    alike: z
      .record(z.string(), z.looseObject({ default: json.optional(), ignore_case: z.boolean().optional(), lone: z.boolean().optional() }))
      .optional(),
    drop: z.array(z.string()).optional(),
    missing_match: z.record(z.string(), json).optional(),
    require: z.looseObject({ match: z.record(z.string(), json), fix: z.string() }).optional(),
    version: version.optional(),
    settle: settle.optional(),
    choices: choices.optional(),
    refusals: z.array(z.looseObject({ status: z.int(), detail: z.string(), fix: z.string() })).optional(),
    graphql: z.looseObject({ read: graphql, write: graphql }).optional(),
  });

  const untilGone = z.looseObject({
    read: stored,
    none: statuses.optional(),
    none_match: z.record(z.string(), json).optional(),
    seconds: z.number().positive().max(3_600),
  });

  const detach = z.looseObject({
    parent,
    item: z.string(),
    holds: z.string(),
    in_use: z.string().optional(),
    kept_as: z.string().optional(),
    in_force: z.string().optional(),
    seconds: z.number().positive().max(3_600),
  });

  return z.discriminatedUnion('kind', [
    z.looseObject({
      kind: z.literal('object'),
      find: find.nullable(),
      read: find.optional(),
      remove: stored.nullable(),
      repeats: texts.optional(),
      gone: statuses.optional(),
      gone_match: z.record(z.string(), json).optional(),
      remove_fix: z.string().optional(),
      unlock: z.looseObject({ on: statuses, request: stored }).optional(),
      until_gone: untilGone.optional(),
      detach: detach.optional(),
      witness: stored.optional(),
    }),
    z.looseObject({ kind: z.literal('item'), parent, item: z.string() }),
    z.looseObject({ kind: z.literal('none') }),
  ]);
});
