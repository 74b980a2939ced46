/** The text with the comment signs taken away from each of these rows, and from those right below that are indented more. */
export function withoutSigns(text: string, ...starts: readonly string[]): string {
  const rows = text.split('\n');
  for (const start of starts) {
    const at = rows.findIndex((row) => row.startsWith(start));
    const sign = start.indexOf('#');
    const isBelow = (row: string): boolean => row.slice(0, sign + 1) === start.slice(0, sign + 1) && /^ {2,}/.test(row.slice(sign + 2));
    let end = at + 1;
    while (isBelow(rows[end] ?? '')) end += 1;
    for (let i = at; i < end; i += 1) rows[i] = `${rows[i]?.slice(0, sign)}${rows[i]?.slice(sign + 2)}`;
  }
  return rows.join('\n');
}
