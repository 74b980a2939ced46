import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { rest, VirtualClock } from '../../test/support/virtual-clock.ts';
import { Deadlines } from './deadline.ts';

function world() {
  const clock = new VirtualClock();
  const deadlines = new Deadlines(clock, 30_000);
  const passed: [string, number][] = [];
  const begin = (name: string): (() => void) => deadlines.begin(({ ms }) => void passed.push([name, clock.mono() + ms]));
  return { clock, begin, passed };
}

it('each ends after its own time, in the order of their begin, and who is done does not', async () => {
  const { clock, begin, passed } = world();
  begin('a');
  await clock.advance(10_000);
  const done = begin('b');
  await clock.advance(5_000);
  begin('c');
  done();
  await clock.advance(60_000);
  expect(passed).toEqual([
    ['a', 60_000],
    ['c', 75_000],
  ]);
});

it('a thousand side by side take one alarm, which ends with the last of them', async () => {
  const { clock, begin, passed } = world();
  const done = Array.from({ length: 1_000 }, (_, n) => begin(`request-${n}`));
  for (const end of done) end();
  await rest();
  expect(clock.asked).toEqual([30_000]);
  await clock.advance(60_000);
  expect(passed).toEqual([]);
  expect(clock.asked).toHaveLength(1);
});

it('who begins after the others are done, or because one is over, is watched too', async () => {
  const clock = new VirtualClock();
  const deadlines = new Deadlines(clock, 1_000);
  const passed: number[] = [];
  deadlines.begin(() => undefined)();
  // In the same turn: the alarm of those before has not been heard yet.
  deadlines.begin(() => {
    passed.push(clock.mono());
    deadlines.begin(() => void passed.push(clock.mono()));
  });
  await clock.advance(5_000);
  deadlines.begin(() => void passed.push(clock.mono()));
  await clock.advance(5_000);
  expect(passed).toEqual([1_000, 2_000, 6_000]);
});

it('those that are done are let go while another goes on', async () => {
  const clock = new VirtualClock();
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const deadlines = new Deadlines(clock, 30_000);
  deadlines.begin(() => undefined);
  await rest();
  const gone = Array.from({ length: 100 }, () => {
    const some = Array.from({ length: 16 }, () => (): void => undefined);
    for (const done of some.map((end) => deadlines.begin(end))) done();
    return some.map((end) => new WeakRef(end));
  }).flat();
  // What a WeakRef was made for in this turn lives as long as the turn.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(gone.filter((one) => one.deref() !== undefined)).toHaveLength(0);
});
