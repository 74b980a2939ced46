import { describe, expect, it } from 'vitest';
import { systemClock } from '../../core/clock.ts';
import { EarlyLooks } from './early-looks.ts';

const nothing = { count: 'none', going: [] };
const something = { count: 'one', going: [] };

function looksAt(world: { now: number; wall?: number; writes: number; isWriting: boolean }): EarlyLooks {
  const clock = { ...systemClock, now: () => world.wall ?? 0, mono: () => world.now };
  return new EarlyLooks({ clock, deadlineMs: 30, writes: () => world.writes, isWriting: () => world.isWriting });
}

describe('a look before the turn of its line', () => {
  it('counts for one deadline, also where the machine slept meanwhile, and while no other run wrote', () => {
    const world = { now: 100, wall: 0, writes: 0, isWriting: false };
    const look = looksAt(world).begin('room', 1);
    expect([look.isGood(1), look.isGood(2)]).toEqual([true, false]);
    world.wall = 30;
    expect(look.isGood(1)).toBe(false);
    Object.assign(world, { now: 130, wall: 0 });
    expect(look.isGood(1)).toBe(false);
  });

  it('shows an object only while this run has written nothing since, because a write may have removed or changed it', () => {
    const world = { now: 100, writes: 0, isWriting: false };
    const look = looksAt(world).begin('room', 1);
    expect([look.mayShow(something), look.mayShow(nothing)]).toEqual([true, true]);
    world.writes = 1;
    expect([look.mayShow(something), look.mayShow(nothing), look.mayShow({ count: 'none', going: ['r-1'] })]).toEqual([false, true, false]);
  });

  it('shows no object where it may have overtaken a write', () => {
    const world = { now: 100, writes: 1, isWriting: true };
    const look = looksAt(world).begin('room', 1);
    world.isWriting = false;
    expect([look.mayShow(something), look.mayShow(nothing)]).toEqual([false, true]);
  });

  it('is taken once, and begun anew where it no longer counts', () => {
    const looks = looksAt({ now: 100, writes: 0, isWriting: false });
    const begun = looks.begin('room', 1);
    expect([looks.mayBegin('room', 1, () => true), looks.mayBegin('room', 2, () => true)]).toEqual([false, true]);
    expect([looks.take('room'), looks.take('room')]).toEqual([begun, null]);
  });

  it('waits for the line whose output is in its key', () => {
    const looks = looksAt({ now: 100, writes: 0, isWriting: false });
    looks.waitsFor('room', 'house');
    expect([looks.mayBegin('room', 1, () => false), looks.mayBegin('room', 1, (line) => line === 'house')]).toEqual([false, true]);
  });
});
