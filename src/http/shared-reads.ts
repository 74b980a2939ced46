import type { Clock } from '../core/clock.ts';
import { isMap } from '../core/json.ts';
import { NextRound } from '../core/next-round.ts';
import type { Answer } from './types.ts';

/**
 * Joins equal reads of one host to one. A caller may join a read only if the read began after the last write to the host ended. So a write
 * drops all reads when it is sent and again when it is answered. After a write whose answer was lost, nothing is shared while the write may
 * still land. A caller that needs fresh state joins only a read that has not started yet. A run that goes on where another died has
 * thousands of such callers.
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

  /** Joins the read that begins next. Only one of several equal reads is under way at a time. */
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

  /** A write got no answer. It may land for `ms` from its send. */
  distrust(ms: number): void {
    this.#unsettledUntil = Math.max(this.#unsettledUntil, this.#clock.mono() + ms);
    this.forget();
  }
}

/** Freezes a shared answer: several lines hold it, and a change by one would reach the others. */
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
