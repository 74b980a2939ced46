import { expect, it } from 'vitest';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import { LateWrites } from './late-writes.ts';

it('the time in which something may still land counts down, and the longest holds', async () => {
  const clock = new VirtualClock();
  const late = new LateWrites(clock);
  expect(late.left()).toBe(0);
  late.landWithin(30_000);
  late.landWithin(10_000);
  await clock.advance(5_000);
  expect(late.left()).toBe(25_000);
  await clock.advance(60_000);
  expect(late.left()).toBe(0);
});

it('a run whose lease ran out sends nothing more: its writes land within a deadline, and those of any other may come at any time', async () => {
  const clock = new VirtualClock();
  const late = new LateWrites(clock);
  late.outlive('a', 30_000);
  expect([late.left(), late.leftOf('a'), late.leftOf('b')]).toEqual([30_000, 30_000, null]);
  await clock.advance(40_000);
  expect([late.leftOf('a'), late.leftOf('b')]).toEqual([0, null]);
});
