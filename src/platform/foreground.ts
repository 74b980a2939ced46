import { type ChildProcess, spawn as spawnNative } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import spawn from 'cross-spawn';
import { endGroup, hasGroups } from './program.ts';

export interface ForegroundCall {
  /** The program and its arguments, as they are: no shell reads them. */
  readonly argv: readonly [program: string, ...args: readonly string[]];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Somebody at a terminal talks with the program. It stays in the group of this process, which the terminal lets read. */
  readonly isAtTerminal: boolean;
  /** Gets what the program prints, in place of the stdout and stderr of this process. */
  readonly read?: (stream: 'stdout' | 'stderr', source: Readable) => void;
  /** The source of signals: `process`, or a test. */
  readonly signals: ForegroundSignals;
}

export interface ForegroundSignals {
  on(name: NodeJS.Signals, listener: () => void): unknown;
  off(name: NodeJS.Signals, listener: () => void): unknown;
}

/** The exit code of the program, 128 and the number of the signal that ended it, or why it did not start. */
export type ForegroundEnd = { readonly code: number } | { readonly error: Error };

/**
 * Runs one program in the place of this process: its input, output and signals are those of this process. If this process is killed, the
 * program is killed too, because its environment may hold secrets.
 */
export async function runForeground(call: ForegroundCall): Promise<ForegroundEnd> {
  const warden = hasGroups ? startWarden() : null;
  const child = start(call);
  if (child instanceof Error) {
    warden?.dismiss();
    return { error: child };
  }
  warden?.guard(child.pid, !call.isAtTerminal);
  const release = passSignals(call, child);
  if (call.read && child.stdout) call.read('stdout', child.stdout);
  if (call.read && child.stderr) call.read('stderr', child.stderr);
  const end = await new Promise<ForegroundEnd>((resolve) => {
    child.once('error', (error) => resolve({ error }));
    // `close` comes after the last output was read. A daemon that keeps the pipes open must not hold this process.
    child.once(call.read ? 'close' : 'exit', (code, by) => resolve({ code: codeOf(code, by) }));
    if (call.read) child.once('exit', (code, by) => setTimeout(() => resolve({ code: codeOf(code, by) }), drainMs).unref());
    child.once('exit', (_, by) => {
      // A killed program had no time to end what it had started.
      if (by === 'SIGKILL' && !call.isAtTerminal) endGroup(child.pid, 'SIGKILL');
    });
  });
  release();
  warden?.dismiss();
  return end;
}

const drainMs = 1_000;

const codeOf = (code: number | null, by: NodeJS.Signals | null): number => code ?? 128 + (by === null ? 0 : constants.signals[by]);

function start({ argv: [program, ...args], cwd, env, isAtTerminal, read }: ForegroundCall): ChildProcess | Error {
  try {
    const output = read ? 'pipe' : 'inherit';
    return spawn(program, args, { cwd, env, stdio: ['inherit', output, output], detached: hasGroups && !isAtTerminal });
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}

/** The signals that somebody sends to a program on purpose. */
const passed = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGCONT', 'SIGWINCH'] as const;
/** A terminal sends these to the whole group, so the program has them already. */
const ofTerminal: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGCONT', 'SIGWINCH']);

/** Hands signals on, and keeps this process alive until the program has ended. */
function passSignals({ isAtTerminal, signals }: ForegroundCall, child: ChildProcess): () => void {
  const known = passed.filter((name) => name in constants.signals);
  const listeners = known.map((name) => {
    const isThere = isAtTerminal && ofTerminal.has(name);
    const listener = (): void => {
      if (!isThere) child.kill(name);
    };
    signals.on(name, listener);
    return () => signals.off(name, listener);
  });
  return () => {
    for (const stop of listeners) stop();
  };
}

interface Warden {
  /** `leads`: the program leads a group of its own, which ends with it. */
  guard(pid: number | undefined, leads: boolean): void;
  dismiss(): void;
}

/**
 * Waits for the end of this process. A process that is killed can clean up nothing, so a shell outlives it: its input closes then, and it
 * kills the program with all that the program started. It has no environment, so it has no secret.
 */
const wardenScript = `
read -r pid leads || exit 0
read -r word && exit 0
if [ "$leads" = group ]; then kill -KILL "-$pid"; exit 0; fi
tree() { for child in $(ps -A -o pid= -o ppid= | while read -r id parent; do [ "$parent" = "$1" ] && echo "$id"; done); do tree "$child"; done; echo "$1"; }
kill -KILL $(tree "$pid")
`;

function startWarden(): Warden {
  const shell = spawnNative('/bin/sh', ['-c', wardenScript], {
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  return {
    guard: (pid, leads) => {
      if (pid !== undefined) shell.stdin.write(`${pid} ${leads ? 'group' : 'tree'}\n`);
    },
    dismiss: () => void shell.stdin.end('over\n'),
  };
}
