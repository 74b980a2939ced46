import { coordinatorWords } from './coordinator/words.ts';
import { lineWords } from './line/words.ts';
import { parentWords } from './parent/words.ts';
import { readinessWords } from './readiness/words.ts';

/** What the names of a machine mean, for people who read its chart. Each name has words, and no words are left over. */
export interface MachineWords {
  /** What happens there, or, for a final state, what its result is. */
  readonly states: { readonly [state: string]: string };
  readonly events: { readonly [event: string]: string };
  readonly guards: { readonly [guard: string]: string };
  readonly actions: { readonly [action: string]: string };
}

/** The words of every machine, by its name. */
export const machineWords: { readonly [machine: string]: MachineWords } = {
  line: lineWords,
  parent: parentWords,
  readiness: readinessWords,
  coordinator: coordinatorWords,
};
