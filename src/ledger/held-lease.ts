import type { Clock } from '../core/clock.ts';
import type { Elapsed } from './lease.ts';

export interface HeldLeaseOptions {
  readonly clock: Clock;
  readonly durationMs: number;
  /** A push under way renews as well. */
  readonly pushing: () => Promise<void> | null;
  readonly renew: () => Promise<void>;
}

/**
 * The lease while this run holds it. It is renewed at a third of its duration unless another push did so already; a renewal that failed
 * is tried again while there is time.
 */
export class HeldLease {
  readonly #o: HeldLeaseOptions;
  #since: Elapsed | null = null;
  #renewing: AbortController | null = null;

  constructor(options: HeldLeaseOptions) {
    this.#o = options;
  }

  get isHeld(): boolean {
    return this.#since !== null;
  }

  /** Whether it is held for so many milliseconds more. */
  lasts(ms: number): boolean {
    return this.#since !== null && this.#since.ms() + ms <= this.#o.durationMs;
  }

  /** `since`: from before the push that took or renewed it was sent. */
  hold(since: Elapsed): void {
    this.#since = since;
    this.#renewing ??= this.#renewInTime();
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
    const { clock, durationMs, pushing, renew } = this.#o;
    const end = new AbortController();
    const { signal } = end;
    const third = durationMs / 3;
    const loop = async (): Promise<void> => {
      for (let held = this.#since; held && !signal.aborted; held = this.#since) {
        await clock.sleep(Math.max(1, third - held.ms()), signal);
        const now = this.#since;
        if (!now || now.ms() < third) continue;
        const under = pushing();
        if (under) await under.catch(() => undefined);
        else await renew().catch(() => clock.sleep(third / 8, signal));
      }
    };
    // An aborted sleep ends the renewal; a lease that ran out is seen by the next write, which checks it.
    void loop().catch(() => undefined);
    return end;
  }
}
