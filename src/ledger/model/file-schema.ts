import { z } from 'zod';
import { once } from '../../core/once.ts';
import { reachSchema } from '../../remote/reach-schema.ts';
import { authSchema } from './auth-schema.ts';

/**
 * The schemas of ledger files. They check records and intents down to the requests of a destroy, because it has nothing else to go by.
 * Unknown members pass. JSON holds no `undefined`, and `exactOptional` would ask the schema of every absent member.
 */
export const fileSchemas = once(() => {
  const birth = z.looseObject({ uid: z.string().optional(), at: z.string().optional() }).nullable().optional();

  /** A destroy let this object stay. */
  const left = z.looseObject({
    v: z.number(),
    identity: z.string(),
    key: z.string(),
    recordId: z.string(),
    objectId: z.string(),
    birth,
    at: z.string(),
    run: z.string(),
  });

  const text = z.string();
  const texts = z.record(text, text);
  const base = z.url({ protocol: /^https?$/ });
  const json = z.unknown();

  const auth = authSchema();

  const provider = z.looseObject({
    api: z.string(),
    /** Empty for an action that names no API. */
    base_url: z.union([base, z.literal('')]),
    base_url_env: z.string().optional(),
    auth: auth.nullable(),
    region: z.string().optional(),
    session_token_env: z.string().optional(),
    headers: texts.optional(),
    encoding: z.enum(['json', 'form', 'xml', 'multipart']).optional(),
    form_arrays: z.enum(['repeat', 'index', 'brackets']).optional(),
    media_type: z.string().optional(),
    refuse_credential: z.looseObject({ prefixes: z.array(z.string()), unless_env: z.string().optional() }).optional(),
    concurrency: z.int().positive().optional(),
    settings: texts.optional(),
  });

  const shared = {
    v: z.number(),
    identity: z.string().regex(/^[0-9a-f]{64}$/),
    adapter: z.string(),
    op: z.string(),
    recipe: z.string().nullable(),
    key: z.string(),
    subject: z.string().optional(),
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
      birth,
      owned: z.boolean(),
      hash: z.string(),
      fields: texts,
      fingerprints: texts,
      around: texts.optional(),
      needs: texts.optional(),
      kept: texts.optional(),
      unkept: texts.optional(),
      stood: texts.optional(),
      unready: z.boolean(),
      removing: z.literal(true).optional(),
      reportsDrift: z.literal(true).optional(),
      mayBeGone: z.literal(true).optional(),
      revision: z.string().optional(),
      writtenAt: z.iso.datetime(),
      writtenAtHosts: z.record(z.string(), z.iso.datetime()).optional(),
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
      superseded: z.array(z.looseObject({ recordId: z.string(), objectId: z.string(), reach: reachSchema, birth })),
      template: z.string(),
    })
    .refine(isReachable, unreachable);

  const deletes = z.looseObject({
    v: z.number(),
    n: z.int().positive(),
    run: z.string(),
    head: z.string().min(1),
    of: z.string(),
    open: z.literal(true).optional(),
    records: z.array(record).optional(),
  });

  const pull = z.looseObject({ repository: text, number: z.int() }).optional();
  const intent = z
    .looseObject({
      ...shared,
      pull,
      idempotencyKey: z.string().nullable(),
      not: z.array(z.string()),
      fixed: texts.optional(),
      at: z.iso.datetime(),
      atHost: z.iso.datetime().optional(),
    })
    .refine(isReachable, unreachable);

  const milliseconds = z.number().min(0);
  const lease = z.looseObject({
    v: z.number(),
    holder: z.string(),
    run: z.string(),
    durationMs: milliseconds.positive(),
    deadlineMs: milliseconds.positive(),
    renewal: z.number(),
    released: z.object({ quietForMs: milliseconds }).nullable(),
    pull,
    of: z.looseObject({ scope: text, plan: text.nullable() }).optional(),
  });
  const position = z.looseObject({
    id: z.string(),
    state: z.string(),
    verdict: z.string(),
    identity: z.string().nullable(),
    generation: z.number(),
  });
  const snapshot = z.looseObject({
    v: z.number(),
    run: z.string(),
    digest: z.string(),
    commit: text.nullable(),
    machine: z.number(),
    lines: z.array(position),
  });
  const receipt = z.looseObject({
    v: z.number(),
    run: text,
    command: z.enum(['apply', 'destroy']),
    environment: text,
    scope: text,
    plan: text.nullable(),
    commit: text.nullable(),
    branch: text.nullable(),
    pr: z.number().nullable(),
    status: text,
    digest: text,
    approvedBy: text.nullable(),
    startedAt: text,
    ms: z.number(),
    lines: z.array(
      z.looseObject({
        id: text,
        verdict: text,
        state: text,
        ms: z.number(),
        requests: z.number(),
        code: text.optional(),
        driftLeft: text.optional(),
        status: z.number().optional(),
        states: z.array(z.tuple([text, z.number()])).optional(),
      }),
    ),
    putBack: text.optional(),
    stats: z.looseObject({ requests: z.number(), writes: z.number() }),
  });
  const history = z.looseObject({
    run: text,
    at: text,
    commit: text.nullable(),
    pr: z.number().nullable(),
    repository: text.nullable(),
    event: text.nullable(),
    outcome: text,
    eventAt: text.optional(),
    reopened: z.literal(true).optional(),
    pull: z.enum(['open', 'closed']).optional(),
    after: text.nullish(),
    renewed: z
      .looseObject({
        at: z.iso.datetime(),
        staysMs: z.number().positive(),
        label: text.optional(),
        seals: texts.optional(),
      })
      .optional(),
  });
  return { record, intent, left, deletes, lease, snapshot, receipt, history };
});

/** A destroy sends its requests to an address, so an object that it removes must have one. */
const isReachable = (fact: { readonly provider: { readonly base_url: string }; readonly reach: { readonly kind: string } }): boolean =>
  fact.provider.base_url !== '' || fact.reach.kind === 'none';
const unreachable = { path: ['provider', 'base_url'], message: 'Invalid URL' };
