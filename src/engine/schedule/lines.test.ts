import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { begin, type Fate, judged, startLines } from '../../../test/support/fated-lines.ts';
import { below, plans } from '../../../test/support/random-plans.ts';
import { unwiredSteps } from '../../../test/support/unwired-steps.ts';
import { type Node, Schedule } from '../../machines/coordinator/schedule.ts';
import { withSteps } from '../../machines/line/line.machine.ts';
import type { Judgement, ReadyOutcome, Steps } from '../../machines/line/steps.ts';

const chain: readonly Node[] = [
  { id: 'a', after: [] },
  { id: 'b', after: ['a'] },
  { id: 'c', after: ['b'] },
  { id: 'other', after: [] },
];

describe('the lines of a run', () => {
  it('that come to a point together are told of together, so hundreds ask the schedule no more often than a few', async () => {
    const asked = vi.spyOn(Schedule.prototype, 'takeReady');
    const wide = (count: number): readonly Node[] => Array.from({ length: count }, (_, i) => ({ id: `l${i}`, after: [] }));
    const timesFor = async (count: number): Promise<number> => {
      asked.mockClear();
      await startLines(wide(count)).run.done;
      return asked.mock.calls.length;
    };
    expect(await timesFor(16)).toBeLessThanOrEqual(3);
    expect(await timesFor(320)).toBeLessThanOrEqual(3);
    asked.mockRestore();
  });

  it('all end, in the order of their producers', async () => {
    const { run, observed, states } = startLines(chain);
    expect(await run.done).toEqual({ interrupted: false });
    expect(observed).toEqual(['a', 'other', 'b', 'c']);
    expect(new Set(states.values())).toEqual(new Set(['settled']));
  });

  it('end at once when there are none', async () => {
    const { run } = startLines([]);
    expect(await run.done).toEqual({ interrupted: false });
    expect(run.crew.isEnding).toBe(true);
  });

  it('go on beside a failure, and what is below it is skipped because of it', async () => {
    const { run, states, skips } = startLines(chain, { fates: new Map([['a', 'fails to create']]) });
    await run.done;
    expect([...states].sort()).toEqual([
      ['a', 'failed'],
      ['b', 'skipped'],
      ['c', 'skipped'],
      ['other', 'settled'],
    ]);
    expect(skips).toEqual([
      ['b', 'a'],
      ['c', 'a'],
    ]);
  });

  it('below a paused line are paused with it, and no line is skipped', async () => {
    const { run, states, skips } = startLines(chain, { fates: new Map([['a', 'pauses']]) });
    await run.done;
    expect([...states].sort()).toEqual([
      ['a', 'paused'],
      ['b', 'paused'],
      ['c', 'paused'],
      ['other', 'settled'],
    ]);
    expect(skips).toEqual([
      ['b', 'a'],
      ['c', 'a'],
    ]);
  });

  it('wait for a producer’s outputs and not for its record', async () => {
    const { run, states } = startLines(chain, { fates: new Map([['a', 'fails to record']]) });
    await run.done;
    expect(states.get('a')).toBe('failed');
    expect(states.get('c')).toBe('settled');
  });

  it('start together once their producers are there, and may then write to one object', async () => {
    const users = Array.from({ length: 40 }, (_, n) => ({ id: `line-${n}`, after: ['first'] }));
    const { run, observed } = startLines([{ id: 'first', after: [] }, ...users]);
    const seen: number[] = [];
    const look = (): void => {
      if (seen.at(-1) !== observed.length) seen.push(observed.length);
      if (observed.length < 41) setImmediate(look);
    };
    look();
    await run.done;
    look();
    expect(seen.at(-1)).toBe(41);
    expect(seen.filter((count) => count > 1)).toEqual([41]);
  });

  it('that were not started yet when the run is interrupted never begin', async () => {
    const { run, observed, states, stop } = startLines(
      Array.from({ length: 40 }, (_, n) => ({ id: `line-${n}`, after: n === 0 ? [] : ['line-0'] })),
    );
    await Promise.resolve();
    expect(run.positions().filter(({ state }) => state === 'waiting')).toHaveLength(39);
    stop();
    expect(await run.done).toEqual({ interrupted: true });
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(observed).toEqual(['line-0']);
    expect(new Set(states.values())).toEqual(new Set(['interrupted']));
  });

  it('that an interrupted run settled are not looked at', async () => {
    const { run, observed, states } = startLines(chain, { restored: new Map([['a', 'none' as const]]) });
    await run.done;
    expect(observed).toEqual(['other', 'b', 'c']);
    expect(states.get('a')).toBe('settled');
  });

  it('never start before what they come after, and end before its turn exactly what is below a bad end', async () => {
    const fates = fc.infiniteStream(
      fc.constantFrom<Fate>('settles', 'settles', 'settles', 'is refused', 'fails to create', 'fails to record', 'pauses'),
    );
    await fc.assert(
      fc.asyncProperty(plans, fates, fc.infiniteStream(fc.nat(5)), async (nodes, luck, pace) => {
        const fate = new Map(nodes.map((node) => [node.id, luck.next().value ?? 'settles'] as const));
        const turns = new Map(nodes.map((node) => [node.id, pace.next().value ?? 0] as const));
        const { run, began, ended, states, observed } = startLines(nodes, { fates: fate, turns: (line) => turns.get(line) ?? 0 });
        await run.done;
        const hadTurn = new Set(observed);
        const stops = nodes.filter(({ id }) => !['settles', 'fails to record'].includes(fate.get(id) ?? '') && hadTurn.has(id));
        const stopped = new Set(stops.flatMap((node) => [...below(nodes, node.id)]));
        for (const node of nodes) {
          expect(hadTurn.has(node.id)).toBe(!stopped.has(node.id));
          if (stopped.has(node.id)) expect(['skipped', 'paused']).toContain(states.get(node.id));
          for (const producer of began.has(node.id) ? node.after : []) {
            expect(ended.get(producer)).toBeLessThan(began.get(node.id) ?? 0);
          }
        }
        expect(run.positions().every(({ state }) => ['settled', 'refused', 'failed', 'skipped', 'paused'].includes(state))).toBe(true);
        expect(run.crew.isEnding).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('drain when the run is interrupted at any moment: none starts, and each line under way comes to a durable point', async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.nat(60), async (nodes, moment) => {
        const { run, states, stop, observed } = startLines(nodes);
        for (let i = 0; i < moment; i += 1) await Promise.resolve();
        stop();
        await Promise.resolve();
        await Promise.resolve();
        const seen = observed.length;
        const { interrupted } = await run.done;
        const ends = new Set(states.values());
        for (const state of ends) expect(['settled', 'interrupted', 'skipped']).toContain(state);
        if (!interrupted) expect(ends).toEqual(new Set(['settled']));
        expect(observed.length - seen).toBeLessThanOrEqual(nodes.length);
        for (const { id, state } of run.positions()) if (state === 'settled') expect(observed).toContain(id);
      }),
      { numRuns: 150 },
    );
  });

  it('cost linearly: ten thousand take about ten times as long as one thousand', async () => {
    const of = (count: number): readonly Node[] =>
      Array.from({ length: count }, (_, i) => ({ id: `line-${i}`, after: i % 10 === 0 ? [] : [`line-${i - 1}`] }));
    const cpu = async (count: number): Promise<number> => {
      const before = process.cpuUsage();
      await startLines(of(count)).run.done;
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    await cpu(1_000);
    const small = await cpu(1_000);
    const large = await cpu(10_000);
    // Quadratic work would make it a hundred times.
    expect(large / small).toBeLessThan(35);
  });
});

/** Begins one line that comes after none. */
const beginAlone = (id: string, steps: Partial<Steps>) =>
  begin({
    nodes: [{ id, after: [] }],
    purpose: 'apply',
    restored: new Map(),
    machine: withSteps({ ...unwiredSteps, ...steps }),
    onTransition: () => undefined,
  });

describe('a run', () => {
  it('is told quiet when the last line at work ends badly, so lines that wait for the ledger go on', async () => {
    const verdict = Promise.withResolvers<Judgement>();
    const told: boolean[] = [];
    const run = beginAlone('refused', { observe: () => verdict.promise });
    run.barrier.watch(() => told.push(run.barrier.isQuiet()));
    verdict.resolve(judged('refused'));
    await run.done;
    for (let i = 0; i < 10; i += 1) await Promise.resolve();
    expect(told.at(-1)).toBe(true);
  });

  it('is quiet when no line is at work: lines that hand facts to the ledger count no more', async () => {
    const quiet: boolean[] = [];
    const gate = Promise.withResolvers<void>();
    const run = beginAlone('a', {
      observe: () => Promise.resolve(judged('send')),
      send: () => gate.promise,
      record: () => Promise.resolve(),
    });
    for (let i = 0; i < 10; i += 1) await Promise.resolve();
    quiet.push(run.barrier.isQuiet());
    run.barrier.hold('a', { isLast: false });
    quiet.push(run.barrier.isQuiet(), run.crew.isEnding);
    // An event that a line in this state does not know does not put it to work again.
    run.interrupt();
    await Promise.resolve();
    await Promise.resolve();
    quiet.push(run.barrier.isQuiet());
    run.barrier.resume('a');
    quiet.push(run.barrier.isQuiet());
    run.barrier.hold('a', { isLast: true });
    quiet.push(run.crew.isEnding);
    gate.resolve();
    await run.done;
    expect(quiet).toEqual([false, true, false, true, false, true]);
  });

  it('is quiet when the only line that polls waits for the ledger itself, to write', async () => {
    const quiet: boolean[] = [];
    const ready = Promise.withResolvers<ReadyOutcome>();
    const run = beginAlone('a', {
      observe: () => Promise.resolve(judged('pending')),
      awaitReady: () => ready.promise,
      record: () => Promise.resolve(),
    });
    for (let i = 0; i < 10; i += 1) await Promise.resolve();
    quiet.push(run.barrier.isQuiet());
    run.barrier.hold('a', { isLast: false });
    quiet.push(run.barrier.isQuiet(), run.crew.isEnding);
    run.barrier.resume('a');
    quiet.push(run.barrier.isQuiet());
    ready.resolve({ outcome: 'ready' });
    await run.done;
    expect(quiet).toEqual([false, true, false, false]);
  });
});
