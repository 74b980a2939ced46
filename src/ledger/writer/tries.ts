import type { Clock } from '../../core/clock.ts';
import { Failure } from '../../core/errors.ts';
import { Elapsed } from './lease.ts';

/** A loop begins again this often whatever the time: a short timeout must not make a plain race an error. */
const free = 3;
const longest = 5_000;

export interface TriesOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** For people: the branch, and its place. */
  readonly branch: string;
  readonly location: string;
}

/**
 * Bounds a loop that begins again because its push came too late. A head that moves again and again means that others write all the time. A
 * head that stays means that the store's answer is wrong. Neither goes on for longer than the lease timeout, nor after the signal.
 */
export class Tries {
  readonly #o: TriesOptions;
  #waited: Elapsed | null = null;
  #count = 0;
  #stopped = 0;

  constructor(options: TriesOptions) {
    this.#o = options;
  }

  /** An attempt got through, so later attempts are another series. */
  done(): void {
    this.#waited = null;
    this.#count = 0;
  }

  /** Call this before the next attempt, after a new read. `hasMoved`: the read showed another head. Throws when the bound is reached. */
  async again({ hasMoved }: { readonly hasMoved: boolean }): Promise<void> {
    const { clock, timeoutMs, signal } = this.#o;
    this.#waited ??= new Elapsed(clock);
    this.#count += 1;
    if (signal.aborted) {
      // The facts of a last push are worth a race or two.
      this.#stopped += hasMoved ? 1 : free;
      if (this.#stopped >= free) throw signal.reason;
    }
    const waitedMs = this.#waited.ms();
    if (this.#count > free && waitedMs >= timeoutMs) throw this.#enough(hasMoved, waitedMs);
    if (hasMoved && this.#count <= free) return;
    const pause = Math.min(longest, 100 * 1.6 ** (this.#count - 1)) * (1 - Math.random() / 4);
    await clock.sleep(Math.max(1, Math.min(pause, timeoutMs - waitedMs)), signal);
  }

  #enough(hasMoved: boolean, ms: number): Failure {
    const { branch, location } = this.#o;
    const span = `${Math.round(ms / 1000)} s`;
    if (hasMoved)
      return new Failure('LEASE_HELD', {
        detail: `Others wrote to ${branch} before each of ${this.#count} pushes of this run in ${span}.`,
        fix: 'Find out what else writes to this branch, then run again.',
      });
    return new Failure('LEDGER_REFUSED', {
      detail: `${location} refused each of ${this.#count} pushes to ${branch} in ${span} as if the branch had moved, but the branch has not moved.`,
      fix: 'Ask the operator of the host why it refuses the push, then run again.',
    });
  }
}
