import PQueue from 'p-queue';
import type { Clock } from '../core/clock.ts';
import { follow, type MaybeSignal } from './abort.ts';
import { longestWait } from './retry.ts';
import { SharedReads } from './shared-reads.ts';

const defaultLimit = 16;

/** One host as all lines of a run meet it: how many requests are in flight, whether it asked to wait, which reads are shared. */
export class Origin {
  readonly shared: SharedReads;
  readonly #clock: Clock;
  readonly #queue = new PQueue({ concurrency: defaultLimit });
  readonly #closed = new AbortController();
  #declared: number | null = null;
  #slowedAt = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #isHolding = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.shared = new SharedReads(clock);
  }

  /** Requests in flight at most, now. */
  get limit(): number {
    return this.#queue.concurrency;
  }

  /** What an API block declares. Where several blocks share a host, the lowest counts. */
  declare(concurrency: number | undefined): void {
    if (concurrency === undefined || (this.#declared !== null && concurrency >= this.#declared)) return;
    const wasSlowed = this.#slowedAt !== Number.NEGATIVE_INFINITY;
    this.#declared = concurrency;
    this.#queue.concurrency = Math.max(1, wasSlowed ? Math.min(concurrency, this.#queue.concurrency) : concurrency);
  }

  /** Runs one attempt in a slot. The signals end the wait for the slot; once it has begun, `attempt` watches its own. */
  async run<T>(signals: readonly MaybeSignal[], attempt: () => Promise<T>): Promise<T> {
    const waiting = follow(signals);
    try {
      return await this.#queue.add(
        () => {
          waiting.release();
          return attempt();
        },
        { signal: waiting.signal },
      );
    } finally {
      waiting.release();
    }
  }

  /**
   * A 429: half as many requests from now on. Requests that were in flight together are refused together, and that is
   * one piece of news: only one sent after the last halving halves again.
   */
  slowDown(sentAt: number): void {
    if (sentAt < this.#slowedAt) return;
    this.#slowedAt = this.#clock.mono();
    this.#queue.concurrency = Math.max(1, Math.floor(this.#queue.concurrency / 2));
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
      // Closed: what still waits is ended by its own signals.
    }
    this.#isHolding = false;
    this.#queue.start();
  }
}
