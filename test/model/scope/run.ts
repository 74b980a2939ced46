import type { Step } from '../check.ts';
import { isHeldByAnother, push, read } from './push.ts';
import type { World } from './rules.ts';
import { isActive, type Late, type Ledger, last, type Name, names, offRun, overRun, type Run, type State, withRun } from './state.ts';

/** A run begins with one read. The last one comes when the others have ended. */
export function startSteps(world: World, state: State, name: Name): Step<State>[] {
  if (name === last && state.runs.some(isActive)) return [];
  if (name !== last && state.runs[last].at !== 'off') return [];
  return (['apply', 'destroy'] as const).map((purpose) => {
    const run = read(state, { ...offRun, purpose }, name);
    const at = isHeldByAnother(world, run.known, name) ? 'waiting' : 'looking';
    return { say: `${names[name]} begins (${purpose}) and reads the ledger.`, next: withRun(state, name, { ...run, at }) };
  });
}

/** Waits until the lease is released or moved, or has stood unchanged for its own length. */
export function waitingSteps(world: World, state: State, name: Name): Step<State>[] {
  const run = state.runs[name];
  const say = (text: string, next: Run): Step<State> => ({ say: `${names[name]} ${text}.`, next: withRun(state, name, next) });
  const after: Run['at'] = run.fact === 'none' ? 'looking' : 'ending';
  if (!run.isFresh) {
    const now = read(state, run, name);
    const isVoid =
      world.rules.noReplayOverFacts && (run.known.record?.run !== now.known.record?.run || run.known.intent !== now.known.intent);
    const kept: Run = isVoid && run.fact !== 'none' ? { ...now, fact: 'none', object: null } : now;
    if (isHeldByAnother(world, now.known, name)) return [say('reads again', kept)];
    return [say('reads again', { ...kept, at: kept.fact === 'none' ? 'looking' : after })];
  }
  const steps: Step<State>[] = [];
  if (run.seen >= world.lease - world.skew) {
    const quiet = world.rules.quietAfterTakeover ? world.deadline : 0;
    steps.push(
      push(world, state, name, {
        says: 'takes over the lease, which stood unchanged for its own length',
        holds: true,
        change: (ledger) => ledger,
        after: (now) => ({ ...now, at: after, seen: 0, quiet: Math.max(now.quiet, quiet) }),
      }),
    );
  } else if (!world.rules.takerCountsSlowly && name !== last) {
    steps.push(say("sees its wall clock set forward, past the lease's end", { ...run, seen: world.lease - world.skew }));
  }
  return steps;
}

/** Whether a write may be sent now. */
export function maySend(world: World, run: Run): boolean {
  if (run.quiet > 0 || run.isUnheard) return false;
  return !world.rules.lease || (run.held !== null && isLeft(world, run.held));
}

const isLeft = (world: World, held: number): boolean => held + (world.rules.margin ? world.deadline : 0) <= world.lease;

/** A write is due and too little of the lease is left: the run ends and its intent stays. */
export function leaseLostSteps(world: World, state: State, name: Name): Step<State>[] {
  const run = state.runs[name];
  if (!world.rules.lease || run.isUnheard || run.held === null || isLeft(world, run.held)) return [];
  const next = withRun(state, name, overRun('failed', run.purpose));
  return [{ say: `${names[name]} sees that too little of its lease is left, and ends.`, next }];
}

/** The last push: what is still to be said, the receipt, and the release. */
export function endingSteps(world: World, state: State, name: Name): Step<State>[] {
  const run = state.runs[name];
  const releases = run.held !== null;
  const quietFor = Math.max(world.rules.quietForInRelease ? run.unanswered : 0, world.rules.quietPassedOn ? run.quiet : 0);
  const said = { none: '', record: ' its record and', withdraw: ' that its intent is void and', forget: ' that it is forgotten and' }[
    run.fact
  ];
  const step = push(world, state, name, {
    says: `stores${said} its receipt${releases ? ` and releases the lease (quiet for ${quietFor})` : ''}`,
    holds: false,
    change: (ledger) => ({
      ...withFact(ledger, run, name),
      lease: releases ? { run: name, held: false, quietFor } : ledger.lease,
    }),
    after: () => overRun(run.end === 'none' ? 'settled' : run.end, run.purpose),
  });
  return [run.isFresh && run.fact === 'record' ? { ...step, next: claimed(step.next, run.object) } : step];
}

/** What a record names is ours from now on. */
const claimed = (state: State, id: number | null): State => ({
  ...state,
  things: state.things.map((one) => (one.id === id ? { ...one, by: 'us' } : one)),
});

function withFact(ledger: Ledger, run: Run, name: Name): Ledger {
  switch (run.fact) {
    case 'none':
      return ledger;
    case 'record':
      return { ...ledger, record: { object: run.object ?? 0, run: name }, intent: null };
    case 'withdraw':
      return { ...ledger, intent: null };
    case 'forget':
      return { ...ledger, record: null, intent: null };
  }
}

/** A holder renews its lease, whatever it is doing. What it has to say rides along. */
export function renewSteps(world: World, state: State, name: Name): Step<State>[] {
  const run = state.runs[name];
  if (!world.rules.lease || run.held === null || run.isUnheard || run.held * 3 < world.lease) return [];
  const step = push(world, state, name, {
    says: `renews its lease${run.fact === 'none' ? '' : ', and its facts ride along'}`,
    holds: true,
    change: (ledger) => withFact(ledger, run, name),
    after: (now) => ({ ...now, fact: 'none' }),
  });
  return [run.isFresh && run.fact === 'record' ? { ...step, next: claimed(step.next, run.object) } : step];
}

/** The answer of a push came (only where the lease is counted from it). */
export function hearingSteps(state: State, name: Name): Step<State>[] {
  const run = state.runs[name];
  if (!run.isUnheard) return [];
  const next = withRun(state, name, { ...run, isUnheard: false, held: 0 });
  return [{ say: `${names[name]} hears that its push landed, and counts its lease from now.`, next }];
}

/** The process ends at once; what it sent goes on its way. */
export function crashSteps(world: World, state: State, name: Name): Step<State>[] {
  const run = state.runs[name];
  if (name === last || !isActive(run)) return [];
  const left = { ...state, late: withLate(world, state.late, run) };
  return [{ say: `${names[name]} dies.`, next: withRun(left, name, overRun('failed', run.purpose)) }];
}

/** A request that is on its way and that nobody waits for any more. */
export function withLate(world: World, late: readonly Late[], run: Run): readonly Late[] {
  const isUnderWay = (run.at === 'sent' || run.at === 'deleting') && run.outcome === 'none' && run.age < world.deadline;
  if (!isUnderWay) return late;
  const does = run.at === 'sent' ? 'create' : 'delete';
  return [...late, { does, age: run.age, object: does === 'delete' ? run.object : null }];
}

/** The first signal: nothing new is sent, and the run ends with one more push. */
export function signalSteps(world: World, state: State, name: Name): Step<State>[] {
  const run = state.runs[name];
  if (name === last || !isActive(run) || run.isStopping || run.at === 'ending') return [];
  const say = `${names[name]} is told to stop.`;
  const to = (change: Partial<Run>): Step<State>[] => [{ say, next: withRun(state, name, { ...run, isStopping: true, ...change }) }];
  switch (run.at) {
    case 'sent':
    case 'deleting':
      return to({});
    case 'waiting':
      return to({ ...overRun('failed', run.purpose) });
    case 'creating':
      // Announced and never sent: it must not make a later run claim anything.
      return to({ at: 'ending', end: 'failed', ...(!run.mayStand && { fact: 'withdraw' as const }) });
    default:
      return to({ at: 'ending', end: 'failed', ...(!world.rules.onlyVoidIntentsEnd && isAnothers(run, name) && { fact: 'withdraw' }) });
  }
}

const isAnothers = ({ known }: Run, name: Name): boolean => known.intent !== null && known.intent !== name;
