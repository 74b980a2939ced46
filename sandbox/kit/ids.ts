/** What counts in a simulation, beside its state: a program that reads a state again goes on counting where the state was written. */
export interface Counting {
  count: number;
}

let gathering: Counting[] | null = null;

/** Everything that counts in what `make` makes, in the order in which it was made. */
export function gatherCounting<T>(make: () => T): { readonly made: T; readonly counting: readonly Counting[] } {
  const before = gathering;
  const counting: Counting[] = [];
  gathering = counting;
  try {
    return { made: make(), counting };
  } finally {
    gathering = before;
  }
}

/** Numbers that rise by one with each call. */
export class Counter implements Counting {
  count: number;

  constructor(start: number) {
    this.count = start;
    gathering?.push(this);
  }

  next(): number {
    this.count += 1;
    return this.count;
  }
}

/** Ids in a provider's own form, the same in every run: no randomness, so a failing run repeats. */
export class Ids {
  readonly #counter = new Counter(0);
  readonly #seed: number;

  constructor(name: string) {
    let seed = 2166136261;
    for (const letter of name) seed = Math.imul(seed ^ letter.charCodeAt(0), 16777619);
    this.#seed = seed >>> 0;
  }

  /** Rises by one with each call. */
  next(): number {
    return this.#counter.next();
  }

  /** `length` letters and digits that no earlier call gave (for lengths of 6 and more). */
  text(length: number, alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'): string {
    let state = (this.#seed + Math.imul(this.next(), 0x9e3779b9)) >>> 0;
    let out = '';
    for (let i = 0; i < length; i += 1) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      out += alphabet[((mixed ^ (mixed >>> 14)) >>> 0) % alphabet.length] ?? '';
    }
    return out;
  }

  uuid(): string {
    const hex = this.text(32, '0123456789abcdef');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
