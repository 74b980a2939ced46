import type { Clock } from '../../core/clock.ts';
import { KeptReads } from '../../http/kept-reads.ts';

/** The look of a line whose producers are still being made. */
export class EarlyLook {
  /** The requests of the look in the line's turn are equal to its own, or they are sent. */
  readonly reads = new KeptReads();
  readonly #looks: EarlyLooks;
  readonly #epoch: number;
  readonly #began: number;
  readonly #announced: number;

  constructor(looks: EarlyLooks, epoch: number) {
    this.#looks = looks;
    this.#epoch = epoch;
    this.#began = looks.clock.mono();
    this.#announced = looks.announced;
  }

  /** What it saw is good for one deadline of a request, under the same lease. */
  isGood(epoch: number): boolean {
    return epoch === this.#epoch && this.#looks.clock.mono() - this.#began < this.#looks.deadlineMs;
  }

  /** An object may be gone, or be another, once one that it stands in was made anew. */
  mayShow({ count, going }: { readonly count: string; readonly going: readonly string[] }): boolean {
    return (count === 'none' && going.length === 0) || this.#announced === this.#looks.announced;
  }
}

/** Looks that lines of a run took before their turn. */
export class EarlyLooks {
  readonly clock: Clock;
  readonly deadlineMs: number;
  readonly #looks = new Map<string, EarlyLook>();
  /** Lines that cannot look before this other one has its outputs. */
  readonly #waiting = new Map<string, string>();
  #announced = 0;

  constructor(clock: Clock, deadlineMs: number) {
    this.clock = clock;
    this.deadlineMs = deadlineMs;
  }

  /** So many objects were announced by this run. */
  get announced(): number {
    return this.#announced;
  }

  announce(): void {
    this.#announced += 1;
  }

  begin(line: string, epoch: number): EarlyLook {
    const look = new EarlyLook(this, epoch);
    this.#looks.set(line, look);
    return look;
  }

  waitsFor(line: string, other: string): void {
    this.#waiting.set(line, other);
  }

  /** Whether the line may look now: no look of it counts, and what its key waited for is there. */
  mayBegin(line: string, epoch: number, isThere: (other: string) => boolean): boolean {
    const other = this.#waiting.get(line);
    return !this.#looks.get(line)?.isGood(epoch) && (other === undefined || isThere(other));
  }

  /** The look, for the line's turn. */
  take(line: string): EarlyLook | null {
    const look = this.#looks.get(line) ?? null;
    this.#looks.delete(line);
    return look;
  }
}
