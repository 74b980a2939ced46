import { Failures, showPlace } from '../../src/core/errors.ts';
import type { PlanReading } from '../../src/plan/load.ts';
import { planFromText } from '../../src/plan/load.ts';
import type { Context } from '../../src/plan/types.ts';

/** A run in a pull request that lacks nothing. */
export const fullContext: Context = {
  environment: 'preview',
  scope: 'pr-12',
  git: { sha: 'a'.repeat(40), branch: 'feat/x' },
  pr: { number: 12 },
};

export const readText = (text: string, context: Context = fullContext): PlanReading =>
  planFromText(text, { path: '/repo/release.plan.yaml', display: 'release.plan.yaml', context });

/** What is wrong with a plan, one `CODE line:column` a mistake, in the order of the report. */
export const codesOf = (text: string, context: Context = fullContext): readonly string[] =>
  failuresOf(text, context).map((failure) => {
    const place = failure.place ? showPlace(failure.place).replace('release.plan.yaml:', ' ') : '';
    return `${failure.code}${place}`;
  });

export const failuresOf = (text: string, context: Context = fullContext): PlanReading['problems'] => {
  try {
    return readText(text, context).problems;
  } catch (thrown) {
    if (thrown instanceof Failures) return thrown.failures;
    throw thrown;
  }
};

/** A plan with one line whose params are these lines of YAML; the first of them is line 5 of the file, at column 5. */
export const withParams = (...params: readonly string[]): string =>
  ['changes:', '  - id: a', '    adapter: neon', '    op: branch', ...params.map((param) => `    ${param}`), ''].join('\n');

/** A param of the one line of `withParams`. */
export const paramOf = (text: string, name: string, context: Context = fullContext): unknown =>
  readText(text, context).plan.lines[0]?.params[name];
