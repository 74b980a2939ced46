import type { Clock } from '../core/clock.ts';
import { Interrupted } from '../core/errors.ts';
import type { WriteGate } from '../http/types.ts';
import type { Writer } from '../ledger/writer/writer.ts';

/** The write gate of a run: lease, quiet moment, and which writes of ours may still land. */
export interface RunGate extends WriteGate {
  /** Monotonic time after which no unanswered write of these lines, or of the whole run, can land any more. */
  unansweredUntil(lines?: readonly string[]): number;
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
      // An interrupt may have come while it waited: from then on nothing new is sent.
      if (stopping.aborted) throw new Interrupted();
    },
    check: () => writer.checkLease(),
    sent: (line) => unanswered.sent(line),
    unansweredUntil: (lines) => unanswered.until(lines),
  };
}

/** Writes that got no answer, or none yet: each may land for one deadline from its send. */
class Unanswered {
  readonly #clock: Clock;
  readonly #deadlineMs: number;
  readonly #writes = new Set<{ readonly line: string | null; readonly until: number }>();

  constructor(clock: Clock, deadlineMs: number) {
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
  }

  sent(line: string | null): (answered: boolean) => void {
    const write = { line, until: this.#clock.mono() + this.#deadlineMs };
    this.#writes.add(write);
    return (answered) => {
      if (answered) this.#writes.delete(write);
    };
  }

  until(lines?: readonly string[]): number {
    const of = lines && new Set(lines);
    let last = 0;
    for (const { line, until } of this.#writes) if (!of || line === null || of.has(line)) last = Math.max(last, until);
    return last;
  }
}
