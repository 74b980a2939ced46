import { Failure } from '../../core/errors.ts';
import { type Shell, shells } from '../command-spec.ts';
import type { Output } from '../output.ts';
import type { CliWorld } from '../world.ts';
import { completionScript, installLine } from './scripts.ts';
import { offersOf } from './sources.ts';
import { type Offer, wantedOf } from './words.ts';

/** The document of `completion --json`. */
interface CompletionDoc {
  readonly schema: 1;
  readonly ok: true;
  readonly command: 'completion';
  readonly shell: Shell;
  /** One command that installs the script. */
  readonly install: string;
  readonly script: string;
}

/** `pilotfish completion <shell>`: prints the script. Throws `USAGE` for another shell. */
export function printCompletion(name: string, output: Output): number {
  const shell = shells.find((one) => one === name.trim().toLowerCase());
  if (shell === undefined) {
    throw new Failure('USAGE', {
      detail: `pilotfish has no completion for ${JSON.stringify(name)}.`,
      fix: `Use one of ${shells.join(', ')}.`,
    });
  }
  const document: CompletionDoc = {
    schema: 1,
    ok: true,
    command: 'completion',
    shell,
    install: installLine(shell),
    script: completionScript(shell),
  };
  output.report(document, ({ script }) => script, 'own');
  return 0;
}

/** A shell that gets no word offers files, nothing, or folders. */
const directives = { files: 0, nothing: 4, folders: 16 } as const;

/** A TAB waits no longer for words than this. */
const patienceMs = 5_000;

/**
 * `pilotfish complete -- <words…>`: the answer to a TAB, as `scripts.ts` says. Whatever goes wrong, it writes no error and exits with 0,
 * because its reader is a line that a person is typing.
 */
export async function answerShell(
  words: readonly string[],
  world: Pick<CliWorld, 'cwd' | 'env' | 'stdout'>,
  output: Output,
): Promise<number> {
  const { offers, kind, typed, lead, given } = wantedOf(words);
  const isPath = kind === 'files' || kind === 'folders';
  const found = kind === null || isPath ? [] : await inTime(offersOf(kind, { given, ...world }));
  const known = [...offers, ...found.filter(({ value }) => isPlainWord(value) && !output.redactor.has(value))];
  const said = known.filter(({ value }) => value.startsWith(typed));
  const unique = [...new Map(said.map((offer) => [offer.value, offer])).values()];
  const lines = unique.map(({ value, about }) => `${lead}${value}\t${output.redactor.text(shortly(about ?? ''))}\n`);
  world.stdout.write(`${lines.join('')}:${directives[isPath ? kind : 'nothing']}\n`);
  return 0;
}

async function inTime(offers: Promise<readonly Offer[]>): Promise<readonly Offer[]> {
  const { promise: late, resolve } = Promise.withResolvers<readonly Offer[]>();
  const timer = setTimeout(resolve, patienceMs, []);
  try {
    return await Promise.race([offers, late]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Whether a word is the same text in every shell without quotes. Anybody who may push can name a branch, and anybody can write a plan.
 * So no other word is offered, and none begins like a flag.
 */
export const isPlainWord = (value: string): boolean => /^[A-Za-z0-9_][A-Za-z0-9._/:+=@-]{0,199}$/.test(value);

/** The first sentence of a description, on one line, without anything that a terminal obeys. */
export function shortly(text: string): string {
  const [first = ''] = text.split(/(?<=\.) /, 1);
  const plain = first.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return plain.length > mostShown ? `${plain.slice(0, mostShown - 1).trimEnd()}…` : plain;
}

/** Characters of a description. */
const mostShown = 72;
