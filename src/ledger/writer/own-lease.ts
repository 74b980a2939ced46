import type { Clock } from '../../core/clock.ts';
import type { Lease, LongName, PullOf } from '../model/facts.ts';
import { Elapsed, type LeaseTerms, leaseFact } from './lease.ts';

export interface OwnLeaseOptions {
  readonly clock: Clock;
  readonly terms: LeaseTerms;
  readonly pull?: PullOf | null;
  readonly of?: LongName;
  /** A push under way renews the lease as well. */
  readonly pushing: () => Promise<void> | null;
  readonly renew: () => Promise<void>;
  /** How long a failed renewal is tried again. */
  readonly leaseTimeoutMs: number;
}

/**
 * The lease of this run: asked for, held, given back. While held, it is renewed at a third of its duration unless another push already
 * did so. A failed renewal is tried again for as long as this run would wait for another one.
 */
export class OwnLease {
  readonly #o: OwnLeaseOptions;
  #isWanted = false;
  #wasRested = false;
  /** Each lease that this run writes has another number. */
  #renewal = 0;
  #since: Elapsed | null = null;
  #renewing: AbortController | null = null;

  constructor(options: OwnLeaseOptions) {
    this.#o = options;
  }

  /** The next push must take the lease, or renew it. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  get isHeld(): boolean {
    return this.#since !== null;
  }

  /** This run gave the lease back before it was over. If the head moves now, a later run has the scope. */
  get wasRested(): boolean {
    return this.#wasRested;
  }

  want(): void {
    this.#isWanted = true;
  }

  /** Whether the lease is held for this many more milliseconds. */
  lasts(ms: number): boolean {
    return this.#since !== null && this.#since.ms() + ms <= this.#o.terms.durationMs;
  }

  /** The lease that the branch must hold from now on. `quietForMs` gives it back. */
  fact(quietForMs: number | null = null): Lease {
    const { terms, clock, pull, of } = this.#o;
    this.#renewal += 1;
    return { ...leaseFact(terms, this.#renewal, clock.now(), quietForMs), ...(pull && { pull }), ...(of && { of }) };
  }

  /** Whether others may take the lease for this run's. `last`: the lease on the branch, after a push whose answer was lost. */
  mayBeHeld(last: Lease | null): boolean {
    return this.#isWanted || this.isHeld || (last?.run === this.#o.terms.run && last.released === null);
  }

  /** `since`: a moment before the push that took or renewed the lease was sent. */
  hold(since: Elapsed): void {
    this.#isWanted = true;
    this.#since = since;
    this.#renewing ??= this.#renewInTime();
  }

  /** No line waits any more for a lease that never came. */
  wantNoMore(): void {
    if (!this.isHeld) this.#isWanted = false;
  }

  /** A push gave the lease back, at the end of the run or because only pollers are left. */
  gaveBack(o: { readonly isResting: boolean }): void {
    this.end();
    this.#isWanted = false;
    this.#wasRested ||= o.isResting;
  }

  end(): void {
    this.#since = null;
    this.endRenewal();
  }

  endRenewal(): void {
    this.#renewing?.abort();
    this.#renewing = null;
  }

  #renewInTime(): AbortController {
    const { clock, terms, pushing, renew, leaseTimeoutMs } = this.#o;
    const end = new AbortController();
    const { signal } = end;
    const third = terms.durationMs / 3;
    let failing: Elapsed | null = null;
    const tried = async (attempt: Promise<void>): Promise<boolean> => {
      const isDone = await attempt.then(
        () => true,
        () => false,
      );
      failing = isDone ? null : (failing ?? new Elapsed(clock));
      return isDone;
    };
    const loop = async (): Promise<void> => {
      for (let held = this.#since; held && !signal.aborted; held = this.#since) {
        await clock.sleep(Math.max(1, third - held.ms()), signal);
        const now = this.#since;
        if (!now || now.ms() < third) continue;
        if (failing && failing.ms() >= leaseTimeoutMs) return;
        if (!(await tried(pushing() ?? renew()))) await clock.sleep(third / 8, signal);
      }
    };
    // An aborted sleep ends the renewal. The next write checks the lease, and so finds one that ran out.
    void loop().catch(() => undefined);
    return end;
  }
}
