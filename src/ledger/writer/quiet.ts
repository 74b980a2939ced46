import type { Clock } from '../../core/clock.ts';

/** How long something of earlier runs may still land, and which of them are over for good. */
export class Quiet {
  readonly #clock: Clock;
  #until: number;
  readonly #outlived = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#until = clock.mono();
  }

  /** Nothing lands any more when this much time has gone by. */
  in(ms: number): void {
    this.#until = Math.max(this.#until, this.#clock.mono() + ms);
  }

  /** The lease of that run ran out while this one looked on, and is this one's now: it sends nothing any more, under any lock. */
  outlive(run: string, deadlineMs: number): void {
    this.#outlived.add(run);
    this.in(deadlineMs);
  }

  left(): number {
    return Math.max(0, this.#until - this.#clock.mono());
  }

  /** How long a write of that run may still land; `null` where it may be alive. */
  leftOf(run: string): number | null {
    return this.#outlived.has(run) ? this.left() : null;
  }
}
