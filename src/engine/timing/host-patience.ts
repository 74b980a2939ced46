import type { Clock } from '../../core/clock.ts';
import { Failure } from '../../core/errors.ts';
import { DeadlinePassed, withinDeadline } from '../../http/deadline.ts';

/** The minute that a code host may ask a client to wait, and the requests themselves. */
const longest = 90_000;
/** A run without any time left still gets time for one request, because it may be about to write. */
const shortest = 5_000;

/**
 * Asks the code host, and waits out a limit of it for as long as the run's own time allows. Throws `PROVIDER_TRANSIENT` when that was not
 * enough. The caller then goes on without the answer.
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
