import { expect, test } from 'vitest';
import { once } from './once.ts';

test('a value that is made once is made at its first use, also where it is undefined', () => {
  let made = 0;
  const nothing = once(() => {
    made += 1;
    return undefined;
  });
  expect(made).toBe(0);
  nothing();
  nothing();
  expect(made).toBe(1);
});
