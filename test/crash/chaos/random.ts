/** Chance that can be repeated: equal seeds give equal choices. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  int(from: number, to: number): number;
  pick<const A extends readonly [unknown, ...unknown[]]>(all: A): A[number];
  isTrue(chance: number): boolean;
  /** An independent stream, the same for the same name. */
  fork(name: string): Random;
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    int: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (all) => all[Math.floor(next() * all.length)] ?? all[0],
    isTrue: (chance) => next() < chance,
    fork: (name) => {
      let hash = seed >>> 0;
      for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
      return randomOf(hash);
    },
  };
}
