import type { Mutant } from './mutants.ts';
import type { Asked } from './worker.ts';

/** A sample comes from this many families, because loading the tests of a family takes longer than judging a mutant. */
const fromFamilies = 4;

/** Chooses `count` mutants of a few families. The same seed gives the same mutants. */
export function sampled(mutants: ReadonlyMap<string, readonly Mutant[]>, count: number, seed: number): readonly Asked[] {
  const next = chance(seed);
  const draw = <T>(from: T[]): T => from.splice(Math.floor(next() * from.length), 1)[0] as T;
  const names = [...mutants.keys()];
  const families = Array.from({ length: Math.min(fromFamilies, names.length) }, () => draw(names));
  const all = families.flatMap((family) => [...(mutants.get(family) ?? []).keys()].map((at) => ({ family, at })));
  const chosen = Array.from({ length: Math.min(count, all.length) }, () => draw(all));
  return [...Map.groupBy(chosen, ({ family }) => family)].map(([family, of]) => ({
    family,
    which: of.map(({ at }) => at).sort((a, b) => a - b),
  }));
}

/** Gives random numbers from 0 to 1 (mulberry32). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
