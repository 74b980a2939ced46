import type { Clock } from '../core/clock.ts';
import { isMap } from '../core/json.ts';
import type { Answer } from './types.ts';

/**
 * Equal reads of one host joined to one. A read may be joined only if it began after the last write to the host ended: so
 * what is known is forgotten when a write is sent and again when it is answered. After a write whose answer was lost,
 * nothing is shared while it may still land.
 */
export class SharedReads {
  readonly #clock: Clock;
  readonly #reads = new Map<string, Promise<unknown>>();
  #unsettledUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `T` is told by the key: whoever joins by one means the same reads, and the same of what they gave. */
  join<T>(key: string, read: () => Promise<T>): Promise<T> {
    if (this.#clock.mono() < this.#unsettledUntil) return read();
    const known = this.#reads.get(key);
    if (known) return known as Promise<T>;
    const reading = read();
    this.#reads.set(key, reading);
    reading.catch(() => {
      if (this.#reads.get(key) === reading) this.#reads.delete(key);
    });
    return reading;
  }

  forget(): void {
    this.#reads.clear();
  }

  /** A write got no answer: it may land for `ms` from its send. */
  distrust(ms: number): void {
    this.#unsettledUntil = Math.max(this.#unsettledUntil, this.#clock.mono() + ms);
    this.forget();
  }
}

/** Several lines hold one shared answer: a change by one would be seen by the others. */
export function frozen(answer: Answer): Answer {
  freezeDeep(answer.body);
  return Object.freeze(answer);
}

function freezeDeep(value: unknown): void {
  if (Array.isArray(value)) for (const item of value as readonly unknown[]) freezeDeep(item);
  else if (isMap(value)) for (const item of Object.values(value)) freezeDeep(item);
  else return;
  Object.freeze(value);
}
