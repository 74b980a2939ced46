import type { Clock } from '../../core/clock.ts';
import { Failure } from '../../core/errors.ts';
import { DeadlinePassed, withinDeadline } from '../../http/deadline.ts';

/** The minute that a code host may ask a client to wait, and the requests themselves. */
const longest = 90_000;
/** One request is worth its time also in a run that has none left: it may be about to write. */
const shortest = 5_000;

/**
 * Asks the code host for something, for as long as a limit of it may be waited out and the run's own time allows. Throws
 * `PROVIDER_TRANSIENT` where that was not enough: whoever asks goes on without the answer.
 */
export async function hostPatience<T>(
  o: { readonly clock: Clock; readonly signal: AbortSignal; readonly leftMs?: number },
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ms = Math.max(shortest, Math.min(longest, o.leftMs ?? longest));
  try {
    return await withinDeadline({ ms, clock: o.clock, signal: o.signal }, ask);
  } catch (thrown) {
    if (!(thrown instanceof DeadlinePassed)) throw thrown;
    throw new Failure('PROVIDER_TRANSIENT', { detail: `The code host gave no answer within ${Math.round(ms / 1000)} s.`, cause: thrown });
  }
}
