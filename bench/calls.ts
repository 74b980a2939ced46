import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { http } from '../src/ops/generic/index.ts';

/** How often a run did what takes time for each line. */
export interface Calls {
  /** Texts made of values and values made of texts: what a run allocates goes with them. */
  readonly json: number;
  /** Digests of texts. */
  readonly hashes: number;
  /** Lines that were given the values of their params. */
  readonly bindings: number;
}

const counted: readonly { readonly what: keyof Calls; readonly of: object; readonly names: readonly string[] }[] = [
  { what: 'json', of: JSON, names: ['parse', 'stringify'] },
  { what: 'hashes', of: crypto, names: ['hash', 'createHash'] },
  ...Object.values(http.ops).map((op) => ({ what: 'bindings' as const, of: op, names: ['bind'] })),
];

/** Counts from now until `end`. A spy would keep every value. */
export function countCalls(): { end(): Calls } {
  const calls = { json: 0, hashes: 0, bindings: 0 };
  const before = counted.map(({ what, of, names }) => {
    const kept = Object.fromEntries(names.map((name) => [name, Reflect.get(of, name)]));
    const counting = names.map((name) => [
      name,
      (...given: unknown[]) => {
        calls[what] += 1;
        return Reflect.apply(kept[name], of, given);
      },
    ]);
    Object.assign(of, Object.fromEntries(counting));
    return { of, kept };
  });
  syncBuiltinESMExports();
  return {
    end: () => {
      for (const { of, kept } of before) Object.assign(of, kept);
      syncBuiltinESMExports();
      return calls;
    },
  };
}
