import { shellQuote } from '../core/how-to-set.ts';
import type { RunRequest } from '../engine/types.ts';

/** The `apply` command that does what this request asks for, as it can be pasted into a shell: the next step of a plan. */
export function applyCommand(request: RunRequest, changed: Partial<RunRequest> = {}): string {
  const { plan, environment, scope, pr, branch, sha, only, recreate, reconcile, destroy, approvedBy } = { ...request, ...changed };
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
    ...one('approved-by', approvedBy),
  ].join(' ');
}
