import type { Clock } from '../core/clock.ts';

/** Writes that got no answer, or none yet: each may land for one deadline from its send. */
export class Unanswered {
  readonly #clock: Clock;
  readonly #deadlineMs: number;
  readonly #writes = new Set<{ readonly until: number }>();

  constructor(clock: Clock, deadlineMs: number) {
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
  }

  /** Called at the send; the returned function is called once with whether the answer came whole. */
  sent(): (answered: boolean) => void {
    const write = { until: this.#clock.mono() + this.#deadlineMs };
    this.#writes.add(write);
    return (answered) => {
      if (answered) this.#writes.delete(write);
    };
  }

  /** Monotonic time after which none of them can land any more. */
  get until(): number {
    let last = 0;
    for (const { until } of this.#writes) last = Math.max(last, until);
    return last;
  }
}
