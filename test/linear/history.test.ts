import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Operation, whyNotLinear } from './history.ts';

const read = (process: number, called: number, ended: number, saw: string | null): Operation => ({
  ...{ process, called, ended },
  what: { kind: 'read', saw },
});
const append = (
  process: number,
  [called, ended]: readonly [number, number],
  [expected, to]: readonly [string | null, string],
  answer: 'done' | 'moved' | 'unknown' = 'done',
): Operation => ({ ...{ process, called, ended }, what: { kind: 'append', expect: expected, to, answer } });

describe('a history is linearizable', () => {
  it.each<[string, readonly Operation[]]>([
    ['that is empty', []],
    ['of one process', [read(1, 0, 1, null), append(1, [2, 3], [null, 'a']), read(1, 4, 5, 'a')]],
    ['where a read overlaps a write and sees the old value', [append(1, [0, 10], [null, 'a']), read(2, 5, 6, null), read(2, 11, 12, 'a')]],
    ['where it sees the new one', [append(1, [0, 10], [null, 'a']), read(2, 5, 6, 'a')]],
    ['where one of two writers is first', [append(1, [0, 10], [null, 'a'], 'moved'), append(2, [1, 9], [null, 'b'])]],
    [
      'where a write without an answer happened',
      [append(1, [0, Infinity], [null, 'a'], 'unknown'), read(2, 50, 51, null), read(2, 60, 61, 'a')],
    ],
    ['where it never happened', [append(1, [0, Infinity], [null, 'a'], 'unknown'), read(2, 50, 51, null)]],
  ])('%s', (_, history) => expect(whyNotLinear(history)).toBeNull());

  it('if a register answered it, whatever the intervals around its moments are', () => {
    fc.assert(fc.property(registered, (history) => whyNotLinear(history) === null));
  });
});

describe('a history is refused', () => {
  it.each<[string, readonly Operation[]]>([
    ['where a value comes from nowhere', [read(1, 0, 1, 'a')]],
    ['where a read misses a write that had its answer', [append(1, [0, 1], [null, 'a']), read(2, 2, 3, null)]],
    ['where two writers both had the same value to build on', [append(1, [0, 10], [null, 'a']), append(2, [1, 9], [null, 'b'])]],
    ['where a value comes back', [append(1, [0, 1], [null, 'a']), append(1, [2, 3], ['a', 'b']), read(2, 4, 5, 'a')]],
    ['where two readers see a change in two orders', [append(1, [0, 10], [null, 'a']), read(2, 2, 3, 'a'), read(3, 4, 5, null)]],
    ['where a writer was told of a move that nobody made', [append(1, [0, 1], [null, 'a'], 'moved'), read(2, 2, 3, null)]],
    ['where a write without an answer happened before its call', [read(2, 0, 1, 'a'), append(1, [5, Infinity], [null, 'a'], 'unknown')]],
  ])('%s', (_, history) => expect(whyNotLinear(history)).toMatch(/none of these can be next:\n {2}process/));

  it('as soon as one read of it saw a value that never stood there', () => {
    fc.assert(
      fc.property(registered, (history) => {
        const at = history.findIndex(({ what }) => what.kind === 'read');
        const forged = history.map((one, i) => (i === at ? { ...one, what: { kind: 'read', saw: 'never' } as const } : one));
        return at < 0 || whyNotLinear(forged) !== null;
      }),
    );
  });
});

/** Histories of a true register: each operation has a moment of its own, and an interval of its process around it. */
const registered = fc
  .array(
    fc.record({
      process: fc.nat(7),
      isRead: fc.boolean(),
      isFresh: fc.boolean(),
      before: fc.nat(9),
      after: fc.nat(9),
      answer: fc.constantFrom('told', 'told', 'lost'),
    }),
    { maxLength: 24 },
  )
  .map((steps) => {
    let value: string | null = null;
    const last = new Map<number, number>();
    return steps.map(({ process, isRead, isFresh, before, after, answer }, i): Operation => {
      const moment = (i + 1) * 10;
      const called = Math.max(last.get(process) ?? 0, moment - before * 10);
      const ended = moment + (steps.slice(i + 1).some((later) => later.process === process) ? 1 : after * 10);
      last.set(process, ended);
      if (isRead) return read(process, called, ended, value);
      const expected = isFresh ? value : 'stale';
      const isDone = expected === value;
      const to = `v${i}`;
      if (isDone) value = to;
      if (answer === 'lost') return append(process, [called, Number.POSITIVE_INFINITY], [expected, to], 'unknown');
      return append(process, [called, ended], [expected, to], isDone ? 'done' : 'moved');
    });
  });
