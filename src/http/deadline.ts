import type { Clock } from '../core/clock.ts';
import { follow, type MaybeSignal, orAborted } from './abort.ts';

/** An attempt, its body included, took longer than it may. */
export class DeadlinePassed extends Error {
  readonly ms: number;
  constructor(ms: number) {
    super(`no complete answer within ${ms} ms`);
    this.name = 'DeadlinePassed';
    this.ms = ms;
  }
}

interface UnderWay {
  readonly until: number;
  readonly end: (reason: DeadlinePassed) => void;
}

/** The deadlines of all attempts of a client. Each has the same time, so who began first ends first, and one alarm serves all. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #ms: number;
  /** In the order in which they began. */
  readonly #underWay = new Set<UnderWay>();
  #alarm: AbortController | null = null;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  /** Calls `end` when the time is over, unless what is returned is called before. */
  begin(end: UnderWay['end']): () => void {
    const one = { until: this.#clock.mono() + this.#ms, end };
    this.#underWay.add(one);
    if (!this.#alarm) {
      this.#alarm = new AbortController();
      void this.#watch(this.#alarm);
    }
    return () => {
      this.#underWay.delete(one);
      if (this.#underWay.size > 0) return;
      this.#alarm?.abort(over);
      this.#alarm = null;
    };
  }

  async #watch(alarm: AbortController): Promise<void> {
    try {
      // The first is looked up anew after each wait: an iterator that is kept holds on to all who came and went meanwhile.
      for (let left = this.#untilNext(); left !== null; left = this.#untilNext()) {
        if (left > 0) await this.#clock.sleep(Math.ceil(left), alarm.signal);
        else this.#endFirst();
      }
    } catch {
      // Nothing is under way any more.
    }
    if (this.#alarm === alarm) this.#alarm = null;
  }

  /** How long the one that began first may still take, in ms; `null` when nothing is under way. */
  #untilNext(): number | null {
    for (const { until } of this.#underWay) return until - this.#clock.mono();
    return null;
  }

  #endFirst(): void {
    for (const one of this.#underWay) {
      this.#underWay.delete(one);
      one.end(new DeadlinePassed(this.#ms));
      return;
    }
  }
}

/** One for all: an error of its own for each request would cost more than the timer. */
const over = new Error('the attempt ended before its deadline');

/**
 * Runs `work` with a signal that is aborted after `ms` or with any of `signals`, and ends then even if `work` does not
 * listen. `work` is called before this function first waits: what it sends is sent in the caller's turn.
 */
export async function withinDeadline<T>(
  o: { readonly ms: number; readonly clock: Clock; readonly signals: readonly MaybeSignal[] },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const attempt = follow(o.signals);
  const timer = new AbortController();
  const working = orAborted(work(attempt.signal), attempt.signal);
  o.clock.sleep(o.ms, timer.signal).then(
    () => attempt.abort(new DeadlinePassed(o.ms)),
    () => {},
  );
  try {
    return await working;
  } finally {
    timer.abort(over);
    attempt.release();
  }
}
