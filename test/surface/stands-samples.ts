import type { ListDoc, ScopeRow, ShowDoc } from '../../src/engine/stands-document.ts';

const nothingLeft = { unfinished: 0, superseded: 0, leaving: 0, left: 0 };

/** An ordinary scope. */
export const row: ScopeRow = {
  scope: 'pr-12',
  plan: null,
  branch: 'pilotfish-receipts/preview/pr-12',
  pulls: { numbers: [12], state: 'open' },
  lineCount: 5,
  objectCount: 6,
  firstRun: '2026-11-26T08:00:00.000Z',
  lastRun: { run: 'a1b2c3d4e5f6', at: '2026-11-27T09:48:00.000Z', outcome: 'complete' },
  lease: null,
  expires: null,
  leftovers: nothingLeft,
};

const scope = (name: string, change: Partial<ScopeRow>): ScopeRow => ({
  ...row,
  scope: name,
  branch: `pilotfish-receipts/preview/${name}`,
  ...change,
});

const long = 'feature-that-renames-every-single-service-of-the-shop-at-once';

/** A scope of each kind. */
export const listed: ListDoc = {
  schema: 1,
  ok: true,
  command: 'list',
  environment: 'preview',
  ledger: 'https://github.com/acme/shop.git',
  at: '2026-11-27T10:00:00.000Z',
  scopes: [
    scope('pr-3', {
      pulls: { numbers: [3], state: 'closed' },
      firstRun: '2026-08-01T10:00:00.000Z',
      lastRun: { run: 'f1', at: '2026-08-20T10:00:00.000Z', outcome: 'failed' },
      leftovers: { unfinished: 2, superseded: 1, leaving: 1, left: 0 },
    }),
    scope(long, {
      pulls: { numbers: [], state: 'none' },
      lineCount: 12,
      objectCount: 140,
      firstRun: '2026-10-30T10:00:00.000Z',
      expires: '2026-12-04T10:00:00.000Z',
    }),
    scope('pr-7', {
      plan: 'web',
      pulls: { numbers: [7], state: 'closed' },
      objectCount: 0,
      lineCount: 0,
      firstRun: '2026-11-20T10:00:00.000Z',
      lastRun: { run: 'f2', at: '2026-11-25T10:00:00.000Z', outcome: 'destroyed: complete' },
      leftovers: { ...nothingLeft, left: 1 },
    }),
    row,
    scope('pr-13', {
      pulls: { numbers: [13], state: 'open' },
      firstRun: '2026-11-27T09:59:30.000Z',
      lastRun: null,
      lineCount: 1,
      objectCount: 0,
      lease: { holder: 'runner-17/4211', run: '0f9e8d7c6b5a', since: '2026-11-27T09:59:40.000Z', until: '2026-11-27T10:02:10.000Z' },
      leftovers: { ...nothingLeft, unfinished: 1 },
    }),
    scope('pr-9', {
      pulls: { numbers: [], state: 'unknown' },
      firstRun: null,
      lastRun: null,
      error: {
        code: 'LEDGER_CORRUPT',
        summary: 'The ledger is damaged',
        detail:
          'receipt.json on pilotfish-receipts/preview/pr-9 cannot be used: it is not JSON. Nothing was read from it and nothing was written.',
        fix: 'Restore an older commit of the branch with `--restore-ledger <commit>`.',
      },
    }),
  ],
  stats: { fetches: 1, requests: 1, ms: 412 },
};

export const shown: ShowDoc = {
  ...row,
  scope: 'pr-12',
  schema: 1,
  ok: true,
  command: 'show',
  environment: 'preview',
  ledger: 'https://github.com/acme/shop.git',
  at: '2026-11-27T10:00:00.000Z',
  commit: '0123456789abcdef0123456789abcdef01234567',
  leftovers: { unfinished: 1, superseded: 1, leaving: 1, left: 1 },
  objects: [
    {
      line: 'database',
      adapter: 'neon',
      op: 'branch',
      subject: 'pr-12 of shop',
      key: 'pr-12',
      objectId: 'br-cool-sea-12345',
      console: 'https://console.neon.tech/app/projects/quiet-river-12345678/branches/br-cool-sea-12345',
      state: 'stands',
      destroy: 'delete',
      owned: true,
      superseded: ['br-old-sea-99'],
      outputs: { host: 'ep-cool-sea-12345.eu-central-1.aws.neon.tech', branch_id: 'br-cool-sea-12345' },
      writtenAt: '2026-11-26T08:00:00.000Z',
      run: 'a1b2c3d4e5f6',
    },
    {
      line: 'webhook',
      adapter: 'http',
      op: 'resource',
      recipe: 'stripe.webhook_endpoint',
      subject: 'https://pr-12.preview.acme.example/hooks/payments',
      key: 'webhook',
      objectId: 'we_1',
      state: 'leaving',
      destroy: 'keep',
      owned: false,
      outputs: {},
      writtenAt: '2026-11-26T08:00:00.000Z',
      run: 'a1b2c3d4e5f6',
    },
  ],
  unfinished: [
    {
      line: 'flag',
      adapter: 'launchdarkly',
      op: 'rule',
      subject: 'checkout for pr-12',
      key: 'flag',
      at: '2026-11-27T09:40:00.000Z',
      run: 'b1b2c3d4e5f6',
    },
  ],
  left: ['bucket pr-12'],
  gone: ['webhook'],
  runs: [
    {
      run: 'b1b2c3d4e5f6',
      at: '2026-11-27T09:48:00.000Z',
      outcome: 'failed',
      event: 'pull_request',
      commit: 'c'.repeat(40),
      ms: 64_000,
      failed: [{ id: 'flag', verdict: 'create', state: 'failed', ms: 900, requests: 2, code: 'PROVIDER_QUOTA' }],
    },
    { run: 'a1b2c3d4e5f6', at: '2026-11-26T08:00:00.000Z', outcome: 'complete', event: 'pull_request', commit: 'b'.repeat(40), ms: 12_340 },
  ],
  notes: ['A run announced creates and recorded nothing of them. The next run finds out what became of each.'],
};
