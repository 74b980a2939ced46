import { lineCell, type MarkdownOptions } from './parts.ts';
import type { Sheet } from './sheet.ts';

interface Named {
  readonly id: string;
  readonly place?: string;
}

/** Lines of one group are named up to here. The table below names all. */
const mostNamed = 3;

interface Said<T> {
  readonly lines: readonly T[];
  /** `null` for a line without a change. */
  readonly wordOf: (line: T) => string | null;
  readonly head: string;
  readonly isUnchanged: (line: T) => boolean;
}

/** One sentence: `**Changed:** created `a`, `b`; updated `c`. 9 unchanged.` Empty where no line was to change. */
export function changedText<T extends Named>(sheet: Sheet, o: MarkdownOptions, { lines, wordOf, head, isUnchanged }: Said<T>): string {
  const groups = new Map<string, T[]>();
  for (const line of lines) {
    const word = wordOf(line);
    if (word !== null) groups.set(word, [...(groups.get(word) ?? []), line]);
  }
  const changed = [...groups.values()].reduce((sum, group) => sum + group.length, 0);
  if (changed === 0 || !sheet.rest) return '';
  const said = [...groups].map(([word, group]) => `${word} ${namesOf(sheet, o, group)}`).join('; ');
  const rest = lines.filter(isUnchanged).length;
  return `**${head}:** ${said}.${rest === 0 ? '' : ` ${rest} unchanged.`}`;
}

function namesOf(sheet: Sheet, o: MarkdownOptions, group: readonly Named[]): string {
  const more = group.length - mostNamed;
  // One more name is no longer than the words for it.
  const shown = more === 1 ? group : group.slice(0, mostNamed);
  const names = shown.map((line) => lineCell(sheet, o, line)).join(', ');
  return more > 1 ? `${names} and ${more} more` : names;
}
