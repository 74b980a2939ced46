import type { Clock } from '../core/clock.ts';
import { follow, type MaybeSignal, orAborted } from './abort.ts';

/** An attempt, its body included, took longer than its deadline. */
export class DeadlinePassed extends Error {
  readonly ms: number;
  constructor(ms: number) {
    super(`no complete answer within ${ms} ms`);
    this.name = 'DeadlinePassed';
    this.ms = ms;
  }
}

/** One shared error: an error with a stack for each request would cost more than the request's timer. */
const over = new Error('the attempt ended before its deadline');

/**
 * Runs `work` with a signal that is aborted after `ms` or with `signal`, and ends then even if `work` does not listen. This function calls
 * `work` before it first waits, so that `work` sends in the caller's turn.
 */
export async function withinDeadline<T>(
  o: { readonly ms: number; readonly clock: Clock; readonly signal: MaybeSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const attempt = follow([o.signal]);
  const timer = new AbortController();
  const working = orAborted(work(attempt.signal), attempt.signal);
  o.clock.sleep(o.ms, timer.signal).then(
    () => attempt.abort(new DeadlinePassed(o.ms)),
    () => {},
  );
  try {
    return await working;
  } finally {
    timer.abort(over);
    attempt.release();
  }
}
