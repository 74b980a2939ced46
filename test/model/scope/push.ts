import type { Step } from '../check.ts';
import type { World } from './rules.ts';
import { type Ledger, type Name, names, overRun, type Run, type State, withRun } from './state.ts';

/** The branch as this run reads it now. Another run's release says how long to wait. */
export function read(state: State, run: Run, name: Name): Run {
  const { lease } = state.ledger;
  const told = lease !== null && !lease.held && lease.run !== name ? lease.quietFor : 0;
  return { ...run, known: state.ledger, isFresh: true, quiet: Math.max(run.quiet, told), seen: 0 };
}

export const isHeldByAnother = (world: World, { lease }: Ledger, name: Name): boolean =>
  world.rules.lease && lease?.held === true && lease.run !== name;

/**
 * One push: it lands when nobody wrote since the run read, else it is refused. Sending and landing are one step, because a push
 * that is under way changes nothing that others see; what time it takes counts as time before the answer is acted on.
 * `holds`: the push takes or renews the lease.
 */
export function push(
  world: World,
  state: State,
  name: Name,
  o: { readonly says: string; readonly holds: boolean; readonly change: (ledger: Ledger) => Ledger; readonly after: (run: Run) => Run },
): Step<State> {
  const run = state.runs[name];
  if (!run.isFresh) return refused(world, state, name);
  const changed = o.change(state.ledger);
  const holds = o.holds && world.rules.lease;
  const ledger = holds ? { ...changed, lease: { run: name, held: true, quietFor: 0 } } : changed;
  const [a, b, c] = state.runs;
  const stale: State = { ...state, ledger, runs: [outdated(a), outdated(b), outdated(c)] };
  const held = holds ? { held: 0, isUnheard: !world.rules.countedFromTheSend } : {};
  const next = o.after({ ...run, ...held, known: ledger, isFresh: true });
  return { say: `${names[name]} ${o.says}.`, next: withRun(stale, name, next) };
}

const outdated = (run: Run): Run => (run.isFresh ? { ...run, isFresh: false } : run);

/** Another run wrote first: this one reads what, and decides what of its own still holds. */
function refused(world: World, state: State, name: Name): Step<State> {
  const run = state.runs[name];
  const say = `${names[name]}'s push is refused, because the head moved.`;
  const now = read(state, run, name);
  const to = (next: Run): Step<State> => ({ say, next: withRun(state, name, next) });
  const isOvertaken = run.held !== null && now.known.lease?.run !== name;
  if (isOvertaken && world.rules.noReplayOverLease) return to(overRun('failed', run.purpose));
  const isSame = run.known.record?.run === now.known.record?.run && run.known.intent === now.known.intent;
  const isVoid = !isSame && world.rules.noReplayOverFacts;
  if (run.held !== null) return to(isVoid ? overRun('failed', run.purpose) : now);
  // Also what a destroy says at its end, that nothing is recorded, rests on what it read.
  const rests = run.purpose === 'destroy' || ['announcing', 'leasing'].includes(run.at);
  const isFactVoid = run.fact !== 'none' && isVoid;
  const kept: Run = isFactVoid ? { ...now, fact: 'none', object: null } : now;
  if ((rests || run.fact !== 'none') && isHeldByAnother(world, now.known, name)) return to({ ...kept, at: 'waiting' });
  if (isFactVoid || (rests && world.rules.lookUnderLease)) return to({ ...kept, at: 'looking' });
  return to(kept);
}
