import type { Clock } from '../../core/clock.ts';

/** Knows how long writes of earlier runs may still land, and which of those runs are over for good. */
export class LateWrites {
  readonly #clock: Clock;
  #until: number;
  readonly #outlived = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#until = clock.mono();
  }

  /** After this much time no write lands any more. */
  landWithin(ms: number): void {
    this.#until = Math.max(this.#until, this.#clock.mono() + ms);
  }

  /** This run saw the lease of `run` expire and took it. So `run` sends nothing more, under any lock. */
  outlive(run: string, deadlineMs: number): void {
    this.#outlived.add(run);
    this.landWithin(deadlineMs);
  }

  left(): number {
    return Math.max(0, this.#until - this.#clock.mono());
  }

  /** How long a write of that run may still land; `null` while the run may be alive. */
  leftOf(run: string): number | null {
    return this.#outlived.has(run) ? this.left() : null;
  }
}
