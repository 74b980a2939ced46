import { expect, it } from 'vitest';
import { pairsOf } from './command-files.ts';

it('pairs are read in both forms, and the last of one name counts', () => {
  const text = 'a=1=2<<3\n\nlong<<E_1\none\n\nb=2\nE_1\nempty<<E\nE\na=4\n';
  expect([...pairsOf(text)]).toEqual([
    ['a', '4'],
    ['long', 'one\n\nb=2'],
    ['empty', ''],
  ]);
});

it.each(['name', '=1', 'a<<', '<<E\nE', 'a<<E\nvalue\nE '])('a file that the runner refuses fails the step: %j', (text) => {
  expect(() => pairsOf(text)).toThrow('Invalid');
});
