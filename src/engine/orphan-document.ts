import type { ErrorData } from '../core/errors.ts';
import type { VerdictName } from '../core/verdict.ts';

/** A recorded object that no line of the plan has any more, as the documents of runs have it. */
export interface Orphan {
  readonly line: string;
  readonly adapter: string;
  readonly op: string;
  readonly recipe?: string;
  readonly subject?: string;
  readonly recordId: string;
  /** The verdict of a destroy: `delete`, or `forget` where the object stays. */
  readonly verdict: VerdictName;
  readonly why: string;
  /** With `--prune`: the end of the orphan, in a plan as an apply would end it. `left`: the orphan and its record stay, and `why` tells why. */
  readonly becomes?: 'removed' | 'forgotten' | 'left';
  /** The orphan's line in events, receipts and errors. A line of the plan may have the name of the recorded line by now. */
  readonly id?: string;
  /** The final state of that line. */
  readonly state?: string;
  readonly error?: ErrorData;
}
