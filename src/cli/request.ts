import { type Door, door, type Given, type Input } from '../core/door.ts';
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
    prune: flags.has('prune'),
    orphans: flags.has('orphans'),
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
export function toClosedRequest(
  command: 'plan' | 'apply',
  flags: Flags,
  where: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): ClosedRequest {
  const { cwd, env, plan, environment, leaseTimeoutMs, waitTimeoutMs, planFrom = null } = toRequest(flags, where);
  const days = flags.get('keep-receipts');
  return {
    ...{ cwd, env, plan, environment, leaseTimeoutMs, waitTimeoutMs, planFrom },
    keepReceiptsDays: typeof days === 'number' ? days : 1,
    ...(flags.has('expired') && { isExpired: true }),
    ...(command === 'plan' && { isPlan: true }),
  };
}

/** The apply of this request, to be copied: the next step of a plan. */
export const applyCommand = (request: RunRequest, at: Door = door): string => at.command({ command: 'apply', inputs: inputsOf(request) });

/** The apply of this request that also removes its orphans, to be copied. */
export const pruneCommand = (request: RunRequest): string =>
  applyCommand({ ...request, destroy: false, orphans: false, prune: true, only: [], recreate: [], reconcile: false, putBack: false });

function inputsOf(request: RunRequest): readonly Given[] {
  const { plan, environment, scope, pr, branch, sha, only, recreate, reconcile, putBack, destroy, orphans, prune, approvedBy } = request;
  const one = (input: Input, value: string | number | null): Given[] => (value === null ? [] : [[input, String(value)]]);
  return [
    ...(destroy ? [['destroy'] as const] : []),
    ...(orphans ? [['orphans'] as const] : []),
    ...(prune ? [['prune'] as const] : []),
    ...one('plan', plan),
    ...(environment === 'preview' ? [] : one('env', environment)),
    ...one('scope', scope),
    ...one('pr', pr),
    ...one('branch', branch),
    ...one('sha', sha),
    ...only.flatMap((line) => one('only', line)),
    ...recreate.flatMap((line) => one('recreate', line)),
    ...(reconcile ? [['reconcile'] as const] : []),
    ...(putBack ? [['put-back'] as const] : []),
    ...one('approved-by', approvedBy),
  ];
}
