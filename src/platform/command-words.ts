import { Redactor } from '../core/redact.ts';

/**
 * What a program said on stderr, on one line of at most 300 characters. A program may repeat there what it printed on stdout, or a
 * credential that it got by a variable: neither comes through, and nobody needs to know those values beforehand.
 */
export function saidOnStderr(
  stderr: string,
  o: { readonly stdout: string; readonly env: NodeJS.ProcessEnv; readonly redactor: Redactor },
): string {
  // Looking for every word of a long output would cost more than its message is worth.
  if (stderr === '' || o.stdout.length > longestSearched) return '';
  const own = new Redactor();
  for (const word of [o.stdout, ...(o.stdout.match(/[^\s"',:{}[\]]+/g) ?? []), ...secretsOf(o.env)]) {
    if (word.trim().length >= shortest) own.add(word);
  }
  const line = oneLine(stderr);
  // Redacted before it is cut: half a secret would not be recognised.
  const clean = o.redactor.text(own.text(line));
  return clean.length <= longest ? clean : `${clean.slice(0, longest - 1).trimEnd()}…`;
}

const longest = 300;
const longestSearched = 16 * 1024;
/** Shorter words are too often ordinary ones. */
const shortest = 6;

const secretsOf = (env: NodeJS.ProcessEnv): string[] =>
  Object.entries(env).flatMap(([name, value]) => (/(?:TOKEN|SECRET|KEY|PASSWORD|PASS|PAT|CREDENTIALS?)$/i.test(name) ? [value ?? ''] : []));

/** Colours, control characters and direction marks could show a text other than it is. */
const oneLine = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences begin with one
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/\p{Cf}+/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
