import PQueue from 'p-queue';
import type { Clock } from '../core/clock.ts';
import { abortReason, onAbort } from './abort.ts';
import { HostClock } from './host-clock.ts';
import { Pace, type Sent } from './pace.ts';
import { longestWait } from './retry.ts';
import { SharedReads } from './shared-reads.ts';

const defaultLimit = 16;

/**
 * Most requests under way to a host whose limit is not known, by the number of answers so far. Small limits allow some twenty requests a
 * second. A first round passes in any case. In the second round few requests may follow the one that meets the limit, because the host would
 * refuse them all. A host that answered a few more than twenty has no such limit.
 */
const probing: ReadonlyMap<number, number> = new Map([
  [0, defaultLimit],
  [10, 10],
  [24, defaultLimit],
]);

/** One host, shared by all lines of a run: its requests in flight, its wish to wait, and its shared reads. */
export class Origin {
  readonly shared: SharedReads;
  /** The clocks of its APIs: one address may serve several APIs, each with a clock of its own. */
  readonly #times = new Map<string, HostClock>();
  readonly #clock: Clock;
  readonly #queue = new PQueue({ concurrency: probing.get(0) ?? defaultLimit });
  readonly #pace: Pace;
  readonly #closed = new AbortController();
  #declared: number | null = null;
  #answers = 0;
  /** The last request that was sent before the first answer. */
  #lastUnknown = 0;
  #slowedAt = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #isHolding = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#pace = new Pace(clock);
    this.shared = new SharedReads(clock);
  }

  timeAt(base: string): HostClock {
    const time = this.#times.get(base) ?? new HostClock(this.#clock);
    this.#times.set(base, time);
    return time;
  }

  /** Requests in flight at most, now. */
  get limit(): number {
    return this.#queue.concurrency;
  }

  /** An API block declares its limit. Of several blocks that share a host, the lowest counts. */
  declare(concurrency: number | undefined): void {
    if (concurrency === undefined || (this.#declared !== null && concurrency >= this.#declared)) return;
    const isFirst = this.#declared === null;
    this.#declared = concurrency;
    // The first declared limit replaces our guess, but not a limit that we learned from a refusal.
    this.#queue.concurrency = Math.max(1, isFirst && !this.#isSlowed ? concurrency : Math.min(concurrency, this.#queue.concurrency));
  }

  /**
   * Runs one attempt in a slot. The signal ends the wait for the slot. Once the attempt has begun, it watches its own signal. `attempt` gets
   * the number that stands for it in `slowDown`.
   */
  async run<T>(signal: AbortSignal, attempt: (turn: number) => Promise<T>): Promise<T> {
    if (signal.aborted) throw abortReason(signal);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const stopWaiting = onAbort(signal, reject);
    this.#queue
      .add(async () => {
        // Nobody waits for this attempt any more, so the next one takes the slot.
        if (signal.aborted) throw abortReason(signal);
        const turn = await this.#turn(signal);
        stopWaiting();
        return await attempt(turn);
      })
      .then(resolve, reject);
    try {
      const answer = await promise;
      // Answers come in crowds. Each leaves its slot to the next request, which goes out one round later. The answers are used after that.
      if (this.#queue.size > 0 || this.#queue.pending > 0) await nextRound().then(nextRound);
      return answer;
    } finally {
      stopWaiting();
    }
  }

  /** A request got an answer other than 429. */
  answered(): void {
    this.#answers += 1;
    const limit = probing.get(this.#answers);
    if (limit !== undefined && this.#declared === null && !this.#isSlowed) this.#queue.concurrency = limit;
  }

  /**
   * Reacts to a 429: half as many requests in flight, and no more a second than the host took. Requests that were in flight together are
   * refused together, and that counts once: only a request sent after the last halving halves again.
   */
  slowDown(sent: Sent): void {
    this.#pace.refused(sent.turn);
    if (sent.sentAt < this.#slowedAt) return;
    this.#slowedAt = this.#clock.mono();
    this.#pace.slowDown(sent, sent.turn <= this.#lastUnknown);
    this.#queue.concurrency = Math.max(1, Math.floor(this.#queue.concurrency / 2));
  }

  get #isSlowed(): boolean {
    return this.#slowedAt !== Number.NEGATIVE_INFINITY;
  }

  /** An attempt that waits here has a slot already, so it must also wait for a Retry-After that comes meanwhile. */
  async #turn(signal: AbortSignal): Promise<number> {
    // Answers that came with the one that made room are heard first, because one may be a refusal. undici frees a connection one round after
    // its answer. Before that it would open another one.
    if (this.#answers > 0) await nextRound();
    for (;;) {
      const left = Math.max(this.#pace.next, this.#heldUntil) - this.#clock.mono();
      // The turn is taken together with the check. Otherwise all attempts that wake now would go.
      if (left <= 0) return this.#begin();
      await this.#clock.sleep(Math.ceil(left), signal);
    }
  }

  #begin(): number {
    const turn = this.#pace.begin();
    if (this.#answers === 0) this.#lastUnknown = turn;
    return turn;
  }

  /** A Retry-After: nothing goes to this host before it is over. The latest end counts. */
  hold(ms: number): void {
    if (ms > longestWait) return;
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.mono() + ms);
    if (this.#isHolding) return;
    this.#isHolding = true;
    this.#queue.pause();
    void this.#release();
  }

  close(): void {
    this.#closed.abort();
  }

  async #release(): Promise<void> {
    try {
      for (let left = this.#heldUntil - this.#clock.mono(); left > 0; left = this.#heldUntil - this.#clock.mono()) {
        await this.#clock.sleep(left, this.#closed.signal);
      }
    } catch {
      // The origin is closed. Attempts that still wait end by their own signals.
    }
    this.#isHolding = false;
    this.#queue.start();
  }
}

/** Resolves when all answers that have come in so far have been heard. */
const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
