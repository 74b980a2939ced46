import type { Step } from '../check.ts';
import { contradiction, foreignClaim, mayBeClaimed, mayBelieve } from './apply.ts';
import { push } from './push.ts';
import type { World } from './rules.ts';
import { leaseLostSteps, maySend, withLate } from './run.ts';
import { last, type Name, names, type Run, type State, withRun } from './state.ts';

/** A destroy: what the ledger names is removed, and what an intent finds. */
export function destroySteps(world: World, state: State, name: Name): Step<State>[] {
  switch (state.runs[name].at) {
    case 'looking':
      return lookingSteps(world, state, name);
    case 'leasing':
      return leasingSteps(world, state, name);
    case 'removing':
      return removingSteps(world, state, name);
    case 'deleting':
      return deletingSteps(world, state, name);
    default:
      return [];
  }
}

const say = (state: State, name: Name, text: string, next: Run): Step<State> => ({
  say: `${names[name]} ${text}.`,
  next: withRun(state, name, next),
});

function lookingSteps(world: World, state: State, name: Name): Step<State>[] {
  const run = state.runs[name];
  const { record, intent } = run.known;
  const ending = (text: string, change: Partial<Run>): Step<State>[] => [say(state, name, text, { ...run, at: 'ending', ...change })];
  if (record === null && intent === null) return ending('has nothing to remove', {});
  if (intent === null) return [toRemove(world, state, name, record?.object ?? null, 'is to remove what is recorded')];
  if (!mayBelieve(world, run)) return [];
  const others = state.things.filter((one) => one.id !== record?.object);
  const found = others.filter((one) => contradiction(world, state, one) === 'none');
  const [thing] = found;
  const isUnclear = others.some((one) => contradiction(world, state, one) === 'unclear');
  if (isUnclear && world.rules.unclearStays)
    return ending('finds what another scope announced as well, and is refused', { end: 'refused' });
  if (found.length > 1 && world.rules.severalAreRefused) return ending('finds several and is refused', { end: 'refused' });
  if (!thing && record !== null) return [toRemove(world, state, name, record.object, 'finds nothing beside what is recorded')];
  if (!thing) return ending(others.length === 0 ? 'finds nothing' : 'finds only what others made', { fact: 'forget' });
  const step = toRemove(world, state, name, thing.id, 'finds what the intent announced');
  return [mayBeClaimed(thing, intent) ? step : { ...step, next: { ...step.next, broken: foreignClaim } }];
}

function toRemove(world: World, state: State, name: Name, object: number | null, text: string): Step<State> {
  const run = state.runs[name];
  const at = run.held === null && world.rules.lease ? 'leasing' : 'removing';
  return say(state, name, text, { ...run, at, object, sends: 0 });
}

function leasingSteps(world: World, state: State, name: Name): Step<State>[] {
  return [
    push(world, state, name, {
      says: 'takes the lease',
      holds: true,
      change: (ledger) => ledger,
      after: (now) => ({ ...now, at: 'removing' }),
    }),
  ];
}

function removingSteps(world: World, state: State, name: Name): Step<State>[] {
  const run = state.runs[name];
  if (!maySend(world, run)) return leaseLostSteps(world, state, name);
  const text = run.sends === 0 ? 'sends its delete' : 'sends its delete again';
  return [say(state, name, text, { ...run, at: 'deleting', age: 0, outcome: 'none', sends: run.sends + 1 })];
}

function deletingSteps(world: World, state: State, name: Name): Step<State>[] {
  const run = state.runs[name];
  const idle = { age: 0, outcome: 'none' as const };
  const steps: Step<State>[] = [];
  if (run.outcome === 'landed') {
    const { record } = run.known;
    // An interrupted create beside the recorded object: both go, one after the other.
    const next = record !== null && record.object !== run.object ? record.object : null;
    const after: Partial<Run> = next === null ? { at: 'ending', fact: 'forget', object: null } : { at: 'removing', object: next, sends: 0 };
    steps.push(say(state, name, 'hears that it is gone', { ...run, ...idle, ...after }));
  }
  if (name === last) return steps;
  const unanswered = run.outcome === 'none' ? Math.max(run.unanswered, world.deadline - run.age, 0) : run.unanswered;
  const left = { ...state, late: withLate(world, state.late, run) };
  const isOver = run.isStopping || run.sends >= world.sends;
  const after: Partial<Run> = isOver ? { at: 'ending', end: 'failed' } : { at: 'removing' };
  const text = isOver ? 'gives its delete up' : "loses its delete's answer";
  steps.push(say(left, name, text, { ...run, ...idle, unanswered, ...after }));
  return steps;
}
