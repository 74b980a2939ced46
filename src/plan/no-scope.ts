import type { Failure } from '../core/errors.ts';

/** The beginning of the errors of runs that have no scope and need one. */
export const noScope = {
  run: 'This run has no scope, so it is not known whose state it keeps. Without a pull request the scope is never guessed.',
  destroy: 'No scope was given, and a destroy must know which scope to take away.',
} as const;

/** Whether a run failed because nobody said its scope. */
export const isScopeless = ({ code, detail }: Failure): boolean =>
  code === 'CTX_NULL' && Object.values(noScope).some((start) => detail.startsWith(start));
