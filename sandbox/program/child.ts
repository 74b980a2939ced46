import { constants } from 'node:os';
import spawn from 'cross-spawn';
import { Problem } from '../serve/problem.ts';

/**
 * Runs one command in the foreground: input, output and terminal are those of this process. Gives its exit code, or 128 and the number of
 * the signal that ended it. Signals that somebody sends to this process alone are handed on; a terminal sends its own to both.
 */
export async function runChild(argv: readonly [string, ...(readonly string[])], env: NodeJS.ProcessEnv): Promise<number> {
  const [program, ...args] = argv;
  const child = spawn(program, args, { stdio: 'inherit', env });
  const isAtTerminal = process.stdin.isTTY === true;
  const ofTerminal: readonly NodeJS.Signals[] = ['SIGINT', 'SIGHUP', 'SIGQUIT'];
  const handlers = (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const).map((name) => {
    const hand = (): void => {
      if (!isAtTerminal || !ofTerminal.includes(name)) child.kill(name);
    };
    process.on(name, hand);
    return () => process.off(name, hand);
  });
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          error.code === 'ENOENT' ? new Problem(`There is no program ${program}.`, 'Install it, or name it by its path after --.') : error,
        ),
      );
      child.once('exit', (code, by) => resolve(code ?? 128 + (by === null ? 0 : constants.signals[by])));
    });
  } finally {
    for (const off of handlers) off();
  }
}
