import { stripVTControlCharacters } from 'node:util';
import { widthOf, wrapped } from './width.ts';

/** The window in which a person reads a report. A file or a pipe has none, so its report is complete, whatever its length. */
export interface Window {
  readonly columns: number;
  readonly rows: number;
}

export const windowOf = (stream: { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number }): Window | null =>
  stream.isTTY === true && stream.columns && stream.rows ? { columns: stream.columns, rows: stream.rows } : null;

/** Breaks lines between words, before the window breaks them anywhere. The rest of a broken line is indented further. */
export function fitted(lines: readonly string[], window: Window | null): readonly string[] {
  if (window === null) return lines;
  return lines.flatMap((line) => {
    if (columnsOf(line) <= window.columns) return [line];
    const indent = line.length - line.trimStart().length;
    // A row that is broken has no columns to align, so their gaps shrink.
    const text = line.trimStart().replace(/ {3,}/g, '  ');
    const [first = '', ...rest] = wrapped(text, window.columns - indent - 2, columnsOf);
    return [`${' '.repeat(indent)}${first}`, ...rest.map((more) => `${' '.repeat(indent + 2)}${more}`)];
  });
}

/** Counts the rows of the window that lines take. */
export const rowsOf = (lines: readonly string[], { columns }: Window): number =>
  lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(columnsOf(line) / columns)), 0);

/** Colours take no column. */
const columnsOf = (line: string): number => widthOf(stripVTControlCharacters(line));
