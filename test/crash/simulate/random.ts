/** Numbers that only the seed decides: a failing seed fails again. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0;
    // The first numbers of neighbouring seeds resemble each other.
    for (let i = 0; i < 8; i += 1) this.next();
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number from `least` to `most`, both possible. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.int(0, from.length - 1)] ?? from[0];
  }

  /** Of a list that may be empty. */
  among<T>(from: readonly T[]): T | undefined {
    return from[this.int(0, from.length - 1)];
  }

  /** A generator of its own, so that drawing more here changes nothing there. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 4294967296));
  }
}
