/** Time as the engine sees it, so that tests can run on a virtual clock. */
export interface Clock {
  /** Wall clock, milliseconds since 1970 (UTC). */
  now(): number;
  /** Monotonic clock, milliseconds from an arbitrary start. It may stand still while the machine sleeps. */
  mono(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  mono: () => performance.now(),
  // `node:timers/promises` makes an error with a stack for every sleep that is ended, and every request ends the sleep of its deadline.
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(reasonOf(signal));
      const wake = setTimeout(() => {
        signal?.removeEventListener('abort', end);
        resolve();
      }, ms);
      const end = (): void => {
        clearTimeout(wake);
        reject(reasonOf(signal));
      };
      signal?.addEventListener('abort', end, { once: true });
    }),
};

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('The sleep was ended.', 'AbortError');
}
