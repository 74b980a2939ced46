import { changePlan, drawCollections, drawPlan, type LineSpec, movePlan } from './plans.ts';
import { type Collection, pageSize } from './provider.ts';
import { Random } from './random.ts';

export type Command = 'apply' | 'plan' | 'destroy' | 'recreate' | 'production';

/** One run of the program: who, when, what, and what happens to it. */
export interface RunSpec {
  readonly scope: string;
  readonly command: Command;
  /** Ms after the run before it began; 0 begins both at once. */
  readonly delay: number;
  /** Index of the plan in `plans`. */
  readonly plan: number;
  readonly fate: Fate | null;
  /** An apply that removes what has left the plan. */
  readonly prune: boolean;
  /** How far this machine's wall clock is off, ms. */
  readonly skew: number;
}

export interface Fate {
  readonly kind: 'kill' | 'terminate' | 'suspend';
  /** Ms after its begin, or, with `effect`, after that many of its requests and pushes were sent. */
  readonly at: number;
  readonly effect: number | null;
  /** Of a suspension: ms, and whether the machine slept. */
  readonly lasts: number;
  readonly slept: boolean;
}

/** A person at the provider's console. */
export interface EditSpec {
  readonly at: number;
  readonly kind: 'change' | 'delete' | 'make' | 'add entry' | 'drop entry';
  readonly scope: string;
  /** Which of the lines that fit, as a share. */
  readonly which: number;
}

/** Everything that a seed decides. Plain data: a failing one is cut down part by part. */
export interface Scenario {
  readonly seed: number;
  /** Entries of boxes are kept in capitals. */
  readonly boxesShout: boolean;
  readonly collections: readonly Collection[];
  /** Plan 0 and its later versions. */
  readonly plans: readonly (readonly LineSpec[])[];
  readonly runs: readonly RunSpec[];
  readonly edits: readonly EditSpec[];
  /** At the end nothing stands but what the last plan has. */
  readonly prunes: boolean;
  /** How bad the network is: 0 none, 1 a little, 2 much. */
  readonly weather: 0 | 1 | 2;
}

export function drawScenario(seed: number): Scenario {
  const random = new Random(seed);
  // Manners have numbers of their own, so that a seed says the same of all else as before there were any.
  const manners = new Random(seed + 1_000_003);
  const collections = drawCollections(random).map((one) => ({
    ...one,
    shouts: manners.chance(0.3),
    doubles: manners.chance(0.15),
    cap: manners.chance(0.2) ? manners.int(1, pageSize - 1) : pageSize,
  }));
  const boxesShout = manners.chance(0.3);
  // So have histories that prune.
  const pruning = new Random(seed + 2_000_003);
  const prunes = pruning.chance(0.3);
  const plans = [drawPlan(random)];
  const versions = random.int(0, 2);
  for (let i = 0; i < versions; i += 1) {
    const changed = changePlan(plans.at(-1) ?? [], random);
    plans.push(prunes ? movePlan(changed, pruning) : changed);
  }
  const scopes = random.chance(0.35) ? (['pr-1', 'pr-2'] as const) : (['pr-1'] as const);
  const count = random.chance(0.45) ? 1 : random.chance(0.6) ? 2 : random.int(3, 4);
  const runs: RunSpec[] = [];
  for (let i = 0; i < count; i += 1) {
    const run = drawRun(i, { scopes, plans: plans.length, random });
    runs.push({ ...run, prune: prunes && ['apply', 'recreate', 'plan'].includes(run.command) && pruning.chance(0.6) });
  }
  const edits = random.chance(0.4) ? Array.from({ length: random.int(1, 3) }, () => drawEdit(scopes, random)) : [];
  const weather = random.chance(0.35) ? 0 : random.chance(0.7) ? 1 : 2;
  return { seed, boxesShout, collections, plans, runs, edits, prunes, weather };
}

function drawRun(nth: number, o: { scopes: readonly [string, ...string[]]; plans: number; random: Random }): Omit<RunSpec, 'prune'> {
  const { random } = o;
  const roll = random.next();
  const command =
    nth === 0 || roll < 0.6 ? 'apply' : roll < 0.68 ? 'plan' : roll < 0.86 ? 'destroy' : roll < 0.97 ? 'recreate' : 'production';
  const isTogether = random.chance(0.35);
  return {
    scope: random.pick([...o.scopes] as [string, ...string[]]),
    command,
    delay: isTogether ? random.int(0, 400) : random.int(1_000, 20_000),
    plan: Math.min(o.plans - 1, random.int(0, nth)),
    fate: random.chance(0.45) ? drawFate(random) : null,
    skew: random.chance(0.2) ? random.int(-50_000, 50_000) : 0,
  };
}

function drawFate(random: Random): Fate {
  const roll = random.next();
  const kind = roll < 0.65 ? 'kill' : roll < 0.85 ? 'terminate' : 'suspend';
  const effect = random.chance(0.7) ? random.int(0, 14) : null;
  const lasts = random.chance(0.5) ? random.int(1_000, 60_000) : random.int(100_000, 3_600_000);
  return { kind, at: random.int(0, effect === null ? 2_500 : 70), effect, lasts, slept: random.chance(0.5) };
}

function drawEdit(scopes: readonly string[], random: Random): EditSpec {
  const kind = random.pick<EditSpec['kind']>(['change', 'delete', 'make', 'add entry', 'drop entry']);
  return { at: random.int(0, 25_000), kind, scope: random.among(scopes) ?? 'pr-1', which: random.next() };
}
