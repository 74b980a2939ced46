import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../engine/document.ts';
import { type ChromeEvent, chromeTrace } from './chrome.ts';

const moved = (line: string, from: string, to: string, at: number): RunEvent => ({ type: 'line', line, from, to, event: `to.${to}`, at });
const bars = (events: readonly RunEvent[]) => chromeTrace(events).traceEvents.filter((event) => event.ph === 'X');

describe('the Chrome trace', () => {
  it('has one named thread a line and one bar a state, in whole microseconds', () => {
    const { traceEvents } = chromeTrace([
      { type: 'run', state: 'begun', at: 100 },
      moved('db', 'waiting', 'observing', 101.5),
      moved('url', 'waiting', 'observing', 102),
      moved('db', 'observing', 'creating', 103.25),
      moved('db', 'creating', 'settled', 110),
      moved('url', 'observing', 'settled', 111),
    ]);
    const threads = traceEvents.filter((event) => event.name === 'thread_name').map((event) => [event.tid, event.args?.name]);
    expect(threads).toEqual([
      [1, 'db'],
      [2, 'url'],
    ]);
    expect(traceEvents.filter((event) => event.ph === 'X' && event.tid === 1).map(({ name, ts, dur }) => [name, ts, dur])).toEqual([
      ['waiting', 0, 1_500],
      ['observing', 1_500, 1_750],
      ['creating', 3_250, 6_750],
    ]);
    expect(traceEvents.find((event) => event.ph === 'i' && event.name === 'settled' && event.tid === 1)?.ts).toBe(10_000);
  });

  it('has a bar until the end of the run for a line that never ended', () => {
    expect(bars([moved('db', '', 'creating', 1), { type: 'run', state: 'ended', at: 5 }])).toMatchObject([
      { name: 'creating', ts: 0, dur: 4_000 },
    ]);
  });

  it('has a span from its start, with an id of its own, for each of two requests that overlap', () => {
    const request = { type: 'request', line: 'db', method: 'GET', url: 'https://x/a', status: 200, attempt: 1 } as const;
    const spans = chromeTrace([
      { ...request, ms: 10, at: 10 },
      { ...request, ms: 8, at: 12 },
    ]).traceEvents.filter((event) => event.cat === 'request');
    expect(spans.map(({ ph, id, ts }) => [ph, id, ts])).toEqual([
      ['b', 1, 0],
      ['e', 1, 10_000],
      ['b', 2, 4_000],
      ['e', 2, 12_000],
    ]);
  });

  it('has an arrow from the last bar of each line to the first one of every line after it', () => {
    const named = { adapter: 'a', op: 'b' };
    const { traceEvents } = chromeTrace([
      {
        type: 'lines',
        lines: [
          { id: 'db', after: [], ...named },
          { id: 'url', after: ['db'], ...named },
          { id: 'late', after: ['url'], ...named },
        ],
        at: 0,
      },
      moved('db', 'waiting', 'observing', 1),
      moved('db', 'observing', 'settled', 5),
      moved('url', 'waiting', 'observing', 6),
      moved('late', 'waiting', 'skipped', 8),
    ]);
    expect(traceEvents.filter(({ cat }) => cat === 'after').map(({ ph, tid, ts, id }) => [ph, tid, ts, id])).toEqual([
      ['s', 1, 4_999, 1],
      ['f', 2, 6_000, 1],
    ]);
  });

  it('has a track for each machine beside the lines', () => {
    const machine = (name: 'parent' | 'coordinator', actor: string, to: string, at: number): RunEvent => ({
      type: 'machine',
      machine: name,
      actor,
      from: '',
      to,
      event: 'e',
      at,
    });
    const { traceEvents } = chromeTrace([
      machine('coordinator', 'coordinator', 'running', 0),
      machine('parent', 'auth0 app', 'idle', 1),
      machine('parent', 'auth0 app', 'locking', 2),
      { type: 'run', state: 'ended', at: 4 },
    ]);
    const of = (tid: number) =>
      traceEvents.filter((event) => event.pid === 4 && event.ph === 'X' && event.tid === tid).map(({ name, ts, dur }) => [name, ts, dur]);
    expect(traceEvents.filter((event) => event.pid === 4 && event.name === 'thread_name').map(({ args }) => args?.name)).toEqual([
      'coordinator',
      'parent auth0 app',
    ]);
    expect(of(1)).toEqual([['running', 0, 4_000]]);
    expect(of(2)).toEqual([
      ['idle', 1_000, 1_000],
      ['locking', 2_000, 2_000],
    ]);
  });

  it('is empty when there are no events', () => {
    expect(bars([])).toEqual([]);
  });

  it('never has overlapping bars in one thread, whatever the times are', () => {
    const event = fc.tuple(
      fc.constantFrom('a', 'b', 'c'),
      fc.constantFrom('observing', 'creating', 'settled'),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (list) => {
        const all = bars(list.map(([line, to, at]) => moved(line, 'waiting', to, at)));
        for (const thread of Map.groupBy(all, (bar) => bar.tid).values()) expect(overlaps(thread)).toEqual([]);
        for (const bar of all) expect([bar.ts, bar.dur].every((n) => Number.isInteger(n) && Number(n) >= 0)).toBe(true);
      }),
    );
  });
});

const overlaps = (thread: readonly ChromeEvent[]): ChromeEvent[] =>
  thread.filter((bar, i) => {
    const before = thread[i - 1];
    return before !== undefined && (before.ts ?? 0) + (before.dur ?? 0) > (bar.ts ?? 0);
  });
