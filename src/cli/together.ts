import { Failure, Failures } from '../core/errors.ts';
import type { Flags } from './parse.ts';

/** Flags that name one scope, or say what an apply does with it. */
const notWithClosed = ['scope', 'pr', 'branch', 'sha', 'only', 'recreate', 'reconcile', 'expect', 'approved-by', 'restore-ledger'];

/** Flags that an earlier run is looked for and told with; every other one is about a run to come. */
const withRun = ['run', 'trace', 'env', 'scope', 'pr', 'plan', 'json', 'no-color'];

/** Throws for flags that contradict each other, all of them together. */
export function checkTogether(flags: Flags): void {
  const failures: Failure[] = [];
  const refuse = (detail: string, fix: string): void => void failures.push(new Failure('USAGE', { detail, fix }));
  if (flags.has('destroy') && flags.has('recreate')) {
    refuse('`--destroy` removes lines and `--recreate` makes them anew; they contradict each other.', 'Leave out one of the two.');
  }
  if (flags.has('events') && flags.has('progress')) {
    refuse('`--events` takes the place of the progress for people, and `--progress` says how that is shown.', 'Leave out one of the two.');
  }
  if (flags.has('run')) {
    const rivals = [...flags.keys()].filter((name) => !withRun.includes(name)).map((name) => `\`--${name}\``);
    if (!flags.has('trace')) refuse('`--run` names an earlier run, and nothing says what is wanted of it.', 'Add `--trace <folder>`.');
    if (rivals.length > 0) refuse(`\`--run\` plans nothing, and ${rivals.join(', ')} would say how.`, 'Leave out one of the two.');
  }
  if (flags.has('closed') && flags.has('comment')) {
    refuse('`--comment` writes on one pull request, and `--closed` is about many.', 'Leave out one of the two.');
  }
  if (flags.has('closed')) {
    const rivals = notWithClosed.filter((name) => flags.has(name)).map((name) => `\`--${name}\``);
    if (!flags.has('destroy')) refuse('`--closed` names the scopes that a destroy is of.', 'Write `pilotfish apply --destroy --closed`.');
    if (rivals.length > 0)
      refuse(`\`--closed\` finds its scopes itself, and ${rivals.join(', ')} would name one.`, 'Leave out one of the two.');
  } else if (flags.has('keep-receipts')) {
    refuse('`--keep-receipts` says what `--closed` leaves of scopes destroyed long ago.', 'Write `pilotfish apply --destroy --closed`.');
  }
  const [first, ...rest] = failures;
  if (first) throw rest.length === 0 ? first : new Failures([first, ...rest]);
}
