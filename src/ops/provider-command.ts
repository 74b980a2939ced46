import type { Json } from '../core/json.ts';
import type { BlockProblem } from './provider-url.ts';

/**
 * Reads the literal command of `auth: { command: [program, argument, …] }`. The ledger keeps the command, and a destroy runs it again, so no
 * part of it may be a secret.
 */
export function readCommand(
  value: Json | undefined,
  at: readonly (string | number)[],
): { readonly value: { readonly command: readonly string[] } } | { readonly problems: readonly BlockProblem[] } {
  if (!Array.isArray(value) || value.length === 0) {
    return {
      problems: [
        {
          at,
          detail: `auth.command must be a list of texts: a program and its arguments.`,
          fix: 'Write the command as a list, such as [gcloud, auth, print-access-token].',
        },
      ],
    };
  }
  const problems: BlockProblem[] = [];
  const argv: string[] = [];
  for (const [i, item] of value.entries()) {
    const detail = wrongWith(item, i);
    if (detail !== null) problems.push({ at: [...at, i], detail });
    else if (typeof item === 'string') argv.push(item);
  }
  for (const i of secretsAfterFlags(argv)) {
    problems.push({
      at: [...at, i],
      code: 'SECRET_LITERAL',
      detail: `The argument ${i} of auth.command stands where the program takes a credential, and the repository and the ledger would keep it.`,
      fix: 'Let the program read the credential from a variable or from its own sign-in.',
    });
  }
  return problems.length > 0 ? { problems } : { value: { command: argv } };
}

// The error does not repeat the text: it may be a credential.
function wrongWith(item: unknown, i: number): string | null {
  if (typeof item !== 'string') return `The argument ${i} of auth.command is not text. Write a number in quotes.`;
  if (/\p{Cc}/u.test(item)) return `The argument ${i} of auth.command holds a line break or another control character.`;
  if (i > 0) return null;
  if (item.trim() === '') return 'auth.command does not begin with the name of a program.';
  if (item.startsWith('-')) return 'auth.command begins with a flag, but the first entry must be the name of a program.';
  return /\s/.test(item) && !/[/\\]/.test(item)
    ? 'auth.command begins with a text of several words. No shell takes it apart, so every argument must be an entry of its own.'
    : null;
}

/** `--token=x`, `--password`, `x`. */
function secretsAfterFlags(argv: readonly string[]): readonly number[] {
  const found: number[] = [];
  for (const [i, item] of argv.entries()) {
    const match = /^--?(?:[a-z0-9]+-)*(?:token|password|passwd|passphrase|api-?key|client-secret)(=)?(.*)$/i.exec(item);
    if (!match || ((match[2] ?? '') !== '' && match[1] === undefined)) continue;
    const next = argv[i + 1];
    if (match[1] !== undefined) found.push(i);
    else if (next !== undefined && !next.startsWith('-')) found.push(i + 1);
  }
  return found;
}
