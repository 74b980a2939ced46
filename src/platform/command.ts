import type { Clock } from '../core/clock.ts';
import { Redactor } from '../core/redact.ts';
import { commandDeadline } from './command-deadline.ts';
import { type ProgramEnd, runProgram } from './program.ts';

export interface CommandCall {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly redactor: Redactor;
  readonly input?: string;
}

/** The answer of a program, or why there is none. `detail` holds nothing of its output. */
export type CommandResult =
  | {
      readonly code: number;
      /** The whole output as printed: it may be the secret itself. */
      readonly stdout: string;
      /** One short line without secrets, for messages; `''` when the program said nothing on stderr. */
      readonly said: string;
    }
  | { readonly failed: CommandFault; readonly detail: string; readonly fix: string };

export type CommandFault = 'not-found' | 'not-executable' | 'not-started' | 'timed-out' | 'too-much-output' | 'not-text' | 'killed';

export type RunCommand = (argv: readonly string[]) => Promise<CommandResult>;

/**
 * Runs a program that prints a token or a secret, or takes one. The program can ask nothing: its input is closed after the given text.
 * Its output has no colours, and it ends within the deadline with all that it started. Rejects only when `signal` ends the program.
 */
export async function runCommand({ argv, env, redactor, ...call }: CommandCall): Promise<CommandResult> {
  const deadlineMs = commandDeadline(env);
  const [program = ''] = argv;
  const plain = { ...env, NO_COLOR: '1', CLICOLOR: '0', FORCE_COLOR: undefined, CLICOLOR_FORCE: undefined };
  const end = await runProgram({ ...call, argv, env: plain, deadlineMs, outLimit });
  if (end.code === null) return faultOf(end.why, program, deadlineMs);
  const stdout = textOf(end.stdout);
  if (stdout === null) return fault('not-text', program);
  return { code: end.code, stdout, said: saidOnStderr(end.stderr.toString('utf8'), { stdout, env, redactor }) };
}

const outLimit = 1024 * 1024;

function textOf(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function faultOf(why: Extract<ProgramEnd, { code: null }>['why'], program: string, deadlineMs: number): CommandResult {
  if (why === 'timed-out' || why === 'too-much-output') return fault(why, program, deadlineMs);
  if (typeof why === 'string') return fault('killed', program, deadlineMs, why);
  const code = 'code' in why ? String(why.code) : why.name;
  if (code === 'ENOENT') return fault('not-found', program);
  if (code === 'EACCES' || code === 'EPERM') return fault('not-executable', program);
  return { failed: 'not-started', detail: `${program} could not be started (${code}).`, fix: `Check whether ${program} runs here.` };
}

function fault(failed: CommandFault, program: string, ms = 0, by?: string): CommandResult {
  return { failed, ...faults[failed](program, ms, by ?? 'a signal') };
}

const byHand = (program: string): string => `Run ${program} by hand with the same arguments, and see what it waits for or prints.`;

const faults: Readonly<Record<CommandFault, (program: string, ms: number, by: string) => { detail: string; fix: string }>> = {
  'not-found': (program) => ({
    detail: `The program ${program} was not found on the PATH.`,
    fix: `Install ${program}, or put the folder that holds it on the PATH.`,
  }),
  'not-executable': (program) => ({
    detail: `The program ${program} exists, but this user may not execute it.`,
    fix: `Make ${program} executable for the user who runs pilotfish.`,
  }),
  'not-started': (program) => ({ detail: `${program} could not be started.`, fix: byHand(program) }),
  'timed-out': (program, ms) => ({
    detail: `${program} did not end within ${ms / 1000} s and was stopped.`,
    fix: `${byHand(program)} Its input is closed, so it cannot ask anything.`,
  }),
  'too-much-output': (program) => ({ detail: `${program} printed more than 1 MB and was stopped.`, fix: byHand(program) }),
  'not-text': (program) => ({
    detail: `${program} printed bytes that are no UTF-8 text.`,
    fix: 'Store the value as text, for example as base64.',
  }),
  killed: (program, _ms, by) => ({ detail: `${program} was ended by ${by} before it answered.`, fix: byHand(program) }),
};

/**
 * The text of a program's stderr, on one line of at most 300 characters. A program may repeat its stdout there, or a credential from one
 * of its variables. Both are masked, although nobody knows these values beforehand.
 */
function saidOnStderr(
  stderr: string,
  o: { readonly stdout: string; readonly env: NodeJS.ProcessEnv; readonly redactor: Redactor },
): string {
  // A search for every word of a long output would cost more than the message is worth.
  if (stderr === '' || o.stdout.length > longestSearched) return '';
  const own = new Redactor();
  for (const word of [o.stdout, ...(o.stdout.match(/[^\s"',:{}[\]]+/g) ?? []), ...secretsOf(o.env)]) {
    if (word.trim().length >= shortest) own.add(word);
  }
  const line = oneLine(stderr);
  // The text is redacted before it is cut: half a secret would not be recognised.
  const clean = o.redactor.text(own.text(line));
  return clean.length <= longest ? clean : `${clean.slice(0, longest - 1).trimEnd()}…`;
}

const longest = 300;
const longestSearched = 16 * 1024;
/** Shorter words are too often ordinary ones. */
const shortest = 6;

const secretsOf = (env: NodeJS.ProcessEnv): string[] =>
  Object.entries(env).flatMap(([name, value]) => (/(?:TOKEN|SECRET|KEY|PASSWORD|PASS|PAT|CREDENTIALS?)$/i.test(name) ? [value ?? ''] : []));

/** Colours, control characters and direction marks could make a text look different. */
const oneLine = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences begin with one
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/\p{Cf}+/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
