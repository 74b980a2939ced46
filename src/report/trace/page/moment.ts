import type { Actor, Judged, LineTrace, Step } from './model.ts';
import { isEnd, toneOf } from './tones.ts';

/** Counts the entries of a list, ordered by time, that have happened at `at`. */
export function countUntil(list: readonly { readonly at: number }[], at: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.at ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The state of a machine at a moment. */
export const stateAt = ({ steps, initial }: Actor, at: number): string => steps[countUntil(steps, at) - 1]?.to ?? initial;

export const stepsUntil = ({ steps }: Actor, at: number): readonly Step[] => steps.slice(0, countUntil(steps, at));

/** The verdict that held at a moment; `null` before the line was judged. */
export const verdictAt = ({ verdicts }: LineTrace, at: number): Judged | null => verdicts[countUntil(verdicts, at) - 1] ?? null;

/** Tells whether an earlier run settled the line and this run went on from there. */
export const isRestored = ({ steps, initial }: Actor): boolean => steps[0]?.from === initial && steps[0].to === 'settled';

export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly state: string;
  /** The events end in this state, and it is no final state. */
  readonly isOpen: boolean;
}

/**
 * The states of a machine as bars. A state that was left in the same millisecond keeps a bar without width, because the machine passed it.
 */
export function barsOf(actor: Actor, end: number, isFinal: (state: string) => boolean): readonly Bar[] {
  const bars: Bar[] = [];
  let from = actor.begunAt;
  let state = actor.initial;
  for (const step of actor.steps) {
    if (step.at > from) bars.push({ from, to: step.at, state, isOpen: false });
    from = step.at;
    state = step.to;
  }
  if (isFinal(state)) bars.push({ from, to: from, state, isOpen: false });
  else bars.push({ from, to: Math.max(end, from), state, isOpen: true });
  return bars;
}

/** Milliseconds of a line. Neither number holds the time in which it waited for other lines or for a push of the ledger. */
export interface Spent {
  readonly work: number;
  /** The time in which the line waited for its provider to make an object ready. */
  readonly wait: number;
}

export function spentOf(line: LineTrace, end: number): Spent {
  let [work, wait] = [0, 0];
  for (const { from, to, state } of barsOf(line, end, isEnd)) {
    const tone = toneOf(state);
    if (tone === 'look' || tone === 'write') work += to - from;
    if (tone === 'wait') wait += to - from;
  }
  return { work, wait };
}

/** The lines that took time, the slowest first. */
export function slowestOf(lines: readonly LineTrace[], end: number): readonly (Spent & { readonly line: LineTrace })[] {
  return lines
    .map((line) => ({ line, ...spentOf(line, end) }))
    .filter(({ work, wait }) => work + wait > 0)
    .sort((a, b) => b.work + b.wait - (a.work + a.wait));
}
