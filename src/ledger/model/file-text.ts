import { sha256 } from '../../core/canonical.ts';

/** Two-space JSON with a final newline: readable in a diff. */
export const toText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const opening = /^\{\n {2}"sum": "([0-9a-f]{16})",\n/;

/**
 * The text of a record or intent, with a checksum of itself in front. These files decide what is deleted, so a run must refuse
 * a file that a merge, an editor or a disk has changed. Most such changes leave it valid JSON of the right shape.
 */
export function factText(fact: object): string {
  const rest = JSON.stringify(fact, null, 2).slice('{\n'.length);
  return `{\n  "sum": "${sumOf(rest)}",\n${rest}\n`;
}

/** Whether the text is as it was written. */
export function isAsWritten(text: string): boolean {
  const found = opening.exec(text);
  return found !== null && text.endsWith('\n') && sumOf(text.slice(found[0].length, -1)) === found[1];
}

const sumOf = (text: string): string => sha256(text).slice(0, 16);

/** Whether a text in this JSON is not valid Unicode, such as a lone `\ud800`. */
export function holdsHalves(json: string): boolean {
  let found = false;
  if (/\\ud[89a-f]/i.test(json)) {
    JSON.parse(json, (name, value: unknown) => {
      found ||= !name.isWellFormed() || (typeof value === 'string' && !value.isWellFormed());
      return value;
    });
  }
  return found;
}
