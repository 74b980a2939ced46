import { setTimeout as pause } from 'node:timers/promises';
import type { Child } from '../../e2e/child.ts';
import type { Passage, WireEnds } from '../../e2e/wire.ts';
import type { Random } from './random.ts';
import { terms } from './terms.ts';

export type SignalName = 'SIGKILL' | 'SIGTERM' | 'SIGINT' | 'SIGSTOP';

/** What happens to one process, and when. */
export interface Fate {
  readonly signal: SignalName;
  readonly when:
    | { readonly kind: 'time'; readonly ms: number }
    | {
        readonly kind: 'effect';
        /** The n-th request of the process. */
        readonly n: number;
        /** `before`: it has left and has no effect yet. `after`: it had its effect, and the answer was not heard. */
        readonly phase: 'before' | 'after';
        /** For a request that a dead process leaves behind. */
        readonly lands: 'never' | 'at once' | 'late';
      };
  /** How long a stopped process sleeps; how soon a second signal follows. */
  readonly ms: number;
  readonly isTwice: boolean;
}

/** What runs took so far: moments are drawn from it. */
export interface Habit {
  readonly ms: number;
  readonly requests: number;
}

export function randomFate(random: Random, habit: Habit): Fate {
  const signal = random.pick(['SIGKILL', 'SIGKILL', 'SIGKILL', 'SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGINT', 'SIGSTOP', 'SIGSTOP'] as const);
  const isLong = random.isTrue(0.6);
  return {
    signal,
    when: random.isTrue(0.35)
      ? { kind: 'time', ms: random.int(0, Math.round(habit.ms)) }
      : {
          kind: 'effect',
          n: random.int(1, Math.max(2, Math.round(habit.requests))),
          phase: random.pick(['before', 'after'] as const),
          lands: random.pick(['never', 'at once', 'late'] as const),
        },
    // Past the lease, so that another one takes over; or only so long that nobody notices.
    ms: signal === 'SIGSTOP' ? (isLong ? terms.leaseMs + terms.deadlineMs + random.int(0, 1500) : random.int(20, 400)) : random.int(0, 400),
    isTwice: random.isTrue(0.15),
  };
}

/** Delivers the fate to the process that `child` names; `onSignal` is told when a signal met a living one. */
export function deliver(
  fate: Fate,
  child: () => Promise<Child>,
  onSignal: (fate: Fate) => void,
): WireEnds & { readonly begin: () => void } {
  const { when } = fate;
  let isDone = false;
  const strike = async (): Promise<void> => {
    if (isDone) return;
    isDone = true;
    const { process, ended } = await child();
    if (process.exitCode !== null || process.signalCode !== null || !process.kill(fate.signal)) return;
    onSignal(fate);
    if (fate.signal === 'SIGKILL') await ended;
    else if (fate.signal === 'SIGSTOP') void pause(fate.ms).then(() => process.kill('SIGCONT'));
    else if (fate.isTwice) void pause(fate.ms).then(() => process.kill(fate.signal));
  };
  const isHere = ({ number }: Passage, phase: 'before' | 'after'): boolean =>
    !isDone && when.kind === 'effect' && when.phase === phase && number >= when.n;

  return {
    begin: () => {
      if (when.kind === 'time') void pause(when.ms).then(strike);
    },
    before: async (passage) => {
      if (!isHere(passage, 'before') || when.kind !== 'effect') return;
      await strike();
      if (fate.signal !== 'SIGKILL') return;
      if (when.lands === 'never') throw new Error('it never lands');
      // A request lands within its deadline or never: that much a network must promise, and every deadline relies on it.
      const latest = terms.deadlineMs * 0.7;
      if (when.lands === 'late') await pause(Math.max(0, latest - (performance.now() - passage.at)));
      if (performance.now() - passage.at > terms.deadlineMs * 0.9) throw new Error('too late to land');
    },
    after: async (passage) => {
      if (isHere(passage, 'after')) await strike();
    },
  };
}
