import type { Clock } from '../core/clock.ts';
import { Interrupted } from '../core/errors.ts';
import type { WriteGate } from '../http/types.ts';
import type { Writer } from '../ledger/writer/writer.ts';
import { Unanswered } from './unanswered.ts';

/** The write gate of a run: lease, quiet moment, and which writes of ours may still land. */
export interface RunGate extends WriteGate {
  /** Monotonic time after which no unanswered write of this run can land any more. */
  unansweredUntil(): number;
}

export interface GateOptions {
  readonly writer: Writer;
  readonly clock: Clock;
  readonly deadlineMs: number;
  readonly stopping: AbortSignal;
  /** Called once under the lease, before the first write; it may stop the run. Called again where it threw. */
  readonly beforeFirst: () => Promise<void>;
}

export function createGate({ writer, clock, deadlineMs, stopping, beforeFirst }: GateOptions): RunGate {
  let checked: Promise<void> | null = null;
  const checkFirst = (): Promise<void> => {
    checked ??= beforeFirst().catch((error: unknown) => {
      checked = null;
      throw error;
    });
    return checked;
  };
  const unanswered = new Unanswered(clock, deadlineMs);
  return {
    open: async (signal) => {
      if (stopping.aborted) throw new Interrupted();
      await writer.ensureLease();
      await writer.quietMoment(signal);
      await checkFirst();
      // The run may have been interrupted during the wait. After that nothing new is sent.
      if (stopping.aborted) throw new Interrupted();
    },
    check: () => writer.checkLease(),
    sent: () => unanswered.sent(),
    unansweredUntil: () => unanswered.until,
  };
}
