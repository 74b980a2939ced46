import type { ErrorCode } from '../../src/core/error-table.ts';
import { type ErrorData, Failure } from '../../src/core/errors.ts';
import type { ApplyDoc, ApplyLineDoc, ClosedDoc, FailureDoc, PlanDoc, PlanLineDoc } from '../../src/engine/document.ts';

/** Documents of a shop with a database, a deployment and what needs their addresses. */
export const problem = (code: ErrorCode, detail: string, fix?: string): ErrorData =>
  new Failure(code, { detail, ...(fix !== undefined && { fix }), place: { file: 'release.plan.yaml', line: 14, column: 5 } }).toData();

const planLine = (over: Partial<PlanLineDoc> & { id: string }): PlanLineDoc => ({
  adapter: 'http',
  op: 'resource',
  verdict: 'create',
  why: 'there is no record, and nothing with this identity',
  drift: 'none',
  changes: [],
  inputs: {},
  ...over,
});

export const plan = (over: Partial<PlanDoc> = {}): PlanDoc => ({
  schema: 1,
  ok: true,
  command: 'plan',
  environment: 'preview',
  scope: 'pr-12',
  digest: '7f3a9c2e41d8',
  lines: [
    planLine({
      id: 'database',
      adapter: 'neon',
      op: 'branch',
      changes: [{ field: '/name', before: { state: 'absent' }, after: { state: 'literal', value: 'preview-pr-12' } }],
    }),
    planLine({
      id: 'database-url',
      adapter: 'vercel',
      op: 'env_var',
      after: ['database'],
      changes: [
        { field: '/key', before: { state: 'absent' }, after: { state: 'literal', value: 'DATABASE_URL' } },
        { field: '/value', before: { state: 'absent' }, after: { state: 'pending' } },
      ],
      waitingOn: ['database'],
      verdict: 'pending',
    }),
    planLine({
      id: 'callback',
      recipe: 'auth0.callback_url',
      verdict: 'update',
      why: 'its fields differ from the plan',
      drift: 'changed',
      changes: [
        {
          field: '/callbacks/0',
          before: { state: 'resolved', value: 'https://shop-git-old.example.app/auth' },
          after: { state: 'resolved', value: 'https://shop-pr-12.example.app/auth' },
        },
        { field: '/client_secret', before: { state: 'secret' }, after: { state: 'secret' } },
      ],
      after: ['preview'],
      unmanaged: ['https://shop.example.com/auth', 'http://localhost:3000/auth'],
    }),
    planLine({ id: 'preview', adapter: 'vercel', op: 'deployment', verdict: 'none', why: 'as planned' }),
    planLine({
      id: 'hook',
      recipe: 'stripe.webhook_endpoint',
      verdict: 'replace',
      why: 'it is gone',
      drift: 'missing',
      after: ['preview'],
    }),
  ],
  orphans: [],
  warnings: [],
  summary: { create: 1, update: 1, replace: 1, pending: 1, none: 1 },
  ...over,
});

/** What others changed and took away, told and left. */
export const leftPlan = (): PlanDoc => {
  const told = { driftLeft: true, verdict: 'none' } as const;
  const content = { before: { state: 'literal', value: 'theirs.example' }, after: { state: 'literal', value: 'ours.example' } } as const;
  return plan({
    lines: [
      planLine({
        ...{ id: 'dns', recipe: 'cloudflare.dns_cname', drift: 'changed', why: 'changed outside, and left so', ...told },
        changes: [{ field: 'content', ...content, left: true }],
      }),
      planLine({ id: 'callback', recipe: 'auth0.callback_url', drift: 'missing', why: 'deleted outside, and left so', ...told }),
    ],
    summary: { none: 2 },
    putBack: 'pilotfish apply --put-back --scope pr-12',
  });
};

export const applyLine = (over: Partial<ApplyLineDoc> & { id: string }): ApplyLineDoc => ({
  adapter: 'http',
  op: 'resource',
  state: 'settled',
  verdict: 'create',
  why: 'there is no record, and nothing with this identity',
  drift: 'none',
  changes: [],
  ms: 1_230,
  requests: 3,
  ...over,
});

export const apply = (over: Partial<ApplyDoc> = {}): ApplyDoc => ({
  schema: 1,
  ok: true,
  command: 'apply',
  status: 'complete',
  environment: 'preview',
  scope: 'pr-12',
  runId: '01JD9Z7Q4W',
  digest: '7f3a9c2e41d8',
  lines: [
    applyLine({
      id: 'database',
      adapter: 'neon',
      op: 'branch',
      ms: 4_210,
      changes: [{ field: '/name', before: { state: 'absent' }, after: { state: 'literal', value: 'preview-pr-12' } }],
    }),
    applyLine({
      id: 'database-url',
      adapter: 'vercel',
      op: 'env_var',
      after: ['database'],
      ms: 340,
      changes: [{ field: '/value', before: { state: 'absent' }, after: { state: 'sensitive' } }],
    }),
    applyLine({ id: 'preview', adapter: 'vercel', op: 'deployment', verdict: 'none', ms: 61_000, after: ['database-url'] }),
    applyLine({
      id: 'callback',
      recipe: 'auth0.callback_url',
      verdict: 'update',
      why: 'its fields differ from the plan',
      drift: 'changed',
      changes: [
        {
          field: '/callbacks/0',
          before: { state: 'resolved', value: 'https://shop-git-old.example.app/auth' },
          after: { state: 'resolved', value: 'https://shop-pr-12.example.app/auth' },
        },
      ],
      after: ['preview'],
      ms: 512,
    }),
  ],
  outputs: {
    preview: { url: 'https://shop-pr-12.example.app', id: 'dpl_5Tz' },
    database: { host: 'ep-cool-1.eu-central-1.aws.example.tech' },
  },
  receipt: { branch: 'pilotfish-receipts/preview/pr-12', commit: '0c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f60718293' },
  stats: { requests: 14, writes: 4, fetches: 1, pushes: 3, lockPushes: 2, ms: 66_400 },
  warnings: [],
  orphans: [],
  ...over,
});

const quota = problem(
  'PROVIDER_QUOTA',
  'The project already has 10 branches, and its plan allows 10.',
  'Remove branches that nobody needs.',
);

const verdicts = ['create', 'claim', 'adopt', 'update', 'replace', 'reconcile', 'send', 'delete', 'forget', 'keep', 'none'] as const;

/** A line of every verdict, and the states that are not settled. */
export const allVerdicts = apply({
  ok: false,
  status: 'failed',
  lines: [
    ...verdicts.map((verdict, at) =>
      applyLine({
        id: `line-${verdict}`,
        verdict,
        why: `why ${verdict}`,
        ms: at * 400,
        ...(at > 0 && { after: [`line-${verdicts[at - 1]}`] }),
      }),
    ),
    applyLine({ id: 'no-room', verdict: 'failed', state: 'failed', error: quota, ms: 90, after: ['line-create'] }),
    applyLine({
      id: 'theirs',
      verdict: 'refused',
      state: 'refused',
      error: problem(
        'RESOURCE_FOREIGN',
        'theirs: the webhook "shop" exists, and no record of this scope names it.\nIt was made on 2026-11-02.',
      ),
    }),
    applyLine({
      id: 'needs-room',
      verdict: 'pending',
      state: 'skipped',
      after: ['no-room'],
      code: 'DEPENDENCY_FAILED',
      because: ['no-room'],
    }),
    applyLine({ id: 'not-yet', verdict: 'pending', state: 'waiting', why: 'the run was interrupted', notes: ['waited 3 s for a lock'] }),
  ],
  orphans: [
    {
      line: 'old-hook',
      adapter: 'http',
      op: 'resource',
      recipe: 'stripe.webhook_endpoint',
      subject: 'shop-pr-12',
      recordId: 'rec_41',
      verdict: 'delete',
      why: 'no line of the plan names it',
    },
  ],
  warnings: ['The ledger is kept in this checkout alone: there is no remote.', 'STRIPE_KEY is a key of the live account.'],
  error: quota,
});

export const failed = apply({
  ok: false,
  status: 'failed',
  lines: [applyLine({ id: 'database', adapter: 'neon', op: 'branch', state: 'failed', verdict: 'failed', error: quota })],
  outputs: {},
  receipt: { branch: 'pilotfish-receipts/preview/pr-12', commit: null },
  error: problem('LEDGER_REFUSED', 'The host refused the push. What this run did is kept in .pilotfish/unpushed/01JD9Z7Q4W.json.'),
});

export const stale = apply({ status: 'stale', lines: [], outputs: {}, digest: '', warnings: ['The pull request is closed.'] });

export const partial = apply({
  status: 'partial',
  lines: apply().lines.map((line) =>
    line.id === 'preview' ? { ...line, verdict: 'pending', state: 'waiting', why: 'waits for the deployment' } : line,
  ),
  outputs: {},
});

export const destroyed = apply({
  lines: ['callback', 'database-url', 'database'].map((id) => applyLine({ id, verdict: 'delete', why: 'the scope is destroyed' })),
  outputs: {},
});

export const closed: ClosedDoc = {
  schema: 1,
  ok: false,
  command: 'apply',
  mode: 'closed',
  status: 'failed',
  environment: 'preview',
  repository: 'acme/shop',
  scopes: [
    {
      scope: 'pr-7',
      plan: null,
      branch: 'pilotfish-receipts/preview/pr-7',
      pullRequests: [7],
      outcome: 'destroyed',
      why: 'pull request 7 is closed',
      runId: '01A',
      lines: destroyed.lines,
    },
    {
      scope: 'pr-8',
      plan: 'admin',
      branch: 'pilotfish-receipts/preview/admin~pr-8',
      pullRequests: [8, 9],
      outcome: 'kept',
      why: 'pull request 9 is open',
    },
    {
      scope: 'pr-3',
      plan: null,
      branch: 'pilotfish-receipts/preview/pr-3',
      pullRequests: [3],
      outcome: 'gone',
      why: 'it was destroyed before',
    },
    {
      scope: null,
      plan: null,
      branch: 'pilotfish-receipts/preview/pr-5',
      pullRequests: [],
      outcome: 'failed',
      why: 'its ledger cannot be read',
      error: problem('LEDGER_CORRUPT', 'state.json of pilotfish-receipts/preview/pr-5 is not JSON.'),
    },
    {
      scope: 'pr-2',
      plan: null,
      branch: 'pilotfish-receipts/preview/pr-2',
      pullRequests: [2],
      outcome: 'removed',
      why: 'it was destroyed more than 90 days ago',
      warnings: ['The branch had a commit of another tool.'],
    },
  ],
  summary: { destroyed: 1, kept: 1, gone: 1, failed: 1, removed: 1 },
  stats: apply().stats,
};

export const failure: FailureDoc = {
  schema: 1,
  ok: false,
  command: 'apply',
  error: problem('PLAN_INVALID', 'database: the adapter "noen" is not known. The nearest is "neon".', 'Write "neon".'),
  errors: [
    problem('PLAN_INVALID', 'database: the adapter "noen" is not known. The nearest is "neon".', 'Write "neon".'),
    problem('REF_UNKNOWN', 'callback: `from: previw.url` names no line of this plan.'),
    { ...problem('CREDENTIAL_MISSING', 'NEON_API_KEY is not set.') },
  ],
};

export const refusedPlan = plan({
  ok: false,
  lines: [
    planLine({
      id: 'hook',
      recipe: 'stripe.webhook_endpoint',
      verdict: 'refused',
      why: 'the object is not ours',
      error: problem('RESOURCE_FOREIGN', 'hook: it exists.'),
    }),
  ],
  summary: { refused: 1 },
  orphans: allVerdicts.orphans,
});
