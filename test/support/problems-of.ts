import type { Op } from '../../src/ops/op.ts';

/** What an op says of params, in sentences. */
export const problemsOf = (op: Op, params: Parameters<NonNullable<Op['problems']>>[0]): string[] =>
  (op.problems?.(params) ?? []).map((problem) => (typeof problem === 'string' ? problem : problem.detail));
