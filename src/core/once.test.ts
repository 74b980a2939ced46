import { expect, test } from 'vitest';
import { once } from './once.ts';

test('what is made once is made when it is first asked for, also where it is nothing', () => {
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
