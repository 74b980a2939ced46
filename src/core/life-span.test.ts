import { expect, it } from 'vitest';
import { dayText, readSpan, spanText } from './life-span.ts';

const day = 86_400_000;

it.each([
  ['14d', 14 * day],
  ['36h', 1.5 * day],
  ['365d', 365 * day],
])('%s is a span', (text, ms) => {
  expect(readSpan(text)).toBe(ms);
});

it.each(['0d', '00h', '14', '14 d', '1.5d', '-1d', '2w', '366d', '8761h', '14D', ''])('%j is no span', (text) => {
  expect(readSpan(text)).toBeNull();
});

it('a span is told in days from two days on, and never as zero', () => {
  expect([6.9 * day, 2 * day, 1.9 * day, 3_600_000, 5].map(spanText)).toEqual(['6 d', '2 d', '45 h', '1 h', 'less than 1 h']);
});

it('a day is told in UTC, wherever the machine stands', () => {
  expect(dayText(Date.parse('2026-12-12T23:59:59Z'))).toBe('12 Dec 2026');
});
