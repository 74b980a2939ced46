import { describe, expect, it } from 'vitest';
import { clockTime, ticks } from './times.ts';

describe('times of the page', () => {
  it.each([
    [0, '0.000 s'],
    [1_240, '1.240 s'],
    [59_999, '59.999 s'],
    [123_500, '2:03.500'],
    [-3, '0.000 s'],
  ])('%d ms is %s', (ms, text) => {
    expect(clockTime(ms)).toBe(text);
  });

  it.each([
    [0, 9_000, 10, ['0', '1 s', '2 s', '3 s', '4 s', '5 s', '6 s', '7 s', '8 s', '9 s']],
    [0, 800, 4, ['0', '200 ms', '400 ms', '600 ms', '800 ms']],
    [1_000, 1_010, 2, ['1 s', '1.005 s', '1.01 s']],
    [50_000, 130_000, 3, ['1:00', '1:30', '2:00']],
  ])('an axis from %d to %d has at most %d marks', (from, to, most, texts) => {
    expect(ticks(from, to, most).map(({ text }) => text)).toEqual(texts);
  });

  it('an axis of nothing, and one of days, ends', () => {
    expect(ticks(0, 0, 5).map(({ text }) => text)).toEqual(['0']);
    expect(ticks(0, 400 * 86_400_000, 8).length).toBeLessThan(12);
  });
});
