import { type Clock, systemClock } from '../../src/core/clock.ts';

/** The real time, running `times` as fast: pauses, deadlines and leases keep their proportions and take less. */
export function fastClock(times: number): Clock {
  const wall = systemClock.now();
  const mono = systemClock.mono();
  const passed = (): number => (systemClock.mono() - mono) * times;
  return {
    now: () => Math.round(wall + passed()),
    mono: passed,
    sleep: (ms, signal) => systemClock.sleep(Math.ceil(ms / times), signal),
  };
}
