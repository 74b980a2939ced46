/** Rows of text under titles: the first column to the left, numbers to the right. */
export function table(titles: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const all = [titles, ...rows.map((row) => row.map(String))];
  const widths = titles.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ');
  return all.map((row) => `${line(row).trimEnd()}\n`).join('');
}
