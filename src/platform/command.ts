import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import spawn from 'cross-spawn';
import type { Clock } from '../core/clock.ts';
import type { Redactor } from '../core/redact.ts';
import { commandDeadline } from './command-deadline.ts';
import { saidOnStderr } from './command-words.ts';
import { ownGroup, processGroups } from './process-group.ts';

export interface CommandCall {
  /** The program and its arguments, as they are: no shell reads them. */
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  /** Ends the program. */
  readonly signal: AbortSignal;
  readonly redactor: Redactor;
  /** What it reads on its stdin; closed at once where this is left out. */
  readonly input?: string;
}

/** What a program answered, or why there is no answer. Nothing of its output stands in `detail`. */
export type CommandResult =
  | {
      readonly code: number;
      /** Whole and as printed: it may be the secret itself. */
      readonly stdout: string;
      /** One short line without secrets, for messages; `''` when it said nothing. */
      readonly said: string;
    }
  | { readonly failed: CommandFault; readonly detail: string; readonly fix: string };

export type CommandFault = 'not-found' | 'not-executable' | 'not-started' | 'timed-out' | 'too-much-output' | 'not-text' | 'killed';

export type RunCommand = (argv: readonly string[]) => Promise<CommandResult>;

/**
 * Runs a program that prints a token or a secret, or takes one. It is asked nothing: its input is what it is given and then closed,
 * its output has no colours, and it ends within the deadline with all that it started. Rejects only when `signal` ends it.
 */
export async function runCommand(call: CommandCall): Promise<CommandResult> {
  const deadlineMs = commandDeadline(call.env);
  call.signal.throwIfAborted();
  const [program = '', ...args] = call.argv;
  const env = { ...call.env, NO_COLOR: '1', CLICOLOR: '0', FORCE_COLOR: undefined, CLICOLOR_FORCE: undefined };
  const started = start(program, args, env, call.input);
  if (started instanceof Error) return startFault(started, program);
  const child = started;
  processGroups.add(child);
  const out = collect(child.stdout, outLimit, () => ending('too-much-output'));
  const err = collect(child.stderr, errLimit);
  const timers = new AbortController();
  const after = (ms: number, act: () => void): void => {
    call.clock.sleep(ms, timers.signal).then(act, () => undefined);
  };

  const { promise: ended, resolve: end } = Promise.withResolvers<Ending>();
  let early: 'timed-out' | 'too-much-output' | 'aborted' | null = null;
  let exited = false;
  const ending = (why: typeof early): void => {
    if (early !== null || (exited && why === 'timed-out')) return;
    early = why;
    processGroups.end(child, 'SIGTERM');
    after(graceMs, () => processGroups.end(child, 'SIGKILL'));
  };
  const abort = (): void => ending('aborted');
  call.signal.addEventListener('abort', abort, { once: true });
  after(deadlineMs, () => ending('timed-out'));

  child.once('error', (cause) => end({ cause }));
  child.once('exit', (code, by) => {
    exited = true;
    // Its children had their turn with it.
    if (early !== null) processGroups.end(child, 'SIGKILL');
    // A daemon that it left behind may hold the pipes open for good.
    if (early === null) after(drainMs, () => end({ code, by }));
    else end({ code, by });
  });
  child.once('close', (code, by) => end({ code, by }));

  try {
    const how = await ended;
    if (early === 'aborted') call.signal.throwIfAborted();
    if (early === 'timed-out' || early === 'too-much-output') return fault(early, program, deadlineMs);
    if (how.cause) return startFault(how.cause, program);
    if (how.code === undefined || how.code === null) return fault('killed', program, deadlineMs, how.by ?? undefined);
    const stdout = textOf(out.bytes());
    if (stdout === null) return fault('not-text', program, deadlineMs);
    const said = saidOnStderr(err.bytes().toString('utf8'), { stdout, env: call.env, redactor: call.redactor });
    return { code: how.code, stdout, said };
  } finally {
    call.signal.removeEventListener('abort', abort);
    timers.abort('over');
    release(child);
  }
}

interface Ending {
  readonly code?: number | null;
  readonly by?: NodeJS.Signals | null;
  readonly cause?: Error;
}

const outLimit = 1024 * 1024;
const errLimit = 64 * 1024;
const graceMs = 2_000;
const drainMs = 1_000;

/** Some reasons why a program cannot start are thrown at once (a list of arguments that is too long), others are events. */
function start(program: string, args: string[], env: NodeJS.ProcessEnv, input: string | undefined): ChildProcess | Error {
  try {
    const stdin = input === undefined ? 'ignore' : 'pipe';
    const child: ChildProcess = spawn(program, args, { env, stdio: [stdin, 'pipe', 'pipe'], detached: ownGroup, windowsHide: true });
    // A program that ends without reading closes the pipe; how it ended says what there is to say.
    child.stdin?.on('error', () => undefined).end(input);
    return child;
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}

/** Keeps the beginning of a stream; what is beyond the limit is read and forgotten, so that the writer never waits. */
function collect(stream: Readable | null, limit: number, onMore?: () => void) {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on('data', (chunk: Buffer) => {
    if (size < limit) chunks.push(chunk.subarray(0, limit - size));
    size += chunk.length;
    if (size > limit) onMore?.();
  });
  return { bytes: () => Buffer.concat(chunks) };
}

function release(child: ChildProcess): void {
  processGroups.remove(child);
  child.stdin?.destroy();
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
}

function textOf(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function startFault(cause: Error, program: string): CommandResult {
  const code = 'code' in cause ? String(cause.code) : cause.name;
  if (code === 'ENOENT') return fault('not-found', program);
  if (code === 'EACCES' || code === 'EPERM') return fault('not-executable', program);
  return { failed: 'not-started', detail: `${program} could not be started (${code}).`, fix: `Check whether ${program} runs here.` };
}

function fault(failed: CommandFault, program: string, ms = 0, by?: string): CommandResult {
  return { failed, ...faults[failed](program, ms, by ?? 'a signal') };
}

const byHand = (program: string): string => `Run ${program} by hand with the same arguments and see what it waits for or prints.`;

const faults: Readonly<Record<CommandFault, (program: string, ms: number, by: string) => { detail: string; fix: string }>> = {
  'not-found': (program) => ({
    detail: `The program ${program} was not found on the PATH.`,
    fix: `Install ${program}, or put the folder that holds it on the PATH.`,
  }),
  'not-executable': (program) => ({
    detail: `${program} is there and may not be executed.`,
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
