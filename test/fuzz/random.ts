import fc from 'fast-check';

/** A stream of choices that a seed repeats exactly. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** In [0, below); 0 for an empty range. */
  int(below: number): number {
    return Math.floor(this.next() * below);
  }

  chance(part: number): boolean {
    return this.next() < part;
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.int(from.length)] ?? from[0];
  }

  /** One of a list that may be empty. */
  any<T>(from: readonly T[]): T | undefined {
    return from[this.int(from.length)];
  }

  /** One value of a fast-check arbitrary. */
  sample<T>(arbitrary: fc.Arbitrary<T>): T {
    const [value] = fc.sample(arbitrary, { seed: this.int(2 ** 31), numRuns: 1 });
    if (value === undefined) throw new Error('the arbitrary gave nothing');
    return value;
  }
}

/** The seed of one input: equal for equal run, kind and number, and far from its neighbours'. */
export function seedOf(run: number, kind: string, index: number): number {
  let hash = 2166136261 ^ run;
  for (const letter of kind) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619);
  hash = Math.imul(hash ^ index, 0x9e3779b1);
  return (hash ^ (hash >>> 15)) >>> 0;
}
