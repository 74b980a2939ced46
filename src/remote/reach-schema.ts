import { z } from 'zod';

/** How an object is reached again, as records keep it and as an operation gives it. Members that are not known pass. */
export const reachSchema = z.lazy(() => {
  const texts = z.record(z.string(), z.string());
  const json = z.json();
  const statuses = z.array(z.int());

  const graphql = z.looseObject({
    query: z.string(),
    variables: z.record(z.string(), json).exactOptional(),
    data_path: z.string(),
    idempotent: z.boolean().exactOptional(),
  });

  /** Below the base URL; empty for GraphQL, which goes to the base URL itself. */
  const path = z.string().regex(/^(?:\/|$)/);
  const encoding = z.enum(['json', 'form', 'xml', 'multipart']);

  const stored = z.looseObject({
    method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path,
    query: z.record(z.string(), z.union([z.string(), z.array(z.string())])).exactOptional(),
    headers: texts.exactOptional(),
    body: json.exactOptional(),
    encoding: encoding.exactOptional(),
    graphql: graphql.exactOptional(),
  });

  const paging = z.discriminatedUnion('kind', [
    z.looseObject({ kind: z.literal('cursor'), next: z.string(), param: z.string(), more: z.string().exactOptional() }),
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
    mark: z.looseObject({ at: z.string(), text: z.string() }).exactOptional(),
    created_at: z.string().exactOptional(),
    none: statuses.exactOptional(),
    none_match: z.record(z.string(), json).exactOptional(),
    settle: z.number().min(0).max(3_600).exactOptional(),
  });

  const version = z.looseObject({
    from: z.string(),
    header: z.string().exactOptional(),
    query: z.string().exactOptional(),
    body: z.string().exactOptional(),
    original: z.string().exactOptional(),
  });

  const choices = z.looseObject({
    list: z.string(),
    id: z.string(),
    names: z.string(),
    index: z.string(),
    match: z.record(z.string(), json).exactOptional(),
    instructions: z.string(),
    add: json,
    remove: json,
  });

  const parent = z.looseObject({
    path,
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
    empty_as: json.exactOptional(),
    absent_as: json.exactOptional(),
    headers: texts.exactOptional(),
    query: texts.exactOptional(),
    encoding: encoding.exactOptional(),
    body: json.exactOptional(),
    echo: z.array(z.string()).exactOptional(),
    hidden: z.looseObject({ match: z.record(z.string(), json), at: z.string() }).exactOptional(),
    alike: z.record(z.string(), z.looseObject({ default: json.exactOptional(), ignore_case: z.boolean().exactOptional() })).exactOptional(),
    drop: z.array(z.string()).exactOptional(),
    missing_match: z.record(z.string(), json).exactOptional(),
    require: z.looseObject({ match: z.record(z.string(), json), fix: z.string() }).exactOptional(),
    version: version.exactOptional(),
    choices: choices.exactOptional(),
    refusals: z.array(z.looseObject({ status: z.int(), detail: z.string(), fix: z.string() })).exactOptional(),
    graphql: z.looseObject({ read: graphql, write: graphql }).exactOptional(),
  });

  const untilGone = z.looseObject({
    read: stored,
    none: statuses.exactOptional(),
    none_match: z.record(z.string(), json).exactOptional(),
    seconds: z.number().positive().max(3_600),
  });

  const detach = z.looseObject({
    parent,
    item: z.string(),
    holds: z.string(),
    in_use: z.string().exactOptional(),
    kept_as: z.string().exactOptional(),
    in_force: z.string().exactOptional(),
    seconds: z.number().positive().max(3_600),
  });

  return z.discriminatedUnion('kind', [
    z.looseObject({
      kind: z.literal('object'),
      find: find.nullable(),
      remove: stored.nullable(),
      gone: statuses.exactOptional(),
      gone_match: z.record(z.string(), json).exactOptional(),
      remove_fix: z.string().exactOptional(),
      unlock: z.looseObject({ on: statuses, request: stored }).exactOptional(),
      until_gone: untilGone.exactOptional(),
      detach: detach.exactOptional(),
      witness: stored.exactOptional(),
    }),
    z.looseObject({ kind: z.literal('item'), parent, item: z.string() }),
    z.looseObject({ kind: z.literal('none') }),
  ]);
});
