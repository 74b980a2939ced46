import type { LineTrace, RunTrace } from './model.ts';
import { isRestored, stateAt, verdictAt } from './moment.ts';

/** The conditions of a search. An empty text is no condition. */
export interface Filter {
  readonly text: string;
  readonly state: string;
  readonly verdict: string;
  readonly kind: string;
  readonly code: string;
}

export const noFilter: Filter = { text: '', state: '', verdict: '', kind: '', code: '' };

/** The verdict of a line as a word. The events do not repeat the verdict of an earlier run. */
export const verdictWord = (line: LineTrace, at: number): string => verdictAt(line, at)?.verdict ?? (isRestored(line) ? 'restored' : '');

/** Verdict and state side by side, or once if they are the same word. */
export const wordsOf = (verdict: string, state: string): string => [...new Set([verdict, state])].filter((word) => word !== '').join(' · ');

/** The lines that match at a moment. Each word of the text must occur in the id, operation, subject, state, verdict or error code. */
export function matching(trace: RunTrace, filter: Filter, at: number): readonly number[] {
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return trace.lines.flatMap((line) => {
    const state = stateAt(line, at);
    const verdict = verdictWord(line, at);
    if (filter.state !== '' && state !== filter.state) return [];
    if (filter.verdict !== '' && verdict !== filter.verdict) return [];
    if (filter.kind !== '' && line.kind !== filter.kind) return [];
    if (filter.code !== '' && !line.failures.some(({ error }) => error.code === filter.code)) return [];
    if (words.length === 0) return [line.index];
    const now = `${state}\n${verdict}`.toLowerCase();
    return words.every((word) => now.includes(word) || always(line).includes(word)) ? [line.index] : [];
  });
}

/** The text of a line that does not change with time. It is made once, because each frame repeats the search. */
function always(line: LineTrace): string {
  const known =
    texts.get(line) ?? [line.name, line.kind, line.subject, ...line.failures.map(({ error }) => error.code)].join('\n').toLowerCase();
  texts.set(line, known);
  return known;
}

const texts = new WeakMap<LineTrace, string>();

/** The values that each field offers. */
export function choices({ lines }: RunTrace): { readonly [field in Exclude<keyof Filter, 'text'>]: readonly string[] } {
  const all = (of: (line: LineTrace) => readonly string[]): readonly string[] =>
    [...new Set(lines.flatMap(of))].filter((name) => name !== '').sort();
  return {
    state: all(({ steps, initial }) => [initial, ...steps.map(({ to }) => to)]),
    verdict: all((line) => [...line.verdicts.map(({ verdict }) => verdict), ...(isRestored(line) ? ['restored'] : [])]),
    kind: all(({ kind }) => [kind]),
    code: all(({ failures }) => failures.map(({ error }) => error.code)),
  };
}
