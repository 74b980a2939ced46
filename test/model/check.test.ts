import { describe, expect, it } from 'vitest';
import { check, type Model } from './check.ts';

/** Two counters that each go up to `limit`; the sum must stay below `wrong`. */
const counters = (limit: number, wrong: number, o: { readonly end?: number } = {}): Model<readonly [number, number]> => ({
  initial: [[0, 0]],
  encode: (state) => [...state].sort().join(),
  steps: ([a, b]) => [
    ...(a < limit ? [{ say: 'a', next: [a + 1, b] as const }] : []),
    ...(b < limit ? [{ say: 'b', next: [a, b + 1] as const }] : []),
  ],
  broken: ([a, b]) => (a + b >= wrong ? 'the sum is small' : null),
  isEnd: ([a, b]) => a + b === (o.end ?? 2 * limit),
});

describe('visiting every state', () => {
  it('counts each once, mirror images as one', () => {
    expect(check(counters(3, 99))).toMatchObject({ states: 10, transitions: 15, depth: 6, isWhole: true, counterExample: null });
  });

  it('finds the shortest way to a broken claim', () => {
    const { counterExample } = check(counters(3, 4));
    expect(counterExample?.claim).toBe('the sum is small');
    expect(counterExample?.trace).toHaveLength(4);
  });

  it('tells of a state from which no end is in reach', () => {
    const { counterExample } = check(counters(3, 99, { end: 5 }));
    expect(counterExample?.claim).toContain('can finish');
    expect(counterExample?.trace).toHaveLength(6);
  });

  it('says when its bound came first', () => {
    expect(check(counters(50, 999), { maxStates: 20 })).toMatchObject({ isWhole: false, counterExample: null });
  });
});
