import { array, assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextFinder } from './text-finder.ts';

describe('a finder of texts', () => {
  it('finds every needle, at every place, as a search for each alone would', () => {
    const unit = constantFrom(...('aab€😀%'.match(/./gu) ?? []));
    assert(
      property(array(string({ minLength: 6, maxLength: 9, unit }), { maxLength: 4 }), string({ maxLength: 40, unit }), (needles, text) => {
        const finder = new TextFinder();
        for (const needle of needles) finder.add(needle);
        const covered = new Set(finder.find(text).flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)));
        const expected = new Set<number>();
        for (const needle of needles) {
          for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
            for (let i = 0; i < needle.length; i += 1) expected.add(at + i);
          }
        }
        expect([...covered].sort()).toEqual([...expected].sort());
      }),
      { numRuns: 1000 },
    );
  });
});
