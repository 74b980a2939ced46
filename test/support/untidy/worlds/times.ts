import type { Bench } from '../../suite/bench.ts';
import type { World } from '../world.ts';

/** Milliseconds that a write takes to be seen, or done. */
const lag = 2_500;

/** What is seen or done some time after a write. */
export const times: readonly World[] = [
  {
    kind: 'late-read',
    name: 'every read',
    meet: (_, kind) =>
      kind === 'action'
        ? 'nothing of it is read'
        : { wire: null, arm: (bench) => staleAfterWrites(bench), mayMiss: true, never: 'it reads nothing just after a write' },
  },
  {
    kind: 'late-effect',
    name: 'a delete',
    meet: ({ stays }, kind) => {
      if (kind !== undefined) return 'it deletes nothing';
      if (stays) return 'destroy sends no delete';
      return { wire: null, arm: (bench) => late(bench, 'destroying'), never: 'no delete was sent' };
    },
  },
  {
    kind: 'late-effect',
    name: 'an update',
    meet: ({ edits }, kind) => {
      if (kind !== undefined) return 'it is no object that could be changed';
      if (Object.keys(edits ?? {}).length === 0) return 'nothing of it is changed in place';
      return { wire: null, arm: (bench) => late(bench, 'mending'), never: 'no update was sent' };
    },
  },
];

/** For a while after each write, reads show what stood before it. */
function staleAfterWrites(bench: Bench): () => number {
  let wroteAt = Number.NEGATIVE_INFINITY;
  bench.simulation.watch(({ phase, write }) => {
    if (phase === 'after' && write) wroteAt = bench.now();
  });
  const armed = bench.simulation.faults.staleRead(() => bench.now() - wroteAt < lag, 1, Number.POSITIVE_INFINITY);
  return () => armed.hits;
}

/** The writes of one part of the story are answered at once and done later. */
function late(bench: Bench, step: string): () => number {
  const armed = bench.simulation.faults.late(() => bench.step() === step, lag, Number.POSITIVE_INFINITY);
  return () => armed.hits;
}
