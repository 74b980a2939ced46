import type { ErrorData } from '../core/errors.ts';
import { errorLines } from './errors-text.ts';
import { indent } from './sections.ts';
import type { Styles, Tone } from './styles.ts';
import { columns, oneLine } from './text.ts';
import { cutEnd, isWithin, padTo, widthOf, wrapped } from './width.ts';
import { fitted, rowsOf, type Window } from './window.ts';

/** The part of a report about one line of the plan: aligned cells, and details below them. */
export interface Entry {
  /** `null`: the row has no colour. */
  readonly tone: Tone | null;
  readonly cells: readonly string[];
  /** Names the object, after the cells. In a narrow window it takes rows of its own. */
  readonly subject: string;
  readonly details: readonly string[];
}

/** Writes entries below each other, with aligned cells. Subjects stand in a column of their own, or below their cells if that is too narrow. */
export function entryLines(entries: readonly Entry[], styles: Styles, window: Window | null): string[] {
  const used = entries[0]?.cells.map((_, i) => entries.some(({ cells }) => (cells[i] ?? '') !== '')) ?? [];
  const rows = columns(entries.map(({ cells }) => cells.filter((_, i) => used[i] !== false)));
  const start = Math.max(0, ...entries.map(({ subject }, i) => (subject === '' ? 0 : widthOf(rows[i] ?? '') + 4)));
  return entries.flatMap(({ tone, subject, details }, i) => {
    const [first = '', ...more] = placed(rows[i] ?? '', subject, start, window);
    const paint = (row: string): string => (tone === null ? row : styles.paint(tone, row));
    return [`  ${paint(first)}`, ...more.map(paint), ...indent(details, 6)];
  });
}

/** Puts the subject behind its row. The first row lacks its indent. */
function placed(row: string, subject: string, start: number, window: Window | null): readonly string[] {
  if (subject === '') return [row];
  const head = padTo(row, start - 2);
  const room = (window?.columns ?? Number.POSITIVE_INFINITY) - start;
  if (isWithin(subject, room)) return [head + subject];
  const isBeside = room >= leastRoom && subject.split(' ').every((word) => isWithin(word, room));
  const [first = '', ...more] = wrapped(subject, isBeside ? room : (window?.columns ?? 0) - 6);
  const rest = indent(isBeside ? more : [first, ...more], isBeside ? start : 6);
  return [isBeside ? head + first : row, ...rest];
}

/** Columns in which a name still reads well. */
const leastRoom = 32;

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

/**
 * Shows groups as entries, each with its error. If the rows are too few, the first group is shown in full when the window is high enough,
 * the next groups have one row each, and the last ones only their names.
 */
export function groupLines<T extends { readonly id: string; readonly error?: ErrorData }>(
  groups: readonly Group<T>[],
  entry: (group: Group<T>) => Entry,
  {
    styles,
    window,
    rows,
    waits,
  }: {
    readonly styles: Styles;
    readonly window: Window;
    readonly rows: number;
    /** The lines that wait for each failed line. */
    readonly waits: ReadonlyMap<string, readonly string[]>;
  },
): string[] {
  const waiting = ({ ids }: Group<T>): readonly string[] => [...new Set(ids.flatMap((id) => waits.get(id) ?? []))];
  const entries = groups.map((group) => ({ group, entry: entry(group) }));
  const whole = entries.map(({ group, entry: { details, ...of } }) => ({
    ...of,
    details: [...details, ...(group.first.error ? errorLines(group.first.error, styles, undefined, waiting(group)) : [])],
  }));
  const heightOf = (of: readonly Entry[]): number => rowsOf(fitted(entryLines(of, styles, window), window), window);
  if (heightOf(whole) <= rows) return entryLines(whole, styles, window);
  const first = whole.slice(0, heightOf(whole.slice(0, 1)) < Math.max(rows, window.rows / 2) ? 1 : 0);
  // The names of the last groups take one row.
  const space = Math.max(first.length === 0 ? 2 : 0, rows - heightOf(first) - 1);
  const short = entries.slice(first.length, first.length + space);
  const names = entries.slice(first.length + space).flatMap(({ group }) => group.ids);
  return [
    ...entryLines(first, styles, window),
    ...shortLines(short, styles, window),
    ...(names.length > 0 ? [cutEnd(`  … and ${names.length} more: ${namesOf(names)}`, window.columns)] : []),
  ];
}

/** One row per group: its cells and its error, cut to the width. */
function shortLines(
  all: readonly { readonly group: Group<{ readonly error?: ErrorData }>; readonly entry: Entry }[],
  styles: Styles,
  { columns: width }: Window,
): string[] {
  const why = ({ error }: { readonly error?: ErrorData }): string => (error ? `${error.code}: ${oneLine(error.detail)}` : '');
  const rows = columns(all.map(({ group, entry }) => [...entry.cells, why(group.first)]));
  return all.map(({ entry }, i) => `  ${styles.paint(entry.tone ?? 'strong', cutEnd(rows[i] ?? '', width - 2))}`);
}
