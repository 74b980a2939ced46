import type { Clock } from '../../../src/core/clock.ts';
import { here } from './machine.ts';

export type { Clock };

/** In place of `src/core/clock.ts`: the clocks of the job's machine. */
export const systemClock: Clock = {
  now: () => here().clock.now(),
  mono: () => here().clock.mono(),
  sleep: (ms, signal) => here().clock.sleep(ms, signal),
};
