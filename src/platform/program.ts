import { type ChildProcess, spawn as spawnNative } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import spawn from 'cross-spawn';
import { type Clock, systemClock } from '../core/clock.ts';

export interface ProgramCall {
  /** The program and its arguments, as they are: no shell reads them. */
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly env: NodeJS.ProcessEnv;
  /** The text for its stdin, which is closed at once where this is left out. */
  readonly input?: string | Buffer;
  readonly deadlineMs: number;
  /** Bytes of stdout after which the program is stopped. */
  readonly outLimit?: number;
  /** Talks with the program, which then has no `input` and no answer of its own: `stdin` stays open until the caller ends it. */
  readonly talk?: (stdin: Writable, stdout: Readable) => void;
  /** Ends the program. A program without a signal also outlives this process, so that a push is not cut short. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

/** How a program ended: with an exit code, or `why` there is none. */
export type ProgramEnd = { readonly stdout: Buffer; readonly stderr: Buffer } & (
  | { readonly code: number }
  | { readonly code: null; readonly why: Error | NodeJS.Signals | 'timed-out' | 'too-much-output' }
);

/**
 * Runs a program: the one way in which this process starts another one. The program leads a group and a session of its own, so it finds
 * no terminal to ask on, and Ctrl-C in ours does not reach it. It ends within the deadline with all that it started. Rejects only when
 * `signal` ends the program.
 *
 * `tinyexec` 1.3 and `execa` 10.2 end the program alone and not its group, which is most of this file.
 */
export async function runProgram(call: ProgramCall): Promise<ProgramEnd> {
  const { signal, clock = systemClock } = call;
  signal?.throwIfAborted();
  const child = start(call);
  if (child instanceof Error) return { code: null, why: child, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  if (signal) endWithUs(child);
  const limit = call.outLimit ?? Number.POSITIVE_INFINITY;
  const out = call.talk ? () => Buffer.alloc(0) : collect(child.stdout, limit, () => stop('too-much-output'));
  if (child.stdin && child.stdout) call.talk?.(child.stdin, child.stdout);
  const err = collect(child.stderr, errLimit);
  const timers = new AbortController();
  const after = (ms: number, act: () => void): void => {
    clock.sleep(ms, timers.signal).then(act, () => undefined);
  };
  const { promise: ended, resolve: end } = Promise.withResolvers<Error | readonly [number | null, NodeJS.Signals | null]>();
  let early: 'timed-out' | 'too-much-output' | 'aborted' | null = null;
  let exited = false;
  const stop = (why: typeof early): void => {
    if (early !== null || (exited && why === 'timed-out')) return;
    early = why;
    endGroup(child.pid, 'SIGTERM');
    after(graceMs, () => endGroup(child.pid, 'SIGKILL'));
  };
  const abort = (): void => stop('aborted');
  signal?.addEventListener('abort', abort, { once: true });
  after(call.deadlineMs, () => stop('timed-out'));
  child.once('error', end);
  child.once('exit', (code, by) => {
    exited = true;
    // Its children got the same time to end by themselves.
    if (early !== null) endGroup(child.pid, 'SIGKILL');
    // A daemon that the program left behind may hold the pipes open for good.
    if (early === null) after(drainMs, () => end([code, by]));
    else end([code, by]);
  });
  child.once('close', (code, by) => end([code, by]));
  try {
    const how = await ended;
    if (early === 'aborted') signal?.throwIfAborted();
    const printed = { stdout: out(), stderr: err() };
    if (early === 'timed-out' || early === 'too-much-output') return { code: null, why: early, ...printed };
    if (how instanceof Error) return { code: null, why: how, ...printed };
    const [code, by] = how;
    return code === null ? { code, why: by ?? 'SIGKILL', ...printed } : { code, ...printed };
  } finally {
    signal?.removeEventListener('abort', abort);
    timers.abort('over');
    release(child);
  }
}

const errLimit = 1024 * 1024;
const graceMs = 2_000;
const drainMs = 1_000;

/** Windows has no groups: a detached process there would get a window of its own. */
export const hasGroups = process.platform !== 'win32';

/** Some reasons why a program cannot start are thrown at once (a list of arguments that is too long), others are events. */
function start({ argv: [program = '', ...args], cwd, env, input, talk }: ProgramCall): ChildProcess | Error {
  try {
    const child: ChildProcess = spawn(program, args, {
      cwd,
      env,
      stdio: [input === undefined && !talk ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: hasGroups,
      windowsHide: true,
    });
    // A program that ends without reading closes the pipe. Its exit code says all about that.
    child.stdin?.on('error', () => undefined);
    if (!talk) child.stdin?.end(input);
    return child;
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}

/** Keeps the beginning of a stream. Bytes beyond the limit are read and dropped, so that the writer never waits. */
function collect(stream: Readable | null, limit: number, onMore?: () => void): () => Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on('data', (chunk: Buffer) => {
    if (size < limit) chunks.push(chunk.subarray(0, limit - size));
    size += chunk.length;
    if (size > limit) onMore?.();
  });
  return () => Buffer.concat(chunks);
}

function release(child: ChildProcess): void {
  if (child.pid !== undefined && alive.delete(child.pid) && alive.size === 0) process.off('exit', endAll);
  child.stdin?.destroy();
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
}

/** Leaders of the groups that end with this process. */
const alive = new Set<number>();

const endAll = (): void => {
  for (const pid of alive) endGroup(pid, 'SIGKILL');
};

function endWithUs({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (alive.size === 0) process.once('exit', endAll);
  alive.add(pid);
}

export function endGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  if (!hasGroups) {
    // `taskkill` ends the children as well. It knows no gentle way for a program without a window.
    spawnNative('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true }).on('error', () => undefined);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}
