import type { Clock } from '../../core/clock.ts';
import type { Failure } from '../../core/errors.ts';

/** Attempts when nothing was sent, and when a write may have landed: then an answer is worth more waiting. */
const attemptsUnsent = 3;
const attemptsSent = 7;
const longestWait = 60_000;

/** How long the place of a ledger is asked again. */
export interface Patience {
  readonly clock: Clock;
  /** Of all attempts at one operation together. */
  readonly patienceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The remote gave no usable answer; another attempt may get one. */
export class RemoteTrouble extends Error {
  /** A write was sent: it may have landed, or may still land. */
  readonly wasSent: boolean;
  readonly retryAfterMs: number | null;
  constructor(message: string, options: { readonly wasSent: boolean; readonly retryAfterMs?: number | null; readonly cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'RemoteTrouble';
    this.wasSent = options.wasSent;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** After the signal: a last write that meets a moment's trouble is worth another attempt, and no more. */
const attemptsStopped = 2;
const waitStopped = 500;

/** What trouble means for an operation. */
export interface Meaning {
  /** Whether an attempt so far may have landed. */
  readonly mayBeSent: (trouble: RemoteTrouble) => boolean;
  /** The failure for trouble that lasts. */
  readonly over: (trouble: RemoteTrouble, wasSent: boolean) => Promise<Failure>;
}

/**
 * Repeats on trouble, waiting longer each time or as long as the remote asks. Trouble that lasts becomes the failure, at the latest
 * when the patience is over, and soon when the run is told to stop.
 */
export async function persist<T>(o: Patience, { mayBeSent, over }: Meaning, operation: () => Promise<T>): Promise<T> {
  const since = o.clock.mono();
  let stopped = 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation();
    } catch (thrown) {
      if (!(thrown instanceof RemoteTrouble)) throw thrown;
      const wasSent = mayBeSent(thrown);
      const isThrottled = thrown.retryAfterMs !== null;
      const wait = Math.min(thrown.retryAfterMs ?? 250 * 2 ** (attempt - 1) * (1 + Math.random() / 2), longestWait);
      if (o.signal?.aborted) stopped += wait > waitStopped ? attemptsStopped : 1;
      const isLate = o.clock.mono() - since + wait > (o.patienceMs ?? Number.POSITIVE_INFINITY);
      const isOver = attempt >= (wasSent || isThrottled ? attemptsSent : attemptsUnsent) || isLate || stopped >= attemptsStopped;
      if (isOver) throw await over(thrown, wasSent);
      await sleepUnlessStopped(o, wait);
    }
  }
}

/** A signal ends the sleep, and is no error here. After it, sleeps are short ones. */
async function sleepUnlessStopped({ clock, signal }: Patience, ms: number): Promise<void> {
  if (signal?.aborted) return await clock.sleep(ms);
  await clock.sleep(ms, signal).catch((thrown: unknown) => {
    if (!signal?.aborted) throw thrown;
  });
}
