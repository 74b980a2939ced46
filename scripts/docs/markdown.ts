/** A table whose cells may hold any text. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '-')), ...rows.map(line)].join('\n');
}

const cell = (text: string): string => prose(text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|'));

/** Escapes `<number>` outside code, because a browser would read it as HTML and hide it. */
export const prose = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;')))
    .join('');

/** Parts of a page with an empty line between them. */
export const page = (...parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`;

export const generatedNote = (source: string): string => `<!-- Made by \`node scripts/docs.ts\` from ${source}. Do not edit. -->`;
