import { describe, expect, it } from 'vitest';
import type { JobEvent } from './event.ts';
import type { Inputs } from './inputs.ts';
import { jobOf } from './job.ts';
import { everybody } from './who.ts';

const inputs: Inputs = {
  command: null,
  env: 'preview',
  scope: null,
  plan: null,
  planFrom: null,
  approvedBy: null,
  waitTimeout: null,
  token: 'ghs_x',
  comment: true,
  trace: null,
  recreate: [],
  reconcile: false,
  'put-back': false,
  prune: false,
  only: [],
  expect: null,
  closed: false,
  run: null,
  runOn: 'each',
  expired: false,
  who: everybody,
};
const nothing: JobEvent = {
  name: 'push',
  action: null,
  pull: null,
  defaultBranch: 'main',
  deployment: null,
  ref: null,
  isDeletion: false,
  label: null,
};
const pull = (action: string, headRepository: string | null = 'acme/shop', name = 'pull_request'): JobEvent => ({
  ...nothing,
  name,
  action,
  pull: { number: 12, headRepository, head: 'c0ffee', base: { branch: 'main', commit: 'ba5e' }, labels: [], isDraft: false, author: null },
});
const deployment = (state: string, ...environments: string[]): JobEvent => ({
  ...nothing,
  name: 'deployment_status',
  deployment: { commit: 'c0ffee', environments, state },
});
const job = (event: JobEvent, over: Partial<Inputs> = {}) => jobOf(event, { ...inputs, ...over }, 'Acme/Shop');

describe('a job', () => {
  it.for(['opened', 'synchronize', 'reopened', 'closed'])('runs for its pull request when the pull request is %s', (action) => {
    expect(job(pull(action))).toEqual({ kind: 'run', pull: 12 });
  });

  it.for(['labeled', 'edited', 'assigned', 'converted_to_draft'])('passes over a pull request that is %s', (action) => {
    expect(job(pull(action)).kind).toBe('skip');
  });

  it.for([
    ['pull_request', 'mallory/shop'],
    ['pull_request_target', 'mallory/shop'],
    ['pull_request', null],
  ] as const)('does nothing for a fork (%s from %s)', ([name, head]) => {
    const { kind, why } = { why: '', ...job(pull('opened', head, name)) };
    expect(kind).toBe('foreign');
    expect(why).toContain('12');
    expect(why).toContain('does not read its plan');
  });

  it('asks for the pull requests of a deployed commit', () => {
    expect(job(deployment('success', 'Preview'))).toEqual({ kind: 'ask', commit: 'c0ffee' });
  });

  it.for(['pending', 'in_progress', 'queued', 'failure', 'error', 'inactive'])('passes over a deployment that is %s', (state) => {
    expect(job(deployment(state, 'Preview')).kind).toBe('skip');
  });

  it.for([['production'], ['Production'], ['PRODUCTION – shop'], ['production-eu'], ['Preview', 'Production']])(
    'passes over a deployment to %s',
    (names) => {
      expect(job(deployment('success', ...names)).kind).toBe('skip');
    },
  );

  it('gives production neither a pull request nor the deployment of a preview', () => {
    expect(job(pull('opened'), { env: 'production' }).kind).toBe('skip');
    expect(job(deployment('success', 'Preview'), { env: 'Production' }).kind).toBe('skip');
  });

  it('takes a push for production, or for a named scope', () => {
    const main = { ...nothing, ref: 'refs/heads/main' };
    expect(job(main, { env: 'production' })).toEqual({ kind: 'run', pull: null });
    expect(job(main, { scope: 'staging' })).toEqual({ kind: 'run', pull: null });
    expect(job(main).kind).toBe('skip');
  });

  it.for(['refs/heads/pilotfish-receipts/preview/pr-12', 'refs/heads/pilotfish-locks/ab', 'refs/pilotfish/locks/ab'])(
    'is never set off by its own push to %s',
    (ref) => {
      expect(job({ ...nothing, ref }, { env: 'production' }).kind).toBe('skip');
    },
  );

  it('passes over a push that deletes a branch', () => {
    expect(job({ ...nothing, ref: 'refs/heads/main', isDeletion: true }, { env: 'production' }).kind).toBe('skip');
  });

  it.for(['schedule', 'workflow_dispatch'])('runs on %s for the scope or environment of its inputs', (name) => {
    expect(job({ ...nothing, name }, { closed: true })).toEqual({ kind: 'run', pull: null });
    expect(job({ ...nothing, name }, { scope: 'pr-12' })).toEqual({ kind: 'run', pull: null });
    expect(job({ ...nothing, name }).kind).toBe('skip');
  });

  it.for(['issue_comment', 'merge_group', 'workflow_run', 'release', 'deployment'])('passes over %s', (name) => {
    expect(job({ ...nothing, name }, { scope: 'pr-12' }).kind).toBe('skip');
  });
});
