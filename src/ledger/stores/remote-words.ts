import { stripVTControlCharacters } from 'node:util';
import type { Redactor } from '../../core/redact.ts';
import { stripUserinfoInText } from '../../platform/git-url.ts';

/**
 * The words of a ledger's host on one line, without secrets, user info and control characters. Cut last, so that nothing secret is cut in
 * two, and masked once more when what could hide a secret is gone.
 */
export function plainWords(words: string, redactor: Redactor): string {
  const plain = stripVTControlCharacters(stripUserinfoInText(redactor.text(words))).replace(/\p{Cc}+/gu, ' ');
  const line = redactor.text(plain.replace(/\s+/g, ' ').trim());
  return line.length > 600 ? `${line.slice(0, 600)}…` : line;
}
