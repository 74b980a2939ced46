import { Failure } from '../../core/errors.ts';
import { shellQuote } from '../../core/how-to-set.ts';
import type { CommandResult } from '../../platform/command.ts';
import { override, producedSecret } from './credential.ts';
import type { Signer, SignerContext } from './signer.ts';

/**
 * A token that a program prints, sent as bearer. A run has one token at a time: the program starts once when the first line needs the
 * token, again after five minutes, and once more after a 401 to the current token. Lines that wait share one start.
 */
export function commandSigner(argv: readonly string[], context: SignerContext): Signer {
  let current: Token | null = null;
  let refused: { readonly failure: Failure; readonly since: () => number } | null = null;
  let asking: Promise<Token> | null = null;
  /** A refused token that the program printed once more. Asking again would not help. */
  let final: string | null = null;

  const ask = async (): Promise<Token> => {
    // A failed start also answers the lines that were about to ask. Otherwise a program that hangs would hold them one after another.
    if (refused && refused.since() < askAgainMs) throw refused.failure;
    try {
      current = await askFor(argv, context);
      refused = null;
      return current;
    } catch (thrown) {
      if (thrown instanceof Failure) refused = { failure: thrown, since: elapsed(context) };
      throw thrown;
    }
  };

  return {
    headers: async () => {
      // A line's own credential is a token that somebody else obtained.
      if (context.credential !== null) return { authorization: `Bearer ${override(context.credential, context)}` };
      if (current !== null && current.age() < useForMs) return { authorization: `Bearer ${current.text}` };
      asking ??= ask().finally(() => {
        asking = null;
      });
      return { authorization: `Bearer ${(await asking).text}` };
    },
    refresh: async ({ authorization }) => {
      if (context.credential !== null) return false;
      // The provider may refuse sixteen requests with one token. Only the first of them finds the token still current.
      if (current === null || authorization !== `Bearer ${current.text}`) return true;
      if (current.text === final) return false;
      final = current.text;
      current = null;
      return true;
    },
    explain: ({ status }) => {
      if (status !== 401 || context.credential !== null) return null;
      return { detail: `The provider did not accept the token of ${shown(argv)}.`, fix: fixFor(argv) };
    },
  };
}

interface Token {
  readonly text: string;
  age(): number;
}

const useForMs = 5 * 60_000;
const askAgainMs = 30_000;

/** Either clock may stand still: one while the machine sleeps, the other when somebody sets it. */
function elapsed({ clock }: SignerContext): () => number {
  const wall = clock.now();
  const mono = clock.mono();
  return () => Math.max(clock.now() - wall, clock.mono() - mono);
}

async function askFor(argv: readonly string[], context: SignerContext): Promise<Token> {
  const age = elapsed(context);
  const result = await context.run(argv);
  const token = 'failed' in result || result.code !== 0 ? '' : result.stdout.trim();
  if (/^[\x21-\x7e]{6,}$/.test(token)) return { text: producedSecret(token, shown(argv), context), age };
  throw refusal(argv, result, context);
}

const shown = (argv: readonly string[]): string => `\`${argv.map(shellQuote).join(' ')}\``;

function refusal(argv: readonly string[], result: CommandResult, { block }: SignerContext): Failure {
  const gave = `${shown(argv)} gave no token for ${block.api}`;
  if ('failed' in result) return new Failure('PROVIDER_AUTH', { detail: `${gave}: ${result.detail}`, fix: result.fix });
  const said = result.said === '' ? '.' : ` and said: ${result.said}`;
  const why = result.code === 0 ? printed(result.stdout.trim()) : `it ended with exit code ${result.code}${said}`;
  return new Failure('PROVIDER_AUTH', {
    detail: `${gave}: ${why}`,
    fix: fixFor(argv),
  });
}

function printed(text: string): string {
  if (text === '') return 'it printed nothing.';
  if (/[\r\n]/.test(text)) return 'it printed more than one line.';
  return text.length < 6
    ? 'its output is too short for a token.'
    : 'its output holds a space or another character that cannot be part of a token.';
}

const fixFor = ([program = '', ...args]: readonly string[]): string =>
  signIns.get(nameOf(program)) ?? `Run ${shown([program, ...args])} by hand. It must print a token for this API, and nothing else.`;

/** `C:\bin\az.cmd` is az. */
const nameOf = (program: string): string => (program.split(/[/\\]/).at(-1) ?? '').toLowerCase().replace(/\.(?:cmd|exe|bat|ps1)$/, '');

const signIns: ReadonlyMap<string, string> = new Map([
  ['gcloud', 'Run `gcloud auth login`, or in CI sign in a service account before pilotfish runs.'],
  ['az', 'Run `az login`, or in CI sign in a service principal before pilotfish runs.'],
  ['aws', 'Run `aws sso login`, or in CI set the variables of the AWS credentials.'],
  ['gh', 'Run `gh auth login`, or in CI set GH_TOKEN.'],
]);
