import type { Receipt } from '../../src/ledger/model/facts.ts';

/** Of an apply in which one object was somebody else's, so that what comes after it was skipped. */
export const failedReceipt: Receipt = {
  v: 1,
  run: '4f2a9c1be07d',
  command: 'apply',
  environment: 'preview',
  scope: 'pr-12',
  plan: null,
  commit: 'c0ffee',
  branch: 'feature',
  pr: 12,
  status: 'failed',
  digest: 'abc',
  approvedBy: null,
  startedAt: '2026-11-20T10:00:00.000Z',
  ms: 2_500,
  lines: [
    { id: 'db', verdict: 'create', state: 'settled', ms: 1_200, requests: 3 },
    { id: 'dns', verdict: 'refused', state: 'refused', ms: 300, requests: 1, code: 'RESOURCE_FOREIGN' },
    { id: 'alias', verdict: 'pending', state: 'skipped', ms: 0, requests: 0, code: 'DEPENDENCY_FAILED' },
  ],
  stats: { requests: 4, writes: 1 },
};
