import { expect, it } from 'vitest';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import { Quiet } from './quiet.ts';

it('the time in which something may still land counts down, and the longest holds', async () => {
  const clock = new VirtualClock();
  const quiet = new Quiet(clock);
  expect(quiet.left()).toBe(0);
  quiet.in(30_000);
  quiet.in(10_000);
  await clock.advance(5_000);
  expect(quiet.left()).toBe(25_000);
  await clock.advance(60_000);
  expect(quiet.left()).toBe(0);
});

it('a run whose lease ran out sends nothing more: its writes land within a deadline, and those of any other may come at any time', async () => {
  const clock = new VirtualClock();
  const quiet = new Quiet(clock);
  quiet.outlive('a', 30_000);
  expect([quiet.left(), quiet.leftOf('a'), quiet.leftOf('b')]).toEqual([30_000, 30_000, null]);
  await clock.advance(40_000);
  expect([quiet.leftOf('a'), quiet.leftOf('b')]).toEqual([0, null]);
});
