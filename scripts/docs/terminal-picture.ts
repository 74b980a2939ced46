import { stripVTControlCharacters } from 'node:util';
import { escaped, svg } from './svg.ts';

const row = 18;
const letter = 7.83;
const edge = 16;

/** The class of each colour that a report may have. */
const classes: { readonly [code: string]: string } = { 1: 'strong', 2: 'quiet', 31: 'bad', 32: 'add', 33: 'change' };

/** A text with the colours of a terminal as a picture. */
export function terminalPicture(text: string): string {
  const rows = text.trimEnd().split('\n');
  const columns = Math.max(...rows.map((line) => stripVTControlCharacters(line).length));
  const lines = rows.flatMap((line, i) =>
    line === '' ? [] : [`<text x="${edge}" y="${edge + 13 + i * row}" xml:space="preserve">${spans(line)}</text>`],
  );
  const width = Math.ceil(columns * letter) + 2 * edge;
  return svg(width, rows.length * row + 2 * edge, 'A plan in a terminal', lines);
}

function spans(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with this character.
  const parts = line.split(/\x1b\[(\d+)m/);
  let name: string | undefined;
  return parts
    .map((part, i) => {
      if (i % 2 === 1) {
        name = classes[part];
        return '';
      }
      return part === '' || name === undefined ? escaped(part) : `<tspan class="${name}">${escaped(part)}</tspan>`;
    })
    .join('');
}
