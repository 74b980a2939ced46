import type { Clock } from '../core/clock.ts';

/** A request: what `begin` gave for it, and the monotonic time at which it went. */
export interface Sent {
  readonly turn: number;
  readonly sentAt: number;
}

/**
 * How many requests a second a host takes, learned from its first refusal: as many as it had answered in the second before. They are then
 * sent one after the other at a little less than that, because half as many at a time would still run into the limit again and again.
 * A refusal among the very first requests says only how much others had left of that second, such as a run that ended just before: then
 * the pace rises from second to second, until a refusal tells the limit of the host.
 */
export class Pace {
  readonly #clock: Clock;
  #count = 0;
  /** When those of the last seconds were sent, without the refused ones. */
  readonly #sends = new Map<number, number>();
  #interval = 0;
  #next = Number.NEGATIVE_INFINITY;
  /** When the first was sent at this pace; `null` while none was. */
  #since: number | null = null;
  #isGuess = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** When the next request may be sent, in monotonic time; long ago where nothing was refused. */
  get next(): number {
    return this.#next;
  }

  /** A request is about to be sent. The number that is given stands for it. */
  begin(): number {
    const now = this.#clock.mono();
    this.#count += 1;
    this.#drop(now);
    this.#sends.set(this.#count, now);
    if (this.#interval > 0) {
      this.#since ??= now;
      if (now - this.#since > (this.#isGuess ? second : longQuiet)) {
        this.#interval /= this.#isGuess ? easingOfGuess : easing;
        this.#since = now;
      }
      this.#next = now + this.#interval;
    }
    return this.#count;
  }

  /** It was refused, so it counts as one that was not sent. */
  refused(turn: number): void {
    this.#sends.delete(turn);
  }

  /**
   * The rate must become lower than the one that led to this refusal; its answer may have been long under way. `isGuess`: it was sent before
   * anything was answered, so that nothing was seen of a second of its own.
   */
  slowDown({ turn, sentAt }: Sent, isGuess = false): void {
    let taken = 0;
    for (const [other, at] of this.#sends) if (other < turn && at > sentAt - second) taken += 1;
    const learned = taken >= fewest ? second / (taken * safety) : 0;
    this.#interval = Math.min(second, Math.max(learned, this.#interval / safety));
    // Requests that were under way when a guess was made are no trial of it.
    this.#isGuess = isGuess || (this.#isGuess && this.#since === null);
    this.#since = null;
  }

  #drop(now: number): void {
    for (const [turn, at] of this.#sends) {
      if (at > now - kept) return;
      this.#sends.delete(turn);
    }
  }
}

const second = 1000;
/** As long as an answer that refuses may take to come. */
const kept = 5 * second;
/** A second is not the same second here and there. */
const safety = 0.95;
/** Fewer tell nothing of a rate: others may have spent the limit. */
const fewest = 4;
/** After so long without a refusal it may have been another's share that was missing then. */
const longQuiet = 15_000;
const easing = 1.25;
const easingOfGuess = 1.5;
