import { expect, it } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { Unanswered } from './unanswered.ts';

it('a write without an answer may land for one deadline from its send, and one that was answered has landed', () => {
  let now = 100;
  const writes = new Unanswered({ ...systemClock, mono: () => now }, 30);
  expect(writes.until).toBe(0);
  const first = writes.sent();
  now = 110;
  const lost = writes.sent();
  expect(writes.until).toBe(140);
  lost(false);
  first(true);
  expect(writes.until).toBe(140);
});
