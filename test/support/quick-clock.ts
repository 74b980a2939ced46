import { type Clock, systemClock } from '../../src/core/clock.ts';

/** The real time, in which waiting takes none: for tests that wait for a real server's next answer. */
export const quickClock: Clock = {
  now: systemClock.now,
  mono: systemClock.mono,
  sleep: () => new Promise((resolve) => setImmediate(resolve)),
};
