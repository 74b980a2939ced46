import type { KeptLine } from '../engine/document.ts';
import { oneLine } from './text.ts';

/** The lines that wait for each failed line. */
export function waitingOf(lines: readonly (KeptLine & { readonly id: string })[]): ReadonlyMap<string, readonly string[]> {
  const waits = new Map<string, string[]>();
  for (const { id, because = [] } of lines) {
    for (const cause of because) {
      const known = waits.get(cause);
      if (known) known.push(id);
      else waits.set(cause, [id]);
    }
  }
  return waits;
}

/** `4 more wait for it: payments-secret, preview, stripe-hook, …`, in the names as a report shows them; empty where none waits. A sentence. */
export function waitingText(waiting: readonly string[], show: (line: string) => string = oneLine): string {
  if (waiting.length === 0) return '';
  const shown = waiting.slice(0, mostNamed).map(show).join(', ');
  return `${waiting.length} more ${waiting.length === 1 ? 'waits' : 'wait'} for it: ${shown}${waiting.length > mostNamed ? ', …' : '.'}`;
}

const mostNamed = 3;

/** The failed lines that a line waits for, in the words of every report. */
export const becauseText = ({ because = [] }: KeptLine): string[] => (because.length === 0 ? [] : [`waits for ${because.join(', ')}`]);
