import type { Clock } from '../../../src/core/clock.ts';
import type { Timeline } from './timeline.ts';

/** Midnight of the day on which every seed begins. */
const epoch = Date.UTC(2026, 10, 21);

/**
 * A simulated process: its clocks, and whether it still runs. What reaches it goes through `deliver`: a dead process hears nothing
 * any more, a suspended one hears it all at once when it wakes.
 */
export class Process implements Clock {
  readonly name: string;
  readonly #time: Timeline;
  /** How far its wall clock is off. */
  readonly #skew: number;
  #state: 'running' | 'suspended' | 'dead' = 'running';
  #waiting: (() => void)[] = [];
  /** Monotonic time lost while suspended, where the machine slept. */
  #lost = 0;
  #suspendedAt = 0;
  /** Once suspended, it may have lost what it held. */
  wasSuspended = false;
  /** Whether it has asked anything of the world yet; before that it only starts up. */
  hasBegun = false;
  readonly #stop = new AbortController();

  constructor(name: string, time: Timeline, skew = 0) {
    this.name = name;
    this.#time = time;
    this.#skew = skew;
  }

  get isDead(): boolean {
    return this.#state === 'dead';
  }
  get isSuspended(): boolean {
    return this.#state === 'suspended';
  }
  /** The signal of SIGINT and SIGTERM. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  now(): number {
    return epoch + Math.round(this.#time.now) + this.#skew;
  }

  mono(): number {
    return this.#time.now - this.#lost;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.hasBegun = true;
    if (signal?.aborted) {
      reject(signal.reason);
      return promise;
    }
    const alarm = this.#time.in(ms, () => this.deliver(resolve));
    signal?.addEventListener(
      'abort',
      () => {
        alarm.cancel();
        reject(signal.reason);
      },
      { once: true },
    );
    return promise;
  }

  deliver(what: () => void): void {
    if (this.#state === 'running') what();
    else if (this.#state === 'suspended') this.#waiting.push(what);
  }

  kill(): void {
    this.#state = 'dead';
    this.#waiting = [];
  }

  terminate(): void {
    this.deliver(() => this.#stop.abort(new Error('SIGTERM')));
  }

  suspend(): void {
    if (this.#state !== 'running') return;
    this.#state = 'suspended';
    this.wasSuspended = true;
    this.#suspendedAt = this.#time.now;
  }

  /** `slept`: the machine slept, and its monotonic clock stood still. */
  resume(slept: boolean): void {
    if (this.#state !== 'suspended') return;
    this.#state = 'running';
    if (slept) this.#lost += this.#time.now - this.#suspendedAt;
    for (const what of this.#waiting.splice(0)) what();
  }
}
