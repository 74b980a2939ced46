import PQueue from 'p-queue';
import type { Clock } from '../core/clock.ts';
import { abortReason, onAbort } from './abort.ts';
import { HostClock } from './host-clock.ts';
import { Pace, type Sent } from './pace.ts';
import { longestWait } from './retry.ts';
import { SharedReads } from './shared-reads.ts';

const defaultLimit = 16;

/**
 * Requests under way at most to a host whose limit is not known, from so many answers on. Small limits allow some twenty a second: a first
 * round may pass in any case, and the request of the second that meets the limit must not have many behind it, which would all be refused
 * with it. A host that answered a few more than that has no such limit.
 */
const probing: ReadonlyMap<number, number> = new Map([
  [0, defaultLimit],
  [10, 10],
  [24, defaultLimit],
]);

/** One host as all lines of a run meet it: how many requests are in flight, whether it asked to wait, which reads are shared. */
export class Origin {
  readonly shared: SharedReads;
  /** The clocks of its APIs: behind one address may be several, each with a clock of its own. */
  readonly #times = new Map<string, HostClock>();
  readonly #clock: Clock;
  readonly #queue = new PQueue({ concurrency: probing.get(0) ?? defaultLimit });
  readonly #pace: Pace;
  readonly #closed = new AbortController();
  #declared: number | null = null;
  #answers = 0;
  /** The last request that was sent before anything was answered. */
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
    // The first stated limit replaces our guess, but not a limit that a refusal taught.
    this.#queue.concurrency = Math.max(1, isFirst && !this.#isSlowed ? concurrency : Math.min(concurrency, this.#queue.concurrency));
  }

  /**
   * Runs one attempt in a slot. The signal ends the wait for the slot; once it has begun, `attempt` watches its own. It is given the
   * number that stands for it in `slowDown`.
   */
  async run<T>(signal: AbortSignal, attempt: (turn: number) => Promise<T>): Promise<T> {
    if (signal.aborted) throw abortReason(signal);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const stopWaiting = onAbort(signal, reject);
    this.#queue
      .add(async () => {
        // Nobody waits any more: the slot is for the next.
        if (signal.aborted) throw abortReason(signal);
        const turn = await this.#turn(signal);
        stopWaiting();
        return await attempt(turn);
      })
      .then(resolve, reject);
    try {
      const answer = await promise;
      // Answers come in a crowd. Each leaves its slot to the next request, which goes out one round later; only then are the answers used.
      if (this.#queue.size > 0 || this.#queue.pending > 0) await nextRound().then(nextRound);
      return answer;
    } finally {
      stopWaiting();
    }
  }

  /** A request was answered, and not by a 429. */
  answered(): void {
    this.#answers += 1;
    const limit = probing.get(this.#answers);
    if (limit !== undefined && this.#declared === null && !this.#isSlowed) this.#queue.concurrency = limit;
  }

  /**
   * A 429: half as many requests from now on, and no more a second than were taken. Requests that were in flight together are refused
   * together, and that is one piece of news: only one sent after the last halving halves again.
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

  /** An attempt that waits here has a slot already, so it waits for a Retry-After that comes meanwhile, too. */
  async #turn(signal: AbortSignal): Promise<number> {
    // Answers that came with the one that made room are heard first: a refusal may be among them. And undici gives a connection to the next
    // request one round after its answer; before that it would open another one.
    if (this.#answers > 0) await nextRound();
    for (;;) {
      const left = Math.max(this.#pace.next, this.#heldUntil) - this.#clock.mono();
      // Taken in the turn of the check, or all who wake now would go.
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
      // Closed: their own signals end the attempts that still wait.
    }
    this.#isHolding = false;
    this.#queue.start();
  }
}

/** When all that has come in so far has been heard. */
const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
