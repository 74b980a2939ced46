import PQueue from 'p-queue';
import type { CommandCall, CommandResult, RunCommand } from '../../platform/command.ts';

/**
 * The programs that print a run's secrets: side by side, and never more at once than a small machine carries. A program that hung is
 * not started again in this run, or a hundred references would wait for it one after another.
 */
export function commandRunner(o: Omit<CommandCall, 'argv'>): RunCommand {
  const queue = new PQueue({ concurrency: atOnce });
  const hung = new Map<string, CommandResult>();
  const run = async (argv: readonly string[]): Promise<CommandResult> => {
    const [program = ''] = argv;
    const known = hung.get(program);
    if (known) return known;
    const { runCommand } = await import('../../platform/command.ts');
    const result = await runCommand({ ...o, argv });
    if ('failed' in result && result.failed === 'timed-out') hung.set(program, result);
    return result;
  };
  return (argv) => queue.add(() => run(argv));
}

/** Some of these programs take 200 MB each. */
const atOnce = 6;
