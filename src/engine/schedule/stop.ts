import type { Clock } from '../../core/clock.ts';
import { Failure } from '../../core/errors.ts';

/** How long writes that are under way get after a run is told to stop. */
const graceMs = 4_000;

/** How a run is told to stop: first nothing new begins, and after the grace period nothing is waited for. */
export interface Stop {
  /** No step begins any more, no write is sent. Its reason is a `Failure`. */
  readonly stopping: AbortSignal;
  /** Writes under way are not waited for any more. Its reason is that of `stopping`, or that the run is over. */
  readonly ending: AbortSignal;
  /** Stops the run as the outer signal does. Later calls change nothing. */
  begin(): void;
  /** The run is over: ends what still waits, the grace period's timer with it. */
  close(): void;
}

/** Stops when `signal` is aborted, or by `begin`. A reason that is no `Failure` is told as `INTERRUPTED`: it is no defect. */
export function stopBy(signal: AbortSignal | undefined, clock: Pick<Clock, 'sleep'>): Stop {
  const stopping = new AbortController();
  const ending = new AbortController();
  const begin = (): void => {
    if (stopping.signal.aborted) return;
    const why = reasonOf(signal);
    stopping.abort(why);
    void clock.sleep(graceMs, ending.signal).then(
      () => ending.abort(why),
      () => undefined,
    );
  };
  if (signal?.aborted) begin();
  else signal?.addEventListener('abort', begin, { once: true });
  return {
    stopping: stopping.signal,
    ending: ending.signal,
    begin,
    close: () => {
      signal?.removeEventListener('abort', begin);
      ending.abort(new Error('the run is over'));
    },
  };
}

function reasonOf(signal: AbortSignal | undefined): Failure {
  const reason: unknown = signal?.reason;
  return reason instanceof Failure ? reason : new Failure('INTERRUPTED', { detail: 'The run was told to stop before it was done.' });
}
