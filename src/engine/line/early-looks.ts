import type { Clock } from '../../core/clock.ts';
import { KeptReads } from '../../http/kept-reads.ts';
import { Elapsed } from '../../ledger/writer/lease.ts';

/** A look that a line took before its turn. */
export class EarlyLook {
  /** The look in the line's turn takes these answers for equal requests, and sends all others. */
  readonly reads = new KeptReads();
  readonly #looks: EarlyLooks;
  readonly #epoch: number;
  readonly #age: Elapsed;
  /** The count of writes sent until then; `null` when one of them was still under way. */
  readonly #writes: number | null;

  constructor(looks: EarlyLooks, epoch: number) {
    this.#looks = looks;
    this.#epoch = epoch;
    this.#age = new Elapsed(looks.clock);
    this.#writes = looks.isWriting() ? null : looks.writes();
  }

  /** The look is good for one deadline of a request by either clock, and while no other run wrote. */
  isGood(epoch: number): boolean {
    return epoch === this.#epoch && this.#age.ms() < this.#looks.deadlineMs;
  }

  /** A write of this run may remove or change what the look saw, even a write that was under way. An absence may be told all the same. */
  mayShow({ count, going }: { readonly count: string; readonly going: readonly string[] }): boolean {
    return (count === 'none' && going.length === 0) || this.#writes === this.#looks.writes();
  }
}

/** Looks that lines of a run took before their turn. */
export class EarlyLooks {
  readonly clock: Clock;
  readonly deadlineMs: number;
  /** How many writes this run has sent. */
  readonly writes: () => number;
  /** Whether one of them may still land. */
  readonly isWriting: () => boolean;
  readonly #looks = new Map<string, EarlyLook>();
  /** Lines that cannot look before this other one has its outputs. */
  readonly #waiting = new Map<string, string>();

  constructor({ clock, deadlineMs, writes, isWriting }: Pick<EarlyLooks, 'clock' | 'deadlineMs' | 'writes' | 'isWriting'>) {
    this.clock = clock;
    this.deadlineMs = deadlineMs;
    this.writes = writes;
    this.isWriting = isWriting;
  }

  begin(line: string, epoch: number): EarlyLook {
    const look = new EarlyLook(this, epoch);
    this.#looks.set(line, look);
    return look;
  }

  waitsFor(line: string, other: string): void {
    this.#waiting.set(line, other);
  }

  /** Whether the line may look now: none of its looks counts, and the line that its key waited for has its outputs. */
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
