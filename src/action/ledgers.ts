import type { Runner } from '../cli/world.ts';
import type { plansToDestroy } from '../engine/run.ts';
import { isWanting, type Wanting } from '../engine/timing/wanted.ts';
import type { RunDocument } from './powerless.ts';

/** The ledgers of one subject. Only the end of a pull request can have several: one of each plan that its pushes had. */
export interface Ledgers {
  /** The runner for the ledger whose turn it is. The first run finds out which ledgers there are. */
  runner(engine: Runner & { readonly plansToDestroy: typeof plansToDestroy }): Runner;
  /** Goes on to the next ledger; `false` if there is none. */
  next(): boolean;
}

export function openLedgers(wanting: Wanting): Ledgers {
  let plans: readonly (string | null)[] | null = null;
  let at = 0;
  return {
    runner: (engine) => ({
      ...engine,
      runClosed: (given, world) => engine.runClosed(isWanting(wanting) ? { ...given, wanting } : given, world),
      runApply: async (given, world) => {
        const request = isWanting(wanting) ? { ...given, wanting } : given;
        plans ??= await engine.plansToDestroy(request, world);
        const ofPlan = plans[at];
        return await engine.runApply(ofPlan === undefined ? request : { ...request, ofPlan }, world);
      },
    }),
    next: () => {
      at += 1;
      return at < (plans?.length ?? 0);
    },
  };
}

/** The reason why this job leaves the ledger of another plan: that plan has a job of its own, whose credentials it needs. */
export function otherJob(document: RunDocument): string {
  const branch = 'receipt' in document ? document.receipt.branch : null;
  return (
    `This job lacks credentials for the ledger of another plan${branch === null ? '' : `, ${branch}`}, and left it. ` +
    'If no other job has that plan, give its credentials to this one and run it again.'
  );
}
