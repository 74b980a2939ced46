import type { Step } from '../check.ts';
import { push } from './push.ts';
import type { World } from './rules.ts';
import { leaseLostSteps, maySend, withLate } from './run.ts';
import { last, type Name, names, type Run, type State, type Thing, withRun } from './state.ts';

export const foreignClaim =
  'A foreign object is claimed only through an intent whose create may stand, if it appeared after the look that the intent rests on, was not made long before, and no other scope names it.';

/** An apply: look, announce, create, look again where that is unclear, record. */
export function applySteps(world: World, state: State, name: Name): Step<State>[] {
  switch (state.runs[name].at) {
    case 'looking':
      return lookingSteps(world, state, name);
    case 'announcing':
      return announcingSteps(world, state, name);
    case 'creating':
      return creatingSteps(world, state, name);
    case 'sent':
      return sentSteps(world, state, name);
    case 'relooking':
      return relookingSteps(world, state, name);
    case 'confessing':
      return confessingSteps(world, state, name);
    default:
      return [];
  }
}

const say = (state: State, name: Name, text: string, next: Run): Step<State> => ({
  say: `${names[name]} ${text}.`,
  next: withRun(state, name, next),
});

/** Before this a look proves nothing: what an earlier run sent may still land. */
export const mayBelieve = (world: World, run: Run): boolean =>
  run.quiet === 0 || (run.known.intent === null ? !world.rules.otherLooksWait : !world.rules.looksAreBelievedLate);

function lookingSteps(world: World, before: State, name: Name): Step<State>[] {
  const run = before.runs[name];
  if (!mayBelieve(world, run)) return [];
  const state = { ...before, things: before.things.map((one) => ({ ...one, after: one.after & ~(1 << name) })) };
  const { record, intent } = run.known;
  const isBeside = record !== null && intent !== null && state.things.length === 2;
  const found = isBeside ? state.things.filter(({ id }) => id !== record.object) : state.things;
  const [thing] = found;
  if (found.length > 1 && world.rules.severalAreRefused) return [say(state, name, 'finds several and is refused', ending(run, 'refused'))];
  if (!thing) return [say(state, name, 'finds nothing', { ...run, at: 'announcing' })];
  if (record?.object === thing.id) {
    const facts = intent === null ? {} : { fact: 'record' as const, object: thing.id };
    return [say(state, name, 'finds what is recorded', { ...ending(run, 'none'), ...facts })];
  }
  if (intent === null) {
    if (world.rules.foreignIsRefused)
      return [say(state, name, 'finds what nobody recorded or announced, and is refused', ending(run, 'refused'))];
    return [claim(state, name, thing, null, run)];
  }
  if (contradiction(world, state, thing) !== 'none') {
    return [say(state, name, "finds what is not the intent's, and is refused", ending(run, 'refused'))];
  }
  return [claim(state, name, thing, intent, run)];
}

const ending = (run: Run, end: Run['end']): Run => ({ ...run, at: 'ending', end });

/** Whether something says that what an intent finds is not what it announced. Two announcements of one object leave it unclear. */
export function contradiction(world: World, { other }: State, thing: Thing): 'none' | 'unclear' | 'theirs' {
  if (world.rules.age && thing.isOld) return 'theirs';
  if (!world.rules.contradiction) return 'none';
  if (other.at === 'recorded') return other.object === thing.id ? 'theirs' : 'none';
  return other.at === 'announced' || other.at === 'made' ? 'unclear' : 'none';
}

function claim(state: State, name: Name, thing: Thing, intent: number | null, run: Run): Step<State> {
  const step = say(state, name, 'finds it and claims it', { ...ending(run, 'none'), fact: 'record', object: thing.id });
  const isPossible = intent !== name || run.mayStand || run.wasAnnounced;
  return isPossible && mayBeClaimed(thing, intent) ? step : { ...step, next: { ...step.next, broken: foreignClaim } };
}

/**
 * The window that remains: somebody makes a same-named object after the look that an intent rests on, and that intent is open
 * because its run died, or because an answer was lost.
 */
export const mayBeClaimed = (thing: Thing, intent: number | null): boolean =>
  thing.by === 'us' || (thing.by === 'person' && !thing.isOld && intent !== null && (thing.after & (1 << intent)) !== 0);

function announcingSteps(world: World, state: State, name: Name): Step<State>[] {
  const { intent } = state.runs[name].known;
  const isAnnounced = world.rules.intent && world.rules.intentFirst;
  const step = push(world, state, name, {
    says: isAnnounced ? 'stores its intent under its lease' : 'takes its lease',
    holds: true,
    change: (ledger) => (isAnnounced ? { ...ledger, intent: name } : ledger),
    after: (now) => ({ ...now, at: 'creating', sends: 0, mayStand: false, wasAnnounced: intent !== null && intent !== name }),
  });
  if (name === last || !state.runs[name].isFresh) return [step];
  // The answer is lost for good: the line fails, and the run ends with what it knew before.
  const failed = withRun(step.next, name, { ...state.runs[name], isFresh: false, at: 'ending', end: 'failed' });
  return [step, { say: `${step.say} It never learns so.`, next: failed }];
}

function creatingSteps(world: World, state: State, name: Name): Step<State>[] {
  const run = state.runs[name];
  if (maySend(world, run)) {
    const text = run.sends === 0 ? 'sends its create' : 'sends its create again';
    return [say(state, name, text, { ...run, at: 'sent', age: 0, outcome: 'none', sends: run.sends + 1 })];
  }
  return leaseLostSteps(world, state, name);
}

function sentSteps(world: World, state: State, name: Name): Step<State>[] {
  const run = state.runs[name];
  const steps: Step<State>[] = [];
  const idle = { age: 0, outcome: 'none' as const };
  if (run.outcome === 'landed') {
    const isHidden = !world.rules.intent || !world.rules.intentFirst;
    const at: Run['at'] = isHidden && world.rules.intent ? 'confessing' : 'ending';
    steps.push(say(state, name, 'hears that its object was made', { ...run, ...idle, at, fact: 'record', mayStand: true }));
  } else if (run.outcome === 'refused') {
    const fact = mayWithdraw(world, run) ? 'withdraw' : 'none';
    steps.push(say(state, name, 'hears that its create was refused', { ...ending(run, 'failed'), ...idle, fact }));
  } else if (run.outcome === 'conflict') {
    steps.push(say(state, name, 'hears that it exists already', { ...run, ...idle, at: 'relooking', unclear: 'conflict' }));
  }
  if (name === last) return steps;
  const unanswered = run.outcome === 'none' ? Math.max(run.unanswered, world.deadline - run.age, 0) : run.unanswered;
  const lost: Run = { ...run, ...idle, object: null, unanswered, mayStand: true, unclear: 'lost' };
  const left = { ...state, late: withLate(world, state.late, run) };
  const isOver = run.isStopping;
  const at: Run['at'] = isOver ? 'ending' : world.rules.lookBeforeResend || run.sends >= world.sends ? 'relooking' : 'creating';
  steps.push(
    say(left, name, isOver ? 'gives its create up' : "loses its create's answer", {
      ...lost,
      at,
      ...(isOver && { end: 'failed' as const }),
    }),
  );
  return steps;
}

/** Ours, and nothing of it can stand. */
const mayWithdraw = (world: World, run: Run): boolean => !run.mayStand || !world.rules.sentIntentsStay;

function relookingSteps(world: World, state: State, name: Name): Step<State>[] {
  const run = state.runs[name];
  if (run.unclear === 'lost' && run.unanswered > 0 && world.rules.ownQuietMoment) return [];
  const before = run.known.record?.object;
  const found = state.things.filter(({ id }) => id !== before);
  const [thing] = found;
  const fact = mayWithdraw(world, run) ? ('withdraw' as const) : ('none' as const);
  if (found.length > 1 && world.rules.severalAreRefused) return [say(state, name, 'finds several and is refused', ending(run, 'refused'))];
  if (!thing) {
    if (run.unclear === 'lost' && run.sends < world.sends) return [say(state, name, 'finds nothing', { ...run, at: 'creating' })];
    return [say(state, name, 'finds nothing and gives up', { ...ending(run, 'failed'), fact })];
  }
  const isTheirs = world.rules.answeredIsNotOurs && !run.mayStand && !run.wasAnnounced;
  if (isTheirs || contradiction(world, state, thing) !== 'none') {
    return [say(state, name, 'finds what is not its own, and is refused', { ...ending(run, 'refused'), fact })];
  }
  return [claim(state, name, thing, name, run)];
}

function confessingSteps(world: World, state: State, name: Name): Step<State>[] {
  return [
    push(world, state, name, {
      says: 'stores its intent',
      holds: true,
      change: (ledger) => ({ ...ledger, intent: name }),
      after: (now) => ({ ...now, at: 'ending' }),
    }),
  ];
}
