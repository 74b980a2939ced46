import pRetry from 'p-retry';
import type { Clock } from '../core/clock.ts';
import { HttpFailure } from './failure.ts';

/** How a request may be repeated. */
export interface RetryRule {
  /** `none`: only a request that surely was not sent is repeated. */
  readonly retry: 'table' | 'none';
  /** Sending twice has the effect of sending once. */
  readonly idempotent: boolean;
}

/** The retry table: at most four repeats, backing off from 250 ms, never longer than a minute for one answer. */
export async function withRetries<T>(
  rule: RetryRule,
  o: { readonly clock: Clock; readonly random: () => number; readonly signal: AbortSignal; readonly write: boolean },
  attempt: (number: number) => Promise<T>,
): Promise<T> {
  return pRetry(attempt, {
    retries: maxRepeats,
    // Our own code waits, on the injected clock.
    minTimeout: 0,
    shouldRetry: async ({ error, attemptNumber }) => {
      if (!(error instanceof HttpFailure) || !mayRepeat(error, rule)) return false;
      try {
        await o.clock.sleep(backOff(attemptNumber, o.random), o.signal);
        return true;
      } catch (aborted) {
        // "Aborted" must not hide the facts about a write that was sent.
        if (o.write) return false;
        throw aborted;
      }
    },
  });
}

/** The longest wait that a provider may ask for. With a longer one the request fails at once, with the facts. */
export const longestWait = 60_000;

const maxRepeats = 4;
const base = 250;

export function mayRepeat(failure: HttpFailure, rule: RetryRule): boolean {
  if (failure.retryAfter !== null && failure.retryAfter > longestWait) return false;
  if (failure.repeat === 'unsent') return true;
  if (rule.retry === 'none') return false;
  return failure.repeat === 'any' || (failure.repeat === 'idempotent' && rule.idempotent);
}

/** The pause doubles each time. It is spread over twice its length, so that lines that failed together do not return together. */
const backOff = (attempt: number, random: () => number): number => Math.round(base * 2 ** (attempt - 1) * (1 + random()));
