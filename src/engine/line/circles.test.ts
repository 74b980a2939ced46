import { expect, it } from 'vitest';
import { withoutCircles } from './circles.ts';

const kept = (edges: Record<string, string[]>): Record<string, readonly string[]> =>
  Object.fromEntries([...withoutCircles(new Map(Object.entries(edges)))].filter(([, of]) => of.length > 0));

it('leaves edges as they are where none closes a circle', () => {
  const edges = { a: ['b', 'c'], b: ['d'], c: ['d'] };
  expect(kept(edges)).toEqual(edges);
});

it('leaves out the edge that closes a circle, and no other', () => {
  expect(kept({ a: ['b'], b: ['c', 'd'], c: ['a'] })).toEqual({ a: ['b'], b: ['c', 'd'] });
  expect(kept({ a: ['a', 'b'] })).toEqual({ a: ['b'] });
});

it('goes through a chain of a hundred thousand lines', () => {
  const chain = new Map(Array.from({ length: 100_000 }, (_, n) => [String(n), [String(n + 1)]]));
  expect(withoutCircles(chain).get('99999')).toEqual(['100000']);
});
