import { type ErrorCode, errorTable, wordsOf } from './error-table.ts';
import { Failure } from './errors.ts';
import { didYouMean } from './nearest.ts';

const codes = Object.keys(errorTable) as readonly ErrorCode[];

/** An error code with its words. */
export type Explained = { readonly code: ErrorCode } & ReturnType<typeof wordsOf>;

export interface ExplainDoc {
  readonly schema: 1;
  readonly ok: true;
  readonly command: 'explain';
  readonly errors: readonly Explained[];
}

/** Explains one code, or all of them for `null`. Throws `USAGE` for a code that pilotfish has not. */
export function explain(code: string | null): ExplainDoc {
  const wanted = code?.trim().toUpperCase() ?? null;
  const found = codes.filter((one) => wanted === null || one === wanted);
  if (found.length === 0) {
    throw new Failure('USAGE', {
      detail: `pilotfish has no error code ${JSON.stringify(wanted)}.${didYouMean(wanted ?? '', codes)}`,
      fix: `Use one of ${codes.join(', ')}, or leave the code out for all of them.`,
    });
  }
  return { schema: 1, ok: true, command: 'explain', errors: found.map((one) => ({ code: one, ...wordsOf(one) })) };
}
