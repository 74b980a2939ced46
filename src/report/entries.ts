import type { ErrorData } from '../core/errors.ts';
import { errorLines } from './errors-text.ts';
import { indent } from './sections.ts';
import type { Styles, Tone } from './styles.ts';
import { columns, oneLine } from './text.ts';
import { rowsOf, type Window } from './window.ts';

/** What a report says of one line of the plan: aligned cells, and details below them. */
export interface Entry {
  readonly tone: Tone;
  readonly cells: readonly string[];
  readonly details: readonly string[];
}

export function entryLines(entries: readonly Entry[], styles: Styles): string[] {
  const rows = columns(entries.map(({ cells }) => cells));
  return entries.flatMap(({ tone, details }, i) => [`  ${styles.paint(tone, rows[i] ?? '')}`, ...indent(details, 6)]);
}

/** `a`, `a, b and c`, `a, b, c and 397 more`. */
export function namesOf(ids: readonly string[], most = 3): string {
  const shown = ids.map(oneLine);
  if (shown.length > most) return `${shown.slice(0, most).join(', ')} and ${shown.length - most} more`;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** Lines that ended alike, for the same reason. */
export interface Group<T> {
  readonly first: T;
  readonly ids: readonly string[];
}

export function alike<T extends { readonly id: string; readonly error?: ErrorData }>(
  lines: readonly T[],
  kind: (line: T) => string,
): Group<T>[] {
  const keyOf = (line: T): string => JSON.stringify([kind(line), line.error?.code, line.error?.detail, line.error?.fix]);
  return [...Map.groupBy(lines, keyOf).values()].flatMap((of) => (of[0] ? [{ first: of[0], ids: of.map(({ id }) => id) }] : []));
}

/** Groups as entries, each with its error: as many as the rows allow, one at least, and the names of the others. */
export function groupLines<T extends { readonly id: string; readonly error?: ErrorData }>(
  groups: readonly Group<T>[],
  entry: (group: Group<T>) => Entry,
  { styles, window, rows }: { readonly styles: Styles; readonly window: Window; readonly rows: number },
): string[] {
  const all = groups.map((group) => {
    const { details, ...of } = entry(group);
    return { group, entry: { ...of, details: [...details, ...(group.first.error ? errorLines(group.first.error, styles) : [])] } };
  });
  // One row, or two in a narrow window, are for the names of the others.
  let left = rows - 1;
  const shown = all.filter(({ entry: of }, i) => {
    left -= rowsOf(entryLines([of], styles), window);
    return i === 0 || left >= 0;
  });
  const rest = all.slice(shown.length).flatMap(({ group }) => group.ids);
  return [
    ...entryLines(
      shown.map(({ entry: of }) => of),
      styles,
    ),
    ...(rest.length > 0 ? [`  … and ${rest.length} more: ${namesOf(rest)}`] : []),
  ];
}
