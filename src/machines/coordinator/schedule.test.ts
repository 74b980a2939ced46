import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { below, plans } from '../../../test/support/random-plans.ts';
import { Schedule } from './schedule.ts';

describe('the schedule', () => {
  it('starts lines without producers at once, in the order of the plan', () => {
    const schedule = new Schedule([
      { id: 'a', after: [] },
      { id: 'b', after: ['a'] },
      { id: 'c', after: [] },
    ]);
    expect(schedule.takeReady()).toEqual(['a', 'c']);
    expect(schedule.takeReady()).toEqual([]);
  });

  it('starts a line when the last of its producers has succeeded', () => {
    const schedule = new Schedule([
      { id: 'a', after: [] },
      { id: 'b', after: [] },
      { id: 'c', after: ['a', 'b'] },
    ]);
    schedule.takeReady();
    schedule.succeed('a');
    expect(schedule.takeReady()).toEqual([]);
    schedule.succeed('b');
    expect(schedule.takeReady()).toEqual(['c']);
  });

  it('tells what a failure stops, nearest first', () => {
    const schedule = new Schedule([
      { id: 'a', after: [] },
      { id: 'b', after: ['a'] },
      { id: 'c', after: ['b'] },
      { id: 'd', after: [] },
      { id: 'e', after: ['d', 'a'] },
    ]);
    expect(schedule.fail('a')).toEqual(['b', 'e', 'c']);
    expect([...schedule.open]).toEqual(['d']);
  });

  it('never starts a line before its producers, starts each at most once, and leaves none behind', () => {
    fc.assert(
      fc.property(plans, fc.infiniteStream(fc.nat()), fc.infiniteStream(fc.boolean()), (nodes, choices, luck) => {
        const schedule = new Schedule(nodes);
        const running: string[] = [];
        const started = new Set<string>();
        const succeeded = new Set<string>();
        const failed = new Set<string>();
        const skipped = new Set<string>();
        for (;;) {
          for (const id of schedule.takeReady()) {
            expect(started.has(id)).toBe(false);
            for (const producer of nodes.find((node) => node.id === id)?.after ?? []) expect(succeeded.has(producer)).toBe(true);
            started.add(id);
            running.push(id);
          }
          const [id] = running.splice((choices.next().value ?? 0) % Math.max(1, running.length), 1);
          if (id === undefined) break;
          if (luck.next().value) {
            succeeded.add(id);
            schedule.succeed(id);
          } else {
            failed.add(id);
            for (const one of schedule.fail(id)) skipped.add(one);
          }
        }
        const mustSkip = new Set([...failed].flatMap((id) => [...below(nodes, id)]));
        expect(skipped).toEqual(mustSkip);
        expect(succeeded.size + failed.size + skipped.size).toBe(nodes.length);
        expect(schedule.open.size).toBe(0);
      }),
    );
  });
});
