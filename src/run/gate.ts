import type { Clock } from '../core/clock.ts';
import type { WriteGate } from '../http/gate.ts';
import type { Writer } from '../ledger/writer.ts';
import { Interrupted } from './errors.ts';

/** The write gate of a run: lease, quiet moment, and which writes of ours may still land. */
export interface RunGate extends WriteGate {
  /** Monotonic time after which no unanswered write of this run can land any more. */
  unansweredUntil(): number;
}

export function createGate(writer: Writer, clock: Clock, deadlineMs: number, stopping: AbortSignal): RunGate {
  let lostUntil = 0;
  let token = 0;
  const landing = new Map<number, number>();
  return {
    open: async (signal) => {
      if (stopping.aborted) throw new Interrupted();
      await writer.ensureLease();
      await writer.quietMoment(signal);
      // An interrupt may have come while it waited: from then on nothing new is sent.
      if (stopping.aborted) throw new Interrupted();
    },
    check: () => writer.checkLease(),
    sent: () => {
      const id = ++token;
      landing.set(id, clock.mono() + deadlineMs);
      return (answered) => {
        if (!answered) lostUntil = Math.max(lostUntil, landing.get(id) ?? 0);
        landing.delete(id);
      };
    },
    unansweredUntil: () => Math.max(lostUntil, ...landing.values(), 0),
  };
}
