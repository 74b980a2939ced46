import { scopeModel } from '../scope/model.ts';
import { rulesWithout } from '../scope/rules.ts';
import type { State } from '../scope/state.ts';
import { watchedTerms } from './observe.ts';

/** A step without the names of runs and the length of quiet moments. */
const kindOf = (say: string): string =>
  say
    .replace(/^(A|B|The last run)(?='s| )(?! person)/, 'R')
    .replace(/refuses (A|B)'s/, "refuses R's")
    .replace(/\(quiet for [1-9]\d*\)/, '(quiet)')
    .replace(' (quiet for 0)', '');

export const stepKinds = (said: readonly string[]): ReadonlySet<string> => new Set(said.map(kindOf));

/** States, nearest first, after which no step of a new kind comes. */
const enough = 60_000;

/** The kinds of all steps that the model can take. */
export function allStepKinds(): ReadonlySet<string> {
  const model = scopeModel({ ...watchedTerms, lease: 4, sends: 2, isUnique: true, person: true, other: false, rules: rulesWithout() });
  const kinds = new Set<string>();
  const known = new Set<string>();
  for (let open: readonly State[] = model.initial; open.length > 0 && known.size < enough; ) {
    const next: State[] = [];
    for (const state of open) {
      for (const step of model.steps(state)) {
        kinds.add(kindOf(step.say));
        const key = model.encode(step.next);
        if (known.has(key)) continue;
        known.add(key);
        next.push(step.next);
      }
    }
    open = next;
  }
  return kinds;
}
