import type { RunRequest } from '../../src/engine/types.ts';

/** What a command asks for when nothing is said but where it runs: the preview of pull request 12. */
export function runRequest(cwd: string, env: NodeJS.ProcessEnv, change: Partial<RunRequest> = {}): RunRequest {
  return {
    cwd,
    plan: null,
    environment: 'preview',
    scope: 'pr-12',
    pr: null,
    branch: 'feature',
    sha: '1111111111111111111111111111111111111111',
    only: [],
    recreate: [],
    reconcile: false,
    destroy: false,
    expect: null,
    approvedBy: null,
    leaseTimeoutMs: 10_000,
    waitTimeoutMs: 20_000,
    ...change,
    env: { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', ...env, ...change.env },
  };
}
