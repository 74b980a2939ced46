import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../engine/document.ts';
import { machineSources } from '../../../machines/sources.ts';
import { chartOf } from './charts.ts';
import { ownErrors, type RunTrace, traceOf } from './model.ts';
import { barsOf, isRestored, stateAt, verdictAt } from './moment.ts';
import { isEnd } from './tones.ts';

const charts = machineSources.map(chartOf);
const trace = (...events: readonly RunEvent[]): RunTrace => traceOf(events, charts);

const moved = (line: string, from: string, to: string, at: number): RunEvent => ({ type: 'line', line, from, to, event: 'e', at });
const begun = (at: number, ...lines: readonly (readonly [string, ...string[]])[]): RunEvent[] => [
  { type: 'run', state: 'begun', lines: lines.length, at },
  { type: 'lines', lines: lines.map(([id, ...after]) => ({ id, after, adapter: 'vercel', op: 'env' })), at },
];
const judged = (line: string, at: number, lock: string | null = null): RunEvent => ({
  type: 'verdict',
  line,
  verdict: 'create',
  why: 'not there yet',
  drift: 'none',
  changes: [],
  lock,
  at,
});
const machine = (name: 'coordinator' | 'parent' | 'readiness', actor: string, from: string, to: string, at: number): RunEvent => ({
  type: 'machine',
  machine: name,
  actor,
  from,
  to,
  event: 'e',
  at,
});

describe('a run as the page shows it', () => {
  it('has the lines in the order of the events, with their order in the plan, and counts from its first moment', () => {
    const { lines, ms, startedAt, moments } = trace(
      ...begun(1_000, ['db'], ['url', 'db']),
      moved('db', 'waiting', 'observing', 1_000),
      judged('db', 1_100),
      moved('db', 'observing', 'settled', 1_250),
      { type: 'request', line: 'db', method: 'GET', url: 'https://x.example', status: 404, attempt: 2, ms: 80, at: 1_090 },
    );
    expect(lines.map(({ name, after, before, kind }) => ({ name, after, before, kind }))).toEqual([
      { name: 'db', after: [], before: [1], kind: 'vercel.env' },
      { name: 'url', after: [0], before: [], kind: 'vercel.env' },
    ]);
    expect([ms, startedAt, moments]).toEqual([250, 1_000, [0, 90, 100, 250]]);
    expect(lines[0]?.requests).toEqual([
      { from: 10, to: 90, method: 'GET', url: 'https://x.example', status: 404, attempt: 2, isWrite: false, isBad: true },
    ]);
  });

  it('knows the state and the verdict of every moment', () => {
    const [db] = trace(
      ...begun(0, ['db']),
      moved('db', 'waiting', 'observing', 10),
      judged('db', 20),
      moved('db', 'observing', 'judged', 20),
      moved('db', 'judged', 'recordingIntent', 20),
      moved('db', 'recordingIntent', 'settled', 50),
    ).lines;
    if (!db) throw new Error('no line');
    expect([0, 9, 10, 19, 20, 49, 50].map((at) => stateAt(db, at))).toEqual([
      'waiting',
      'waiting',
      'observing',
      'observing',
      'recordingIntent',
      'recordingIntent',
      'settled',
    ]);
    expect([verdictAt(db, 19), verdictAt(db, 20)?.verdict]).toEqual([null, 'create']);
    expect(barsOf(db, 60, isEnd)).toEqual([
      { from: 0, to: 10, state: 'waiting', isOpen: false },
      { from: 10, to: 20, state: 'observing', isOpen: false },
      { from: 20, to: 50, state: 'recordingIntent', isOpen: false },
      { from: 50, to: 50, state: 'settled', isOpen: false },
    ]);
  });

  it('knows that a create became a claim on its way', () => {
    const [db] = trace(
      ...begun(0, ['db']),
      judged('db', 10),
      moved('db', 'creating', 'relocating', 20),
      moved('db', 'relocating', 'claimed', 30),
    ).lines;
    if (!db) throw new Error('no line');
    expect([10, 29, 30].map((at) => verdictAt(db, at)?.verdict)).toEqual(['create', 'create', 'claim']);
  });

  it('has shared objects with their lines, also one that had nothing to do', () => {
    const { parents, lines } = trace(
      ...begun(0, ['a'], ['b'], ['c']),
      judged('a', 1, 'app'),
      judged('b', 1, 'app'),
      judged('c', 1, 'idle app'),
      machine('parent', 'app', '', 'gathering', 2),
    );
    expect(parents.map(({ name, lines: of, initial }) => [name, of, initial])).toEqual([
      ['app', [0, 1], 'idle'],
      ['idle app', [2], 'idle'],
    ]);
    expect(lines.map(({ parent }) => parent)).toEqual([0, 0, 1]);
    expect(parents[0]?.steps).toEqual([{ at: 2, from: 'idle', to: 'gathering', event: 'e' }]);
  });

  it('tells how it ended: by itself, by an interruption, before its lines, or cut off', () => {
    const whole = [...begun(0, ['db']), moved('db', 'waiting', 'observing', 1)];
    const ended = moved('db', 'observing', 'settled', 2);
    expect(trace(...whole, ended).ending).toBe('finished');
    expect(trace(...whole, ended, machine('coordinator', 'coordinator', 'running', 'finished', 3)).ending).toBe('finished');
    expect(trace(...whole, machine('coordinator', 'coordinator', 'draining', 'interrupted', 3)).ending).toBe('interrupted');
    expect(trace(...whole).ending).toBe('cut off');
    expect(trace({ type: 'run', state: 'waiting', detail: 'run 1 holds it', at: 5 }).ending).toBe('not begun');
    expect(trace().ending).toBe('not begun');
  });

  it('shows the reason why it waited before its lines began', () => {
    const { delay, waits, lines } = trace({ type: 'run', state: 'waiting', detail: 'run 1 holds it', at: 5 }, ...begun(105, ['db']));
    expect([delay, waits]).toEqual([{ from: 0, to: 100, text: 'waits' }, [{ at: 0, text: 'run 1 holds it' }]]);
    expect(lines[0]?.begunAt).toBe(100);
  });

  it('knows a line that an earlier run settled', () => {
    const [db, url] = trace(
      ...begun(0, ['db'], ['url']),
      moved('db', 'waiting', 'settled', 0),
      moved('url', 'waiting', 'observing', 0),
    ).lines;
    if (!db || !url) throw new Error('no line');
    expect([isRestored(db), isRestored(url)]).toEqual([true, false]);
  });

  it('shows lines that nobody announced', () => {
    expect(trace(moved('stray', 'waiting', 'observing', 3)).lines.map(({ name, kind }) => [name, kind])).toEqual([['stray', '']]);
  });

  it('tells errors of the run itself from those of its lines', () => {
    const error = (detail: string) => ({ code: 'PROVIDER_AUTH', summary: 'Refused', detail, fix: 'Ask.' }) as const;
    const made = trace(...begun(0, ['db']), { type: 'failure', line: 'db', error: error('db: no'), at: 1 });
    expect(ownErrors(made, [error('db: no'), error('the ledger: no')])).toEqual([error('the ledger: no')]);
  });

  it('can be made of any events', () => {
    const names = fc.constantFrom('a', 'b', '');
    const at = fc.integer({ min: 0, max: 1_000 });
    const states = fc.constantFrom('waiting', 'observing', 'settled', 'no such state');
    const event: fc.Arbitrary<RunEvent> = fc.oneof(
      fc.tuple(names, states, states, at).map(([line, from, to, time]) => moved(line, from, to, time)),
      fc.tuple(names, at).map(([line, time]) => judged(line, time, line)),
      fc
        .tuple(fc.constantFrom('coordinator' as const, 'parent' as const, 'readiness' as const), names, states, states, at)
        .map((of) => machine(...of)),
      fc
        .tuple(names, names, at)
        .map(([id, after, time]): RunEvent => ({ type: 'lines', lines: [{ id, after: [after], adapter: 'x', op: 'y' }], at: time })),
      fc
        .tuple(names, at, at)
        .map(([line, ms, time]): RunEvent => ({ type: 'request', line, method: 'GET', url: '', status: null, attempt: 1, ms, at: time })),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const made = trace(...events.toSorted((a, b) => a.at - b.at));
        for (const line of made.lines) {
          for (const index of [...line.after, ...line.before]) expect(made.lines[index]).toBeDefined();
          for (const bar of barsOf(line, made.ms, isEnd)) expect(bar.to).toBeGreaterThanOrEqual(bar.from);
        }
        expect(made.ms).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
