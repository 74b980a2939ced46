import type { Clock } from '../core/clock.ts';
import type { Elapsed } from './lease.ts';

/** The lease as its renewal sees it. */
export interface Renewable {
  /** Since the present lease was taken or last renewed; `null` when it is not held. */
  held(): Elapsed | null;
  /** A push under way renews as well. */
  pushing(): Promise<void> | null;
  renew(): Promise<void>;
}

/**
 * Renews a lease at a third of its duration unless another push did so already; a renewal that failed is tried again while
 * there is time. Returns at once; it ends when what it returns is aborted, or when the lease is no longer held.
 */
export function keepRenewed(lease: Renewable, o: { clock: Clock; durationMs: number }): AbortController {
  const end = new AbortController();
  const { signal } = end;
  const third = o.durationMs / 3;
  const loop = async (): Promise<void> => {
    for (let held = lease.held(); held && !signal.aborted; held = lease.held()) {
      await o.clock.sleep(Math.max(1, third - held.ms()), signal);
      const now = lease.held();
      if (!now || now.ms() < third) continue;
      const under = lease.pushing();
      if (under) await under.catch(() => undefined);
      else await lease.renew().catch(() => o.clock.sleep(third / 8, signal));
    }
  };
  // An aborted sleep ends the renewal; a lease that ran out is seen by the next write, which checks it.
  void loop().catch(() => undefined);
  return end;
}
