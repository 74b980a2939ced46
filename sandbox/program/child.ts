import { isatty } from 'node:tty';
import { runForeground } from '../../src/platform/foreground.ts';
import { Problem } from '../serve/problem.ts';

/**
 * Runs one command in the place of this process, as `pilotfish run` does: it has the input, output, terminal and signals, and ends when this
 * process is killed. Gives its exit code, or 128 and the number of the signal that ended it. The build takes the runner into the program.
 */
export async function runChild(argv: readonly [string, ...(readonly string[])], env: NodeJS.ProcessEnv): Promise<number> {
  const end = await runForeground({ argv, cwd: process.cwd(), env, isAtTerminal: isatty(0), signals: process });
  if ('code' in end) return end.code;
  const { code, message } = end.error as NodeJS.ErrnoException;
  throw new Problem(
    code === 'ENOENT' ? `There is no program ${argv[0]}.` : `${argv[0]} did not start: ${message}.`,
    'Install it, or name it by its path after --.',
  );
}
