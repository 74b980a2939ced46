import type { LineTrace, RunTrace } from './model.ts';
import { isRestored, stateAt, verdictAt } from './moment.ts';

/** What is looked for; an empty text asks for nothing. */
export interface Filter {
  readonly text: string;
  readonly state: string;
  readonly verdict: string;
  readonly kind: string;
  readonly code: string;
}

export const noFilter: Filter = { text: '', state: '', verdict: '', kind: '', code: '' };

/** The verdict of a line as a word. An earlier run's is not told again. */
export const verdictWord = (line: LineTrace, at: number): string => verdictAt(line, at)?.verdict ?? (isRestored(line) ? 'restored' : '');

/** Verdict and state beside each other; said once where they are the same word. */
export const wordsOf = (verdict: string, state: string): string => [...new Set([verdict, state])].filter((word) => word !== '').join(' · ');

/** Lines that match at a moment, each word of the text somewhere in id, operation, state, verdict or error code. */
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

/** What does not change with time, made once: a search is repeated in each frame. */
function always(line: LineTrace): string {
  const known = texts.get(line) ?? [line.name, line.kind, ...line.failures.map(({ error }) => error.code)].join('\n').toLowerCase();
  texts.set(line, known);
  return known;
}

const texts = new WeakMap<LineTrace, string>();

/** What there is to choose from in each field. */
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
