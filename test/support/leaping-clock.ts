import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../src/core/clock.ts';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** So many turns of the event loop without a new sleep or the end of one, and nothing in memory goes on by itself. */
const quietTurns = 100;
/** Files, processes and key derivations that are under way take real time. */
const isAtWork = (): boolean => derivations > 0 || process.getActiveResourcesInfo().some((name) => /^FSReq|Process|CloseReq/.test(name));

/** Node does not list key derivations among its active resources, so they are counted. */
let derivations = 0;
const derive = crypto.scrypt;
crypto.scrypt = ((...given: Parameters<typeof derive>) => {
  const tell = given.at(-1) as unknown;
  derivations += 1;
  const told = (...answer: readonly unknown[]): void => {
    derivations -= 1;
    if (typeof tell === 'function') tell(...answer);
  };
  Reflect.apply(derive, crypto, [...given.slice(0, -1), told]);
}) as typeof derive;
syncBuiltinESMExports();

/**
 * A clock for whole runs over providers and ledgers in memory: time stands still while anything is at work, and leaps to the next
 * sleeper when everything waits. Two minutes of a dead run's lease take none.
 */
export class LeapingClock implements Clock {
  #time = 0;
  #sleepers = new Set<Sleeper>();
  #stirred = 0;
  #isWatching = false;
  readonly #isBusy: () => boolean;

  /** `isBusy`: something else is under way that takes real time, such as a request over a socket. */
  constructor({ isBusy = () => false }: { readonly isBusy?: () => boolean } = {}) {
    this.#isBusy = isBusy;
  }

  now(): number {
    return Date.UTC(2026, 10, 21) + Math.round(this.#time);
  }

  mono(): number {
    return this.#time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (signal?.aborted) {
      reject(signal.reason);
      return promise;
    }
    const sleeper: Sleeper = { until: this.#time + Math.max(0, ms), wake: resolve };
    this.#sleepers.add(sleeper);
    this.#stirred += 1;
    signal?.addEventListener(
      'abort',
      () => {
        this.#sleepers.delete(sleeper);
        this.#stirred += 1;
        reject(signal.reason);
      },
      { once: true },
    );
    if (!this.#isWatching) void this.#watch();
    return promise;
  }

  async #watch(): Promise<void> {
    this.#isWatching = true;
    while (this.#sleepers.size > 0) {
      const before = this.#stirred;
      for (let turn = 0; turn < quietTurns && this.#stirred === before; turn += 1) {
        await nextTurn();
        if (!isAtWork() && !this.#isBusy()) continue;
        // What is waited for needs the processor more than a loop that asks whether it is there.
        await pause(1);
        turn = 0;
      }
      if (this.#stirred !== before) continue;
      const [next] = [...this.#sleepers].sort((a, b) => a.until - b.until);
      if (!next) break;
      this.#sleepers.delete(next);
      this.#time = Math.max(this.#time, next.until);
      this.#stirred += 1;
      next.wake();
    }
    this.#isWatching = false;
  }
}
