import type { Clock } from '../core/clock.ts';

/** A request: its number from `begin`, and the monotonic time of its send. */
export interface Sent {
  readonly turn: number;
  readonly sentAt: number;
}

/**
 * How many requests a second a host takes. The first refusal teaches it: as many as the host had answered in the second before. From then on
 * requests go one after the other at a little less than that rate. Half as many at a time would still meet the limit again and again.
 * A refusal among the very first requests says only how much of that second others had left, such as a run that ended just before. Then
 * the pace rises from second to second, until a refusal tells the limit of the host.
 */
export class Pace {
  readonly #clock: Clock;
  #count = 0;
  /** The send times of the last seconds' requests, without the refused ones. */
  readonly #sends = new Map<number, number>();
  #interval = 0;
  #next = Number.NEGATIVE_INFINITY;
  /** The time of the first request at this pace; `null` before that request. */
  #since: number | null = null;
  #isGuess = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The time at which the next request may go, in monotonic time; long ago where the host refused nothing. */
  get next(): number {
    return this.#next;
  }

  /** A request is about to be sent. The returned number stands for it. */
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

  /** The host refused the request, so it counts as one that was not sent. */
  refused(turn: number): void {
    this.#sends.delete(turn);
  }

  /**
   * Makes the rate lower than the one that led to this refusal, whose answer may have been long under way. `isGuess`: the request was sent
   * before the first answer, so its second tells nothing of the host's limit.
   */
  slowDown({ turn, sentAt }: Sent, isGuess = false): void {
    let taken = 0;
    for (const [other, at] of this.#sends) if (other < turn && at > sentAt - second) taken += 1;
    const learned = taken >= fewest ? second / (taken * safety) : 0;
    this.#interval = Math.min(second, Math.max(learned, this.#interval / safety));
    // Requests that were under way when the guess was made do not test it.
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
/** The longest time that a refusal may take to come. */
const kept = 5 * second;
/** Seconds begin at different moments here and at the host. */
const safety = 0.95;
/** Fewest requests that tell a rate. With fewer, others may have spent the limit. */
const fewest = 4;
/** After this long without a refusal, the earlier refusal may have been due to others. */
const longQuiet = 15_000;
const easing = 1.25;
const easingOfGuess = 1.5;
