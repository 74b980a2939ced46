import { setTimeout as delay } from 'node:timers/promises';

/** Time as the engine sees it, so that tests can run on a virtual clock. */
export interface Clock {
  /** Wall clock, milliseconds since 1970 (UTC). */
  now(): number;
  /** Monotonic clock, milliseconds from an arbitrary start. It may stand still while the machine sleeps. */
  mono(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  mono: () => performance.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, signal ? { signal } : {});
  },
};
