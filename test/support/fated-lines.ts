import { systemClock } from '../../src/core/clock.ts';
import { Barrier } from '../../src/engine/barrier.ts';
import { Lines, type LinesOptions } from '../../src/engine/schedule/lines.ts';
import type { Node } from '../../src/machines/coordinator/schedule.ts';
import type { VerdictName } from '../../src/machines/line/decide.ts';
import { withSteps } from '../../src/machines/line/line.machine.ts';
import type { CreateOutcome, Judgement, ReadyOutcome } from '../../src/machines/line/steps.ts';
import { unwiredSteps } from './unwired-steps.ts';

export type Fate = 'settles' | 'is refused' | 'fails to create' | 'fails to record' | 'pauses';

export const judged = (verdict: VerdictName): Judgement => ({ verdict, drift: 'none', why: '', needsUpdate: false, needsRecord: false });
class Stop extends Error {
  override name = 'Interrupted';
}

/** Begins lines under a barrier of their own, whose clock stands still: they stay young. */
export function begin(o: Omit<LinesOptions, 'barrier' | 'position' | 'outdate' | 'lookEarly'>): Lines & { readonly barrier: Barrier } {
  const barrier = new Barrier({ ...systemClock, mono: () => 0 });
  const lines = new Lines({ ...o, barrier, position: () => null, outdate: () => undefined, lookEarly: () => undefined });
  lines.start();
  return Object.assign(lines, { barrier });
}

/** Lines whose steps take some turns each and end as their fate says. */
export function startLines(
  nodes: readonly Node[],
  o: { fates?: ReadonlyMap<string, Fate>; turns?: (line: string) => number; restored?: ReadonlyMap<string, VerdictName> } = {},
) {
  const fateOf = (line: string): Fate => o.fates?.get(line) ?? 'settles';
  const observed: string[] = [];
  const began = new Map<string, number>();
  const ended = new Map<string, number>();
  const states = new Map<string, string>();
  const skips: [string, string][] = [];
  const stopping = { now: false };
  let time = 0;
  const step =
    <T>(act: (line: string) => T) =>
    async (line: string): Promise<T> => {
      for (let i = o.turns?.(line) ?? 1; i > 0; i -= 1) await Promise.resolve();
      return act(line);
    };
  const run = begin({
    nodes,
    purpose: 'apply',
    restored: o.restored ?? new Map(),
    machine: withSteps({
      ...unwiredSteps,
      observe: step((line) => {
        observed.push(line);
        if (fateOf(line) === 'is refused') return judged('refused');
        return judged(fateOf(line) === 'pauses' ? 'pending' : 'create');
      }),
      recordIntent: step<void>(() => {
        if (stopping.now) throw new Stop();
      }),
      create: step<CreateOutcome>((line) => {
        if (fateOf(line) === 'fails to create') throw new Error('no');
        return { outcome: 'made' };
      }),
      verify: step<void>(() => undefined),
      awaitReady: step<ReadyOutcome>((line) => ({ outcome: fateOf(line) === 'pauses' ? 'waiting' : 'ready' })),
      record: step<void>((line) => {
        if (fateOf(line) === 'fails to record') throw new Error('no');
      }),
    }),
    onTransition: (line, from, to, _event, because) => {
      if (because !== undefined) skips.push([line, because]);
      time += 1;
      if (from === 'waiting' && to === 'observing') began.set(line, time);
      if (to === 'recording') ended.set(line, time);
      states.set(line, to);
    },
  });
  const stop = (): void => {
    stopping.now = true;
    run.interrupt();
  };
  return { run, observed, began, ended, states, skips, stop };
}
