import { z } from 'zod';
import { once } from '../../core/once.ts';
import { reachSchema } from '../../remote/reach-schema.ts';

/** What records and intents look like, down to what a destroy sends: it has nothing else to go by. Members that are not known pass. */
export const recordSchema = z.lazy(() => shapes().record);
export const intentSchema = z.lazy(() => shapes().intent);
export const leftSchema = z.lazy(() => shapes().left);
export const deletesSchema = z.lazy(() => shapes().deletes);

const shapes = once(() => {
  /** What a destroy let stay. */
  const left = z.looseObject({
    v: z.number(),
    identity: z.string(),
    key: z.string(),
    recordId: z.string(),
    objectId: z.string(),
    at: z.string(),
    run: z.string(),
  });

  const texts = z.record(z.string(), z.string());
  const base = z.url({ protocol: /^https?$/ });
  const json = z.unknown();

  const header = z.looseObject({
    header: z.string(),
    value_env: z.string(),
    prefix: z.string().exactOptional(),
    user_env: z.string().exactOptional(),
  });
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
        token_path: z.string().startsWith('/').exactOptional(),
        audience: z.string().exactOptional(),
        audience_path: z.string().startsWith('/').exactOptional(),
        audience_env: z.string().exactOptional(),
        resource: z.string().exactOptional(),
        scope: z.string().exactOptional(),
        token_url_env: z.string().exactOptional(),
      }),
    }),
    z.looseObject({ aws_v4: z.looseObject({ access_key_id_env: z.string(), secret_access_key_env: z.string(), service: z.string() }) }),
    z.looseObject({ command: z.array(z.string()).min(1) }),
    z.looseObject({ digest: z.looseObject({ user_env: z.string(), password_env: z.string() }) }),
  ]);

  const provider = z.looseObject({
    api: z.string(),
    /** Empty for an action that names no API. */
    base_url: z.union([base, z.literal('')]),
    base_url_env: z.string().exactOptional(),
    auth: auth.nullable(),
    region: z.string().exactOptional(),
    session_token_env: z.string().exactOptional(),
    headers: texts.exactOptional(),
    encoding: z.enum(['json', 'form', 'xml', 'multipart']).exactOptional(),
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
    reach: reachSchema,
    lock: z.string().nullable(),
    destroy: z.enum(['delete', 'keep', 'never']),
    kind: z.enum(['object', 'item', 'action', 'wait']),
    after: z.array(z.string()),
    credential: z.union([z.literal('block'), z.looseObject({ secret: z.string() }), z.looseObject({ from: z.string() })]),
    generation: z.int().min(0),
    run: z.string(),
  };

  const record = z
    .looseObject({
      ...shared,
      recordId: z.string(),
      objectId: z.string(),
      owned: z.boolean(),
      hash: z.string(),
      fields: texts,
      fingerprints: texts,
      unready: z.boolean(),
      removing: z.literal(true).exactOptional(),
      revision: z.string().exactOptional(),
      writtenAt: z.iso.datetime(),
      writtenAtHosts: z.record(z.string(), z.iso.datetime()).exactOptional(),
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
      superseded: z.array(z.looseObject({ recordId: z.string(), objectId: z.string(), reach: reachSchema })),
      template: z.string(),
    })
    .refine(isReachable, unreachable);

  const deletes = z.looseObject({
    v: z.number(),
    n: z.int().positive(),
    run: z.string(),
    head: z.string().min(1),
    of: z.string(),
    open: z.literal(true).exactOptional(),
    records: z.array(record).exactOptional(),
  });

  const intent = z
    .looseObject({
      ...shared,
      idempotencyKey: z.string().nullable(),
      not: z.array(z.string()),
      fixed: texts.exactOptional(),
      at: z.iso.datetime(),
      atHost: z.iso.datetime().exactOptional(),
    })
    .refine(isReachable, unreachable);
  return { record, intent, left, deletes };
});

/** What a destroy would send a request for has an address. */
const isReachable = (fact: { readonly provider: { readonly base_url: string }; readonly reach: { readonly kind: string } }): boolean =>
  fact.provider.base_url !== '' || fact.reach.kind === 'none';
const unreachable = { path: ['provider', 'base_url'], message: 'Invalid URL' };
