import type { Clock } from '../core/clock.ts';

type AnswerHeaders = { readonly [name: string]: string };

/**
 * The clock of one host, as the `Date` of its answers tells it. A moment of the host is compared with this clock alone. The clock of this
 * machine may be minutes off, and only measures how long ago an answer came.
 */
export class HostClock {
  readonly #clock: Pick<Clock, 'mono'>;
  #heard: { readonly date: number; readonly at: number } | null = null;

  constructor(clock: Pick<Clock, 'mono'>) {
    this.#clock = clock;
  }

  hear(headers: AnswerHeaders): void {
    const date = dateOf(headers);
    if (date === null) return;
    const known = this.now();
    // `Date` has whole seconds. An earlier answer with a time up to a second later tells the time more exactly.
    if (known !== null && known >= date && known - date < 1_000) return;
    this.#heard = { date, at: this.#clock.mono() };
  }

  /** Milliseconds since 1970, up to a second early and never late; `null` until an answer brings a `Date`. */
  now(): number | null {
    return this.#heard && Math.floor(this.#heard.date + this.#clock.mono() - this.#heard.at);
  }
}

/** Several machines answer for one host, and their clocks are seconds apart. */
const apartMs = 60_000;

/** Whether a moment by the clock of a host lies in its future. Anybody who can write a ledger can write any moment into it. */
export const isToCome = (at: number, now: number | null): boolean => now !== null && at > now + apartMs;

/** The host's own time of an answer. An answer from a cache tells when it was made, which may be long ago, so it does not count. */
export function dateOf(headers: AnswerHeaders): number | null {
  const age = headers.age?.trim() ?? '0';
  const date = Date.parse(headers.date ?? '');
  return Number.isNaN(date) || age !== '0' ? null : date;
}
