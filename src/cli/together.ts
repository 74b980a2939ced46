import { Failure, Failures } from '../core/errors.ts';
import type { CommandName } from './flags.ts';
import { uselessFlags } from './modes.ts';
import type { Flags } from './parse.ts';

/** Throws for flags that the mode has no use for and for those that contradict each other, all of them together. */
export function checkTogether(command: CommandName, flags: Flags): void {
  const failures: Failure[] = [...uselessFlags(command, flags)];
  const refuse = (detail: string, fix: string): void => void failures.push(new Failure('USAGE', { detail, fix }));
  if (flags.has('events') && flags.has('progress')) {
    refuse('`--events` takes the place of the progress for people, and `--progress` says how that is shown.', 'Leave out one of the two.');
  }
  if (flags.has('run') && !flags.has('trace')) {
    refuse('`--run` names an earlier run, and nothing says what is wanted of it.', 'Add `--trace <folder>`.');
  }
  const [first, ...rest] = failures;
  if (first) throw rest.length === 0 ? first : new Failures([first, ...rest]);
}
