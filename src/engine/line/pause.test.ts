import { expect, it } from 'vitest';
import { systemClock } from '../../core/clock.ts';
import { Interrupted } from '../../core/errors.ts';
import { pauseBetween } from './pause.ts';

function open() {
  const stop = new AbortController();
  const slept: number[] = [];
  let now = 0;
  const session = {
    clock: {
      ...systemClock,
      mono: () => now,
      sleep: async (ms: number) => {
        stop.signal.throwIfAborted();
        slept.push(ms);
        now += ms;
      },
    },
    barrier: { tell: () => undefined },
  };
  return { session, slept, stop };
}

it('looks are first close together, then as far apart as they may be, and those of two lines do not fall together', async () => {
  const { session, slept, stop } = open();
  for (let polls = 0; polls < 30; polls += 1)
    await pauseBetween(session, { signal: stop.signal, of: 'db', polls, until: 600_000, longest: 3_000 });
  expect(slept).toHaveLength(30);
  slept.forEach((ms, polls) => {
    const plain = Math.min(3_000, 150 * 1.6 ** polls);
    expect(ms).toBeGreaterThanOrEqual(0.8 * plain);
    expect(ms).toBeLessThanOrEqual(1.2 * plain);
  });
  expect(slept[0]).toBeLessThan(200);
  expect(slept.at(-1)).toBeGreaterThan(2_000);
  const others = open();
  for (let polls = 0; polls < 30; polls += 1)
    await pauseBetween(others.session, { signal: others.stop.signal, of: 'app', polls, until: 600_000, longest: 3_000 });
  expect(others.slept.filter((ms, i) => Math.abs(ms - (slept[i] ?? 0)) < 1).length).toBeLessThan(3);
});

it('no wait goes past the deadline, and no look begins at the deadline', async () => {
  const { session, slept, stop } = open();
  expect(await pauseBetween(session, { signal: stop.signal, of: 'db', polls: 20, until: 700, longest: 3_000 })).toBe(true);
  expect(slept).toEqual([700]);
  expect(await pauseBetween(session, { signal: stop.signal, of: 'db', polls: 21, until: 700, longest: 3_000 })).toBe(false);
  expect(slept).toEqual([700]);
});

it('a wait ends as soon as the run is told to stop', async () => {
  const { session, stop } = open();
  stop.abort(new Error('stop.signalINT'));
  await expect(pauseBetween(session, { signal: stop.signal, of: 'db', polls: 0, until: 700, longest: 3_000 })).rejects.toBeInstanceOf(
    Interrupted,
  );
});
