import type { Step } from '../check.ts';
import type { World } from './rules.ts';
import { idsOf, isActive, type Late, last, type Name, names, type Other, type Run, type State, type Thing, withRun } from './state.ts';

const nextId = (state: State): number => (idsOf(state).at(-1) ?? -1) + 1;

/** A new object at the provider. It appears after every look that was made so far. */
function withThing(state: State, by: Thing['by'], isOld = false): { readonly state: State; readonly id: number } {
  const id = nextId(state);
  return { id, state: { ...state, things: [...state.things, { id, by, isOld, after: 15 }] } };
}

export const withoutThing = (state: State, id: number | null): State => ({ ...state, things: state.things.filter((one) => one.id !== id) });

/** The provider takes a create: refused as a duplicate, or a new object. */
function takeCreate(world: World, state: State): { readonly state: State; readonly id: number | null } {
  if (world.isUnique && state.things.length > 0) return { state, id: null };
  return withThing(state, 'us');
}

/** What may happen to the request that a run waits for. The last run's requests are answered and do what they ask. */
export function providerSteps(world: World, state: State, name: Name): Step<State>[] {
  const run = state.runs[name];
  const isInTime = run.outcome === 'none' && run.age < world.deadline;
  if (!isInTime || (run.at !== 'sent' && run.at !== 'deleting')) return [];
  if (run.at === 'deleting') {
    const next = withRun(withoutThing(state, run.object), name, { ...run, outcome: 'landed' });
    return [{ say: `${names[name]}'s delete lands.`, next }];
  }
  const taken = takeCreate(world, state);
  const outcome = taken.id === null ? 'conflict' : 'landed';
  const landed = withRun(taken.state, name, { ...run, outcome, object: taken.id });
  const steps = [{ say: `${names[name]}'s create ${taken.id === null ? 'is answered "it exists already"' : 'lands'}.`, next: landed }];
  if (name !== last) {
    const next = withRun(state, name, { ...run, outcome: 'refused' });
    steps.push({ say: `The provider refuses ${names[name]}'s create.`, next });
  }
  return steps;
}

/** Requests whose senders are gone or gave up. */
export function lateSteps(world: World, state: State): Step<State>[] {
  return state.late.map((one, i) => {
    const rest = { ...state, late: state.late.filter((_, j) => j !== i) };
    if (one.does === 'delete') return { say: 'The late delete lands.', next: withoutThing(rest, one.object) };
    const taken = takeCreate(world, rest);
    return { say: taken.id === null ? 'The late create is refused as a duplicate.' : 'The late create lands.', next: taken.state };
  });
}

/** One unit of time. A request that did not land within its deadline never does. */
export function timeSteps(world: World, state: State): Step<State>[] {
  const passed = tick(world, state, null);
  const steps: Step<State>[] = [{ say: 'Time passes.', next: passed }];
  for (const name of [0, 1] as const) {
    if (!world.rules.bothClocks && state.runs[name].held !== null)
      steps.push({ say: `Time passes while ${names[name]}'s machine sleeps.`, next: tick(world, state, name) });
  }
  return steps;
}

function tick(world: World, state: State, asleep: Name | null): State {
  const [a, b, c] = state.runs;
  const late = state.late.flatMap((one): readonly Late[] => (one.age + 1 < world.deadline ? [{ ...one, age: one.age + 1 }] : []));
  return { ...state, late, runs: [older(world, a, asleep === 0), older(world, b, asleep === 1), older(world, c, false)] };
}

/** Every count stops where a higher one would mean the same. */
function older(world: World, run: Run, isAsleep: boolean): Run {
  if (!isActive(run)) return run;
  const tooLate = world.rules.margin ? world.lease - world.deadline + 1 : world.lease + 1;
  const isUnderWay = run.at === 'sent' || run.at === 'deleting';
  return {
    ...run,
    held: run.held === null || isAsleep ? run.held : Math.min(run.held + 1, tooLate),
    seen: run.at === 'waiting' ? Math.min(run.seen + 1, world.lease - world.skew) : 0,
    quiet: Math.max(0, run.quiet - 1),
    unanswered: Math.max(0, run.unanswered - 1),
    age: isUnderWay ? Math.min(run.age + 1, world.deadline) : 0,
  };
}

/** What others do, until the last run begins. */
export function othersSteps(world: World, state: State): Step<State>[] {
  if (state.runs[last].at !== 'off') return [];
  const steps: Step<State>[] = [];
  const isFree = !world.isUnique || state.things.length === 0;
  if (world.person && !state.personActed && isFree) {
    const acted = { ...state, personActed: true };
    steps.push({ say: 'A person makes an object of the same name.', next: withThing(acted, 'person').state });
    steps.push({ say: 'A person gives the name to an older object.', next: withThing(acted, 'person', true).state });
  }
  if (world.other) steps.push(...otherScopeSteps(world, state));
  return steps;
}

function otherScopeSteps(world: World, state: State): Step<State>[] {
  const { other } = state;
  const to = (say: string, change: Partial<Other>, from = state): Step<State> => ({
    say: `The other scope ${say}.`,
    next: { ...from, other: { ...other, ...change } },
  });
  if (other.at === 'idle') return state.things.length === 0 ? [to('finds nothing and stores an intent', { at: 'announced' })] : [];
  if (other.at === 'made') return [to('records its object', { at: 'recorded' })];
  if (other.at !== 'announced') return [];
  if (!world.isUnique || state.things.length === 0) {
    const made = withThing(state, 'other');
    return [to('makes its object', { at: 'made', object: made.id }, made.state)];
  }
  // Its create is a duplicate: it asks as we do whether what stands there may be its own.
  const [thing] = state.things;
  const isNamed = state.ledger.intent !== null || state.ledger.record?.object === thing?.id || thing?.isOld === true;
  if (isNamed || !thing) return [to('is told that it exists already, and withdraws', { at: 'over' })];
  return [to('claims what it found', { at: 'recorded', object: thing.id })];
}
