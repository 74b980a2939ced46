import type { Clock } from '../core/clock.ts';
import { isMap } from '../core/json.ts';
import { NextRound } from '../core/next-round.ts';
import type { Answer } from './types.ts';

/**
 * Equal reads of one host joined to one. A read may be joined only if it began after the last write to the host ended: a write makes all
 * reads be forgotten when it is sent and again when it is answered. After a write whose answer was lost, nothing is shared while it may
 * still land. A caller that needs fresh state joins only a read that has not started yet: a run that goes on where another died asks for
 * thousands.
 */
export class SharedReads {
  readonly #clock: Clock;
  readonly #reads = new Map<string, Promise<unknown>>();
  readonly #rounds = new Map<string, NextRound<unknown>>();
  #unsettledUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The key stands for `T`: callers with one key mean the same reads and the same result. */
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

  /** The read that begins next. Of equal ones, one is under way at a time. */
  next<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#rounds.get(key);
    const round = known ?? new NextRound<unknown>();
    if (!known) this.#rounds.set(key, round);
    const reading = async (): Promise<T> => {
      try {
        return await read();
      } finally {
        if (round.isLast) this.#rounds.delete(key);
      }
    };
    return round.ask(reading) as Promise<T>;
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
