import { type Clock, systemClock } from '../../src/core/clock.ts';

/** The real time, in which waiting takes none: for tests that wait for a real server's next answer. */
export const quickClock: Clock = {
  now: systemClock.now,
  mono: systemClock.mono,
  sleep: () => new Promise((resolve) => setImmediate(resolve)),
};

/** The same, where deadlines of requests are sleeps too: a sleep of a deadline's length takes its time. */
export const quickPauses: Clock = {
  ...quickClock,
  sleep: (ms, signal) => (ms < 30_000 ? quickClock.sleep(ms, signal) : systemClock.sleep(ms, signal)),
};
