export interface Column<T> {
  readonly head: string;
  /** Finished Markdown on one line, without a bare `|`. */
  readonly cell: (entry: T) => string;
  readonly isNumber?: boolean;
}

/** A table; columns in which nothing stands fall out. */
export function table<T>(columns: readonly Column<T>[], entries: readonly T[]): string {
  if (entries.length === 0) return '';
  const cells = columns.map(({ cell }) => entries.map(cell));
  const kept = columns.flatMap((column, at) => (cells[at]?.some((text) => text !== '') ? [{ column, texts: cells[at] }] : []));
  const row = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;
  return [
    row(kept.map(({ column }) => column.head)),
    row(kept.map(({ column }) => (column.isNumber ? '--:' : ':--'))),
    ...entries.map((_, at) => row(kept.map(({ texts }) => texts[at] ?? ''))),
  ].join('\n');
}
