import { expect, test } from 'vitest';
import { isSameQuantity } from './quantity.ts';

test.each([
  ['1000m', '1'],
  ['2', '2000m'],
  ['0.5', '500m'],
  ['512Mi', '0.5Gi'],
  ['1G', '1000M'],
  ['lots', 'lots'],
])('%s and %s are the same amount', (a, b) => {
  expect([isSameQuantity(a, b), isSameQuantity(b, a)]).toEqual([true, true]);
});

test.each([
  ['1000m', '2'],
  ['1001m', '1'],
  ['512Mi', '512M'],
  ['1Gi', '1'],
  ['lots', 'more'],
  ['1Xi', '1Yi'],
])('%s and %s are different amounts', (a, b) => {
  expect([isSameQuantity(a, b), isSameQuantity(b, a)]).toEqual([false, false]);
});
