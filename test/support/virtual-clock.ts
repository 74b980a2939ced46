import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../src/core/clock.ts';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** A clock that only moves when a test moves it. */
export class VirtualClock implements Clock {
  /** Lengths of all sleeps asked for, in order. */
  readonly asked: number[] = [];
  #time = 0;
  #sleepers: Sleeper[] = [];

  now(): number {
    return Date.UTC(2026, 10, 21) + this.#time;
  }

  mono(): number {
    return this.#time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.asked.push(ms);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (signal?.aborted) {
      reject(signal.reason);
      return promise;
    }
    const sleeper = { until: this.#time + ms, wake: resolve };
    this.#sleepers.push(sleeper);
    signal?.addEventListener('abort', () => {
      this.#sleepers = this.#sleepers.filter((one) => one !== sleeper);
      reject(signal.reason);
    });
    return promise;
  }

  /** Moves on by `ms`, waking sleepers in order and letting everything they start come to rest. */
  async advance(ms: number): Promise<void> {
    const end = this.#time + ms;
    await rest();
    for (;;) {
      const [next] = this.#sleepers.filter((one) => one.until <= end).sort((a, b) => a.until - b.until);
      if (!next) break;
      this.#sleepers = this.#sleepers.filter((one) => one !== next);
      this.#time = Math.max(this.#time, next.until);
      next.wake();
      await rest();
    }
    this.#time = end;
  }
}

/** Lets promises and in-process answers settle. */
export async function rest(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await nextTurn();
}
