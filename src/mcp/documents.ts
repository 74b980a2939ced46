import { z } from 'zod';

/**
 * The documents of the command line as schemas. An agent's program checks the answers of the tools with them. The schemas are open, because
 * a document may get more keys.
 */

const json: z.ZodType<unknown> = z.unknown().describe('Any JSON value.');
const texts = z.array(z.string());

const error = z.looseObject({
  code: z.string().describe('Stable. The tool `explain` describes it.'),
  kind: z.string().optional().describe('The case of the code, where it has a title of its own.'),
  summary: z.string(),
  detail: z.string().describe('What happened, to what, and why it matters.'),
  fix: z.string().describe('One thing to do.'),
  place: z.string().optional().describe('file:line:column of the plan.'),
});

const side = z.looseObject({
  state: z.enum(['literal', 'resolved', 'pending', 'secret', 'sensitive', 'kept', 'absent']),
  value: json.optional().describe('Present only if it may be shown.'),
});

const change = z.looseObject({
  field: z.string(),
  before: side,
  after: side,
  left: z.literal(true).optional().describe('Others made it, and it stays.'),
});

const line = {
  id: z.string(),
  adapter: z.string(),
  op: z.string(),
  recipe: z.string().optional(),
  subject: z.string().optional().describe('Names the object for people.'),
  verdict: z
    .string()
    .describe(
      'create, claim, adopt, keep, update, replace, reconcile, rename, record, none, delete, forget, send, redeploy, pending, refused or failed.',
    ),
  why: z.string().optional(),
  after: texts.optional().describe('Ids of the lines before it.'),
  code: z.literal('DEPENDENCY_FAILED').optional(),
  because: texts.optional().describe('Of a line that failed lines kept from its turn: their ids. Their errors say what to do.'),
  drift: z.enum(['none', 'changed', 'missing']),
  driftLeft: z.literal(true).optional().describe('The line says `drift: report`: what others changed, or took away, stays so.'),
  changes: z.array(change),
  recordChanges: z
    .array(change)
    .optional()
    .describe('Keys of the line that its record takes over: `id` of a renamed line, and what decides what a destroy does.'),
  error: error.optional(),
};

const hosts = z
  .array(z.looseObject({ origin: z.string(), lines: texts }))
  .optional()
  .describe("Hosts that are not the provider's own, with the lines whose requests, tokens or secrets go there.");

const orphan = z.looseObject({
  line: z.string(),
  adapter: z.string(),
  op: z.string(),
  recipe: z.string().optional(),
  subject: z.string().optional(),
  recordId: z.string(),
  verdict: z.string().describe('The verdict of a destroy: delete, or forget where the object stays.'),
  why: z.string(),
  becomes: z
    .enum(['removed', 'forgotten', 'left'])
    .optional()
    .describe('With `prune`: the end of the orphan, in a plan as an apply would end it. Left: `why` tells why.'),
  id: z.string().optional().describe('Its line in this run.'),
  state: z.string().optional(),
  error: error.optional(),
});

const failure = z.looseObject({
  schema: z.literal(1),
  ok: z.literal(false),
  command: z.string(),
  error,
  errors: z.array(error).optional().describe('All errors, if several were found before the first request.'),
});

const plan = z.looseObject({
  schema: z.literal(1),
  ok: z.boolean(),
  command: z.literal('plan'),
  environment: z.string(),
  scope: z.string(),
  digest: z.string().describe('Identifies what was decided. Pass it to `apply` or `destroy` as `expect`.'),
  lines: z.array(
    z.looseObject({
      ...line,
      inputs: z.record(z.string(), side),
      waitingOn: texts.optional(),
      unmanaged: texts.optional(),
    }),
  ),
  hosts,
  orphans: z.array(orphan),
  putBack: z.string().optional().describe('The command that writes back what others changed and lines with `drift: report` leave.'),
  stays: texts.optional().describe('Of a destroy that `only` or `orphans` narrows: recorded lines that it leaves as they are.'),
  orphansOnly: z.literal(true).optional().describe('The destroy takes only what has left the plan.'),
  warnings: texts,
  summary: z.record(z.string(), z.number()).describe('The number of lines by verdict.'),
  error: error.optional(),
});

const apply = z.looseObject({
  schema: z.literal(1),
  ok: z.boolean(),
  command: z.literal('apply'),
  status: z.enum(['complete', 'partial', 'failed', 'stale', 'interrupted']),
  environment: z.string(),
  scope: z.string(),
  runId: z.string(),
  digest: z.string(),
  lines: z.array(z.looseObject({ ...line, state: z.string(), ms: z.number(), requests: z.number(), notes: texts.optional() })),
  outputs: z.record(z.string(), z.record(z.string(), json)).describe('Outputs that may be shown, by line.'),
  receipt: z.looseObject({ branch: z.string(), commit: z.string().nullable() }),
  stats: z.looseObject({ requests: z.number(), writes: z.number(), ms: z.number() }),
  warnings: texts,
  hosts,
  orphans: z.array(orphan),
  putBack: z.string().optional().describe('The command that writes back what others changed and lines with `drift: report` leave.'),
  stays: texts.optional().describe('Of a destroy that `only` or `orphans` narrows: recorded lines that it leaves as they are.'),
  orphansOnly: z.literal(true).optional().describe('The destroy takes only what has left the plan.'),
  error: error.optional(),
});

export const planAnswer = z.union([plan, failure]);
export const applyAnswer = z.union([apply, failure]);
export { failure as failureAnswer };
