import { door } from '../core/door.ts';
import { Failure } from '../core/errors.ts';

interface GivenTogether {
  readonly destroy: boolean;
  readonly only: readonly string[];
  readonly prune?: boolean;
  readonly orphans?: boolean;
}

/** Inputs that contradict each other, whoever gave them. */
export function togetherFailures({ destroy, only, prune, orphans }: GivenTogether): readonly Failure[] {
  const failures: Failure[] = [];
  const refuse = (detail: string, fix: string): void => void failures.push(new Failure('USAGE', { detail, fix }));
  const [named, narrowed] = [door.named('prune'), door.named('only')];
  if (prune && only.length > 0)
    refuse(
      `${named} removes what has left the plan, and ${narrowed} leaves lines of the plan out. A line that still uses an orphan could be among them.`,
      'Leave out one of the two.',
    );
  if (prune && destroy) refuse(`${named} belongs to an apply, and a destroy removes orphans anyway.`, `Leave ${named} out.`);
  if (orphans && only.length > 0)
    refuse(`${door.named('orphans')} and ${narrowed} both choose the lines of a destroy.`, 'Leave out one of the two.');
  if (orphans && !destroy)
    refuse(`${door.named('orphans')} narrows a destroy, and this run is none.`, `Add ${door.named('destroy')}, or pass ${named} instead.`);
  return failures;
}
