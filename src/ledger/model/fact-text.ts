import { sha256 } from '../../core/canonical.ts';

const opening = /^\{\n {2}"sum": "([0-9a-f]{16})",\n/;

/**
 * The text of a record or intent, with a checksum of itself in front. What these files say decides what is deleted: one that a
 * merge, an editor or a disk has changed must be refused, and most such changes leave it valid JSON of the right shape.
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
