import type { Model, Step } from '../check.ts';
import { applySteps } from './apply.ts';
import { destroySteps } from './destroy.ts';
import { encode } from './encode.ts';
import type { World } from './rules.ts';
import { crashSteps, endingSteps, hearingSteps, maySend, renewSteps, signalSteps, startSteps, waitingSteps } from './run.ts';
import { earlier, emptyLedger, isActive, last, type Name, offRun, type State } from './state.ts';
import { lateSteps, othersSteps, providerSteps, timeSteps } from './world.ts';

const nothing: State = {
  ledger: emptyLedger,
  runs: [offRun, offRun, offRun],
  things: [],
  late: [],
  personActed: false,
  other: { at: 'idle', object: null },
  broken: null,
};
const applied: State = {
  ...nothing,
  ledger: { ...emptyLedger, record: { object: 0, run: earlier } },
  things: [{ id: 0, by: 'us', isOld: false, after: 0 }],
};
/** An earlier run announced a create and died: it was made, or it was not. */
const announced: State = { ...nothing, ledger: { ...emptyLedger, intent: earlier } };
const madeOnly: State = { ...announced, things: applied.things };

/**
 * The protocol for one object of one scope, as a machine whose states can all be visited.
 *
 * Two runs of the scope, each an apply or a destroy, begin at any time. Each may die between any two of its steps, be told to
 * stop, be slow, lose the answer of a request or of a push, or be suspended (a run that takes no step while time passes). A
 * request takes effect at any time within its deadline, also when its sender is dead; then it is gone. A person, or another
 * scope, may make an object of the same name. When both runs have ended, in whatever way, one more comes that nothing disturbs.
 *
 * What is left out, and why nothing is lost by it:
 * - Time is whole numbers. All waits are "at least" and all permissions "at most", so a run in real time has a twin in whole
 *   numbers that does the same things in the same order.
 * - A push is sent and lands in one step: until it lands nobody sees it, and its compare-and-swap is one moment at the host.
 *   A push that lands after its sender died is the same as one that lands before it dies.
 * - A look is one moment: that of the provider's answer. Where lists lag, `settle:` moves that moment; the claim is the same.
 * - Updates are left out: they are writes under the lease as creates and deletes are, and make no object.
 * - Other lines of a run are left out: they share the lease, and a lease is the same for one line as for many.
 */
export function scopeModel(world: World): Model<State> {
  return {
    initial: [nothing, applied, announced, madeOnly],
    encode,
    steps: (state) => stepsOf(world, state),
    broken: (state) => brokenBy(world, state),
    isEnd: (state) => state.runs[last].at === 'done' && state.late.length === 0,
  };
}

function stepsOf(world: World, state: State): readonly Step<State>[] {
  const own = ([0, 1, 2] as const).map((name) => runSteps(world, state, name));
  // The last run is not disturbed by slowness either: time passes only while it waits for it.
  const isAtWork = isActive(state.runs[last]) && own[last]?.length !== 0;
  return [...(isAtWork ? [] : timeSteps(world, state)), ...lateSteps(world, state), ...othersSteps(world, state), ...own.flat()];
}

function runSteps(world: World, state: State, name: Name): readonly Step<State>[] {
  const run = state.runs[name];
  if (run.at === 'off') return startSteps(world, state, name);
  if (run.at === 'done') return [];
  const disturbances = [...crashSteps(world, state, name), ...signalSteps(world, state, name)];
  if (run.isUnheard) return [...hearingSteps(state, name), ...disturbances];
  const own = run.purpose === 'apply' ? applySteps : destroySteps;
  return [
    ...disturbances,
    ...renewSteps(world, state, name),
    ...providerSteps(world, state, name),
    ...(run.at === 'waiting' ? waitingSteps(world, state, name) : []),
    ...(run.at === 'ending' ? endingSteps(world, state, name) : own(world, state, name)),
  ];
}

export const claims = {
  two: 'No two objects that we made are alive.',
  named: 'Every object that we made is named by a record or by an intent.',
  writers: 'No two runs may send a write at once.',
  applied: 'After an undisturbed apply one object stands, it is recorded, and no intent is left.',
  destroyed: 'After an undisturbed destroy no object of ours, no record and no intent is left.',
  foreign: 'An undisturbed run is refused only because of an object that is not ours, or that another scope announced as well.',
} as const;

function brokenBy(world: World, state: State): string | null {
  if (state.broken !== null) return state.broken;
  const ours = state.things.filter(({ by }) => by === 'us');
  if (ours.length > 1) return claims.two;
  const { record, intent } = state.ledger;
  if (ours.some(({ id }) => record?.object !== id && intent === null)) return claims.named;
  if (world.rules.lease && state.runs.filter((run) => isActive(run) && run.held !== null && maySend(world, run)).length > 1)
    return claims.writers;
  return state.runs[last].at === 'done' && state.late.length === 0 ? brokenAtTheEnd(state, ours.length) : null;
}

function brokenAtTheEnd(state: State, ours: number): string | null {
  const run = state.runs[last];
  const { record, intent } = state.ledger;
  const isDisputed = state.things.length > ours || state.other.at === 'announced';
  if (run.end !== 'settled') return isDisputed ? null : claims.foreign;
  if (run.purpose === 'destroy') return ours === 0 && record === null && intent === null ? null : claims.destroyed;
  return ours === 1 && state.things.some(({ id }) => id === record?.object) && intent === null ? null : claims.applied;
}
