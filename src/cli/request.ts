import { shellQuote } from '../core/how-to-set.ts';
import type { ClosedRequest, RunRequest } from '../engine/types.ts';
import type { Flags } from './parse.ts';

/** Turns the flags into the request of a run. A missing flag is `null`, empty or its default. */
export function toRequest(flags: Flags, where: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }): RunRequest {
  const text = (name: string): string | null => {
    const value = flags.get(name);
    return typeof value === 'string' ? value : null;
  };
  const count = (name: string): number | null => {
    const value = flags.get(name);
    return typeof value === 'number' ? value : null;
  };
  const list = (name: string): readonly string[] => {
    const value = flags.get(name);
    return typeof value === 'object' ? [...new Set(value)] : [];
  };
  return {
    cwd: where.cwd,
    env: where.env,
    plan: text('plan'),
    environment: text('env') ?? 'preview',
    scope: text('scope'),
    pr: count('pr'),
    branch: text('branch'),
    sha: text('sha'),
    only: list('only'),
    recreate: list('recreate'),
    reconcile: flags.has('reconcile'),
    putBack: flags.has('put-back'),
    destroy: flags.has('destroy'),
    expect: text('expect'),
    planFrom: text('plan-from'),
    restoreLedger: text('restore-ledger'),
    trustLedger: text('trust-ledger'),
    approvedBy: text('approved-by')?.trim() ?? null,
    // The default is longer than any lease, so the lease of a dead run expires within it.
    leaseTimeoutMs: count('lease-timeout') ?? 15 * 60_000,
    waitTimeoutMs: count('wait-timeout') ?? 15 * 60_000,
  };
}

/** Turns the flags of `--destroy --closed` into a request. */
export function toClosedRequest(flags: Flags, where: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }): ClosedRequest {
  const { cwd, env, plan, environment, leaseTimeoutMs, waitTimeoutMs, planFrom = null } = toRequest(flags, where);
  const days = flags.get('keep-receipts');
  return { cwd, env, plan, environment, leaseTimeoutMs, waitTimeoutMs, planFrom, keepReceiptsDays: typeof days === 'number' ? days : 90 };
}

/** The `apply` command for this request, ready for a shell: the next step of a plan. */
export function applyCommand(request: RunRequest, changed: Partial<RunRequest> = {}): string {
  const { plan, environment, scope, pr, branch, sha, only, recreate, reconcile, putBack, destroy, approvedBy } = { ...request, ...changed };
  const one = (flag: string, value: string | number | null): string[] =>
    value === null
      ? []
      : [String(value).startsWith('-') ? `--${flag}=${shellQuote(String(value))}` : `--${flag} ${shellQuote(String(value))}`];
  return [
    'pilotfish apply',
    ...(destroy ? ['--destroy'] : []),
    ...one('plan', plan),
    ...(environment === 'preview' ? [] : one('env', environment)),
    ...one('scope', scope),
    ...one('pr', pr),
    ...one('branch', branch),
    ...one('sha', sha),
    ...only.flatMap((line) => one('only', line)),
    ...recreate.flatMap((line) => one('recreate', line)),
    ...(reconcile ? ['--reconcile'] : []),
    ...(putBack ? ['--put-back'] : []),
    ...one('approved-by', approvedBy),
  ].join(' ');
}
