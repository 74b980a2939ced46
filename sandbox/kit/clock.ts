import { setTimeout as pause } from 'node:timers/promises';

/** The time of a simulated provider. A test hands in a clock that it moves itself. */
export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
  /** Milliseconds from some start, however the time of day is set. */
  mono(): number;
  /** Resolves after `ms`; rejects once the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** By how many milliseconds a provider's own clock is ahead of this one; left out, each provider has minutes of its own. */
  readonly ahead?: number;
}

/** This machine's time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  mono: () => performance.now(),
  sleep: (ms, signal) => pause(ms, undefined, signal && { signal }),
};

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
