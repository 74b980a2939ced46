import type { Simulation } from 'pilotfish-sandbox/kit/types';
import type { Clock } from '../../../src/core/clock.ts';
import type { RecipeSuite } from '../../support/describe-recipe.ts';
import type { Subject } from '../../support/suite/subject.ts';

/** One call of `describeRecipe` or `describeOp`. */
export interface Described {
  /** `<family>.<op>` or `<adapter>.<op>`. */
  readonly op: string;
  readonly isRecipe: boolean;
  readonly kind: 'action' | 'wait' | undefined;
  readonly skip: { readonly [name: string]: string };
  /** The line in a fresh world. */
  open(clock: Clock): { readonly simulation: Simulation; readonly subject: Subject };
}

export const described: Described[] = [];

const remember = <W>(op: string, isRecipe: boolean, { simulate, subject, kind, skip = {} }: RecipeSuite<W>): void => {
  described.push({
    op,
    isRecipe,
    kind,
    skip,
    open: (clock) => {
      const simulation = simulate({ clock });
      return { simulation, subject: subject(simulation) };
    },
  });
};

/** In place of the suite: remembers what a test file describes. */
export const describeRecipe = <W>(op: string, suite: RecipeSuite<W>): void => remember(op, true, suite);
export const describeOp = <W>(op: string, suite: RecipeSuite<W>): void => remember(op, false, suite);
