import type { Clock } from '../../../src/core/clock.ts';

const minutes = 60_000;

/** No provider's clock is that of the machine that runs: some are minutes ahead of it, others behind. By the name, so that a run repeats. */
export function aheadOf(name: string): number {
  let sum = 0;
  for (const letter of name) sum += letter.charCodeAt(0);
  return sum % 2 === 0 ? 7 * minutes : -4 * minutes;
}

/** The same clock, set to another time. */
export const shifted = (clock: Clock, ahead: number): Clock => ({
  now: () => clock.now() + ahead,
  mono: () => clock.mono(),
  sleep: (ms, signal) => clock.sleep(ms, signal),
});
