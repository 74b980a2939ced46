import type { Clock } from './clock.ts';

/** Seconds for which an unexpected state is looked at again, where nothing says how long the provider's reads lag behind its writes. */
export const patience = 6;

/** The longest pause between two looks, in seconds. */
const longestPause = 15;

interface Until<T> {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Counted from the first look. */
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly isEnough: (seen: T) => boolean;
}

/**
 * Looks again, after pauses that grow by a second, until `isEnough` accepts the state or the time is over. Gives the last state that it saw.
 * `first`: a state that was seen just now; it replaces the first look.
 */
export async function lookUntil<T>({ clock, seconds, signal, isEnough }: Until<T>, look: () => Promise<T>, first?: T): Promise<T> {
  let seen = first ?? (await look());
  let left = seconds;
  for (let pause = 1; left > 0 && !isEnough(seen); pause = Math.min(pause + 1, longestPause)) {
    await clock.sleep(Math.min(pause, left) * 1_000, signal);
    left -= pause;
    seen = await look();
  }
  return seen;
}
