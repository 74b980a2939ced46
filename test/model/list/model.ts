import type { Model, Step } from '../check.ts';
import {
  encode,
  entryOf,
  holdsLock,
  isActive,
  type ListWorld,
  type Lock,
  type Name,
  names,
  offRun,
  over,
  persons,
  type Run,
  type State,
} from './state.ts';

export const listClaims = {
  kept: 'The entry of a line that settled is in the list, whatever lands later.',
  person: "A person's entry is never lost.",
  writers: 'No two runs may write the list at once.',
} as const;

/**
 * The protocol for one list that two scopes write: lock, read, write whole, verify, release. Each scope runs once, may die
 * between any two of its steps, be slow or suspended, lose answers, and send a write again; a write takes effect at any time
 * within its deadline, also when its sender is dead. The provider may once say "done" and store nothing.
 *
 * Left out: the lease of each scope (another one; it keeps two runs of one scope apart, and these are of two), and a person who
 * saves the whole list between a run's read and its write. No lock of ours keeps that person out: the window stays, and a
 * conditional write closes it where a provider has one.
 */
export function listModel(world: ListWorld): Model<State> {
  return {
    initial: [{ list: persons, lock: null, runs: [offRun, offRun], late: [], dropped: false }],
    encode,
    steps: (state) => [...timeSteps(world, state), ...lateSteps(state), ...runSteps(world, state, 0), ...runSteps(world, state, 1)],
    broken: (state) => brokenBy(world, state),
    isEnd: ({ runs, late }) => !runs.some(isActive) && runs.every(({ at }) => at !== 'off') && late.length === 0,
  };
}

function brokenBy(world: ListWorld, { list, runs }: State): string | null {
  if ((list & persons) === 0) return listClaims.person;
  for (const name of [0, 1] as const) if (runs[name].at === 'settled' && (list & entryOf(name)) === 0) return listClaims.kept;
  const isAble = (run: Run): boolean => run.at === 'writing' && maySend(world, run);
  return world.rules.lock && isAble(runs[0]) && isAble(runs[1]) ? listClaims.writers : null;
}

const withRun = (state: State, name: Name, run: Run): State => ({
  ...state,
  runs: [name === 0 ? run : state.runs[0], name === 1 ? run : state.runs[1]],
});

const say = (state: State, name: Name, text: string, next: Run): Step<State> => ({
  say: `${names[name]} ${text}.`,
  next: withRun(state, name, next),
});

function runSteps(world: ListWorld, state: State, name: Name): readonly Step<State>[] {
  const run = state.runs[name];
  if (run.at === 'off') return [say(state, name, 'begins', { ...offRun, at: 'looking' })];
  if (!isActive(run)) return [];
  const dies: Step<State> = { say: `${names[name]} dies.`, next: withRun(withLate(world, state, run), name, over('failed')) };
  return [dies, ...ownSteps(world, state, name, run)];
}

function ownSteps(world: ListWorld, state: State, name: Name, run: Run): readonly Step<State>[] {
  switch (run.at) {
    case 'looking':
      return [
        say(state, name, 'reads the list and finds no entry of its own', { ...run, at: 'locking', body: state.list | entryOf(name) }),
      ];
    case 'locking':
      return lockingSteps(world, state, name, run);
    case 'waiting':
      return waitingSteps(world, state, name, run);
    case 'reading':
      return readingSteps(world, state, name, run);
    case 'writing':
      return writingSteps(world, state, name, run);
    case 'sent':
      return sentSteps(world, state, name, run);
    case 'verifying':
      return verifyingSteps(world, state, name, run);
    default:
      return unlockingSteps(world, state, name, run);
  }
}

function lockingSteps(world: ListWorld, state: State, name: Name, run: Run): readonly Step<State>[] {
  if (!world.rules.lock) return [say(state, name, 'goes on without a lock', { ...run, at: 'reading' })];
  const { lock } = state;
  const known = { ...run, known: lock, isFresh: true, seen: 0 };
  if (lock?.held && lock.run !== name) return [say(state, name, "reads the lock, which is another's", { ...known, at: 'waiting' })];
  return [take(state, name, known, lock?.quietFor ?? 0, world, 'takes the lock')];
}

/** By a fast-forward commit: whoever wrote since the read wins. */
function take(state: State, name: Name, run: Run, quiet: number, world: ListWorld, text: string): Step<State> {
  if (!run.isFresh) return say(state, name, 'is refused the lock, because its head moved', { ...run, at: 'locking' });
  const length = world.lease + quiet;
  return commit(say(state, name, text, { ...run, at: 'reading', held: 0, length, quiet, seen: 0 }), name, {
    run: name,
    held: true,
    quietFor: 0,
    length,
  });
}

function commit(step: Step<State>, name: Name, lock: Lock): Step<State> {
  const other: Name = name === 0 ? 1 : 0;
  return { say: step.say, next: withRun({ ...step.next, lock }, other, { ...step.next.runs[other], isFresh: false }) };
}

function waitingSteps(world: ListWorld, state: State, name: Name, run: Run): readonly Step<State>[] {
  if (!run.isFresh) return [say(state, name, 'sees that the lock moved', { ...run, at: 'locking', seen: 0 })];
  if (run.seen < (run.known?.length ?? 0) - world.skew) return [];
  const quiet = world.rules.lockQuietAfterTakeover ? world.deadline : 0;
  return [take(state, name, run, quiet, world, 'takes over the lock, which stood unchanged for its own length')];
}

function readingSteps(world: ListWorld, state: State, name: Name, run: Run): readonly Step<State>[] {
  if (run.quiet > 0) return [];
  const body = world.rules.readUnderLock || run.writes > 0 ? state.list | entryOf(name) : run.body;
  if (state.list === body) return [say(state, name, 'reads the list, which holds its entry', { ...run, at: 'unlocking' })];
  return [say(state, name, 'reads the list', { ...run, at: 'writing', body, sends: 0 })];
}

const isLeft = (world: ListWorld, run: Run): boolean => run.held + (world.rules.lockMargin ? world.deadline : 0) <= run.length;

function maySend(world: ListWorld, run: Run): boolean {
  if (!world.rules.lock) return true;
  return isLeft(world, run) || (!world.rules.lockCheckedAtEachSend && run.sends > 0);
}

function writingSteps(world: ListWorld, state: State, name: Name, run: Run): readonly Step<State>[] {
  if (!maySend(world, run)) return [say(state, name, 'sees that too little of its lock is left', over('failed'))];
  const text = run.sends === 0 ? 'sends the list with its entry' : 'sends the same list again';
  return [say(state, name, text, { ...run, at: 'sent', age: 0, outcome: 'none', sends: run.sends + 1 })];
}

function sentSteps(world: ListWorld, state: State, name: Name, run: Run): readonly Step<State>[] {
  const steps: Step<State>[] = [];
  const idle = { age: 0, outcome: 'none' as const };
  if (run.outcome === 'none' && run.age < world.deadline) {
    const landed = { ...state, list: run.body };
    steps.push({ say: `${names[name]}'s list lands.`, next: withRun(landed, name, { ...run, outcome: 'landed' }) });
    const dropped = { ...state, dropped: true };
    if (!state.dropped) {
      const next = withRun(dropped, name, { ...run, outcome: 'dropped' });
      steps.push({ say: `The provider says "done" to ${names[name]} and stores nothing.`, next });
    }
  }
  if (run.outcome !== 'none') {
    const at = world.rules.verify ? 'verifying' : 'unlocking';
    steps.push(say(state, name, 'hears that its list was stored', { ...run, ...idle, at, writes: run.writes + 1 }));
  }
  const unanswered = run.outcome === 'none' ? Math.max(run.unanswered, world.deadline - run.age, 0) : run.unanswered;
  const isOver = run.sends >= world.sends;
  const lost: Run = { ...run, ...idle, unanswered, at: isOver ? 'unlocking' : 'writing', ...(isOver && { body: 0 }) };
  steps.push(say(withLate(world, state, run), name, isOver ? 'gives its write up' : "loses its write's answer", lost));
  return steps;
}

function withLate(world: ListWorld, state: State, run: Run): State {
  const isUnderWay = run.at === 'sent' && run.outcome === 'none' && run.age < world.deadline;
  return isUnderWay ? { ...state, late: [...state.late, { age: run.age, body: run.body }] } : state;
}

function verifyingSteps(world: ListWorld, state: State, name: Name, run: Run): readonly Step<State>[] {
  if ((state.list & entryOf(name)) !== 0) return [say(state, name, 'reads its entry', { ...run, at: 'unlocking' })];
  if (run.writes < world.writes) return [say(state, name, 'misses its entry', { ...run, at: 'reading' })];
  return [say(state, name, 'misses its entry and gives up', { ...run, at: 'unlocking', body: 0 })];
}

/** A body of zero means that the line failed. */
function unlockingSteps(world: ListWorld, state: State, name: Name, run: Run): readonly Step<State>[] {
  const end = over(run.body === 0 ? 'failed' : 'settled');
  if (!world.rules.lock) return [say(state, name, 'ends', end)];
  if (!run.isFresh) return [say(state, name, 'ends; its lock was taken over', end)];
  const quietFor = world.rules.lockQuietInRelease ? run.unanswered : 0;
  return [
    commit(say(state, name, `releases the lock (quiet for ${quietFor}) and ends`, end), name, {
      run: name,
      held: false,
      quietFor,
      length: run.length,
    }),
  ];
}

function lateSteps(state: State): readonly Step<State>[] {
  return state.late.map((one, i) => ({
    say: 'A late list lands.',
    next: { ...state, list: one.body, late: state.late.filter((_, j) => j !== i) },
  }));
}

function timeSteps(world: ListWorld, state: State): readonly Step<State>[] {
  const late = state.late.flatMap((one) => (one.age + 1 < world.deadline ? [{ ...one, age: one.age + 1 }] : []));
  const [a, b] = state.runs;
  return [{ say: 'Time passes.', next: { ...state, late, runs: [older(world, a), older(world, b)] } }];
}

function older(world: ListWorld, run: Run): Run {
  if (!isActive(run)) return run;
  return {
    ...run,
    held: holdsLock(run) ? Math.min(run.held + 1, run.length + 1) : 0,
    seen: run.at === 'waiting' ? Math.min(run.seen + 1, run.known?.length ?? 0) : 0,
    quiet: Math.max(0, run.quiet - 1),
    unanswered: Math.max(0, run.unanswered - 1),
    age: run.at === 'sent' ? Math.min(run.age + 1, world.deadline) : 0,
  };
}
