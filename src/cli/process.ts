import { Failure } from '../core/errors.ts';
import { main } from './main.ts';
import { createOutput } from './output.ts';
import { tellWarnings } from './signals.ts';
import type { CliWorld } from './world.ts';

/**
 * Runs the command line of this process, and ends the process with its exit code once everything is written. `changes` replaces parts of
 * its world.
 */
export async function start(changes: Partial<CliWorld> = {}): Promise<void> {
  const argv = process.argv.slice(2);
  const output = createOutput(process, argv);
  for (const stream of [process.stdout, process.stderr]) {
    // A reader that has seen enough (`| head`) closes the pipe. That is no failure of the run.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  tellWarnings(process, output.say);
  const crash = (thrown: unknown): void => process.exit(output.fail('pilotfish', thrown));
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  // Node exits with 0 when no work is left, even if the run still waits for itself and has reported nothing.
  process.on('beforeExit', () => crash(new Error('the run stopped before its end, because no work was left to continue it')));
  const world = processWorld(changes);
  const code = world instanceof Failure ? output.fail('pilotfish', world) : await main(argv, world, output);
  await Promise.all([written(process.stdout), written(process.stderr)]);
  // Keep-alive sockets and timers of a finished run must not hold the process.
  process.exit(code);
}

function processWorld(changes: Partial<CliWorld>): CliWorld | Failure {
  try {
    return {
      cwd: process.cwd(),
      env: process.env,
      stdout: process.stdout,
      stderr: process.stderr,
      signals: process,
      interrupt: () => process.kill(process.pid, 'SIGINT'),
      now: () => performance.now(),
      exit: (code) => process.exit(code),
      loadRunner: () => import('../engine/run.ts'),
      startToolServer: async () => {
        const server = await import('../platform/tool-server.ts');
        return await server.startToolServer(new URL('./pilotfish-mcp.js', import.meta.url).href);
      },
      ...changes,
      // stdin is opened only when somebody is asked, because most runs ask nobody.
      get stdin() {
        return changes.stdin ?? process.stdin;
      },
    };
  } catch (cause) {
    // Node asks the system for the working folder. That fails if the folder was deleted while the shell was in it.
    return new Failure('USAGE', {
      detail: 'The working folder of this shell no longer exists.',
      fix: 'Change to a folder that exists.',
      cause,
    });
  }
}

/** Resolves when all earlier writes have left the process, or can no longer leave it. */
const written = (stream: NodeJS.WriteStream): Promise<void> => new Promise((resolve) => stream.write('', () => resolve()));
