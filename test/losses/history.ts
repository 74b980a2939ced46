import { Random } from '../crash/simulate/random.ts';
import { changeLines, drawLines, type Line } from './plan.ts';

/** How a job ends before its time: its machine is gone, or somebody cancels it and it is killed ten seconds later. */
export interface Fate {
  readonly kind: 'kill' | 'cancel';
  /** After that many requests and pushes were sent; `null` while the job waits for its runner. */
  readonly effect: number | null;
}

/** What becomes of the event that a step sends. */
export type Delivery = 'lost' | 'late' | 'twice' | 'at once';

export type Act =
  | {
      readonly kind: 'open';
      readonly lines: readonly Line[];
      readonly from: 'here' | 'fork' | 'bot';
      readonly draft: boolean;
      readonly label: boolean;
    }
  | { readonly kind: 'push' | 'force-push'; readonly lines: readonly Line[] }
  | { readonly kind: PlainAct }
  /** The host starts no scheduled runs for that many hours. */
  | { readonly kind: 'no-schedule'; readonly hours: number }
  /** The next sweep that starts meets its fate. */
  | { readonly kind: 'sweep-dies'; readonly fate: Fate }
  /** The code host refuses every request of the repository's jobs for that many minutes. */
  | { readonly kind: 'limit'; readonly minutes: number };

export type PlainAct =
  | 'close'
  | 'merge'
  | 'reopen'
  | 'label'
  | 'unlabel'
  /** The label that a lifetime spares. */
  | 'keep'
  | 'unkeep'
  | 'draft'
  | 'ready'
  | 'conflict'
  | 'resolve'
  | 'rename'
  | 'deployed';

/** One thing that happens. A step that makes no sense any more, because an earlier one was taken out, changes nothing. */
export interface Step {
  readonly repository: 0 | 1;
  readonly pull: number;
  /** Minutes after the step before. */
  readonly after: number;
  readonly act: Act;
  readonly delivery: Delivery;
  /** Minutes, of a late delivery. */
  readonly late: number;
  /** Of the first job that the event starts. */
  readonly fate: Fate | null;
}

/** The pull requests that get a preview: all, those with the label, or those that are no drafts. */
export type Who = 'all' | 'labelled' | 'no drafts';

/** The credential of the plan seals the ledger, or lives for minutes; then `init --setup` gives the ledger a key of its own. */
export type Credential = 'lasting' | 'keyed';

/** Everything that a seed decides. Plain data: a failing history is cut down step by step. */
export interface History {
  readonly seed: number;
  /** Minutes after midnight at which it begins. */
  readonly begin: number;
  readonly credential: Credential;
  readonly weather: 'calm' | 'bad';
  readonly who: Who;
  /** Hours after which a preview goes that nobody applied; `null` where the plans have no lifetime. */
  readonly idleHours: number | null;
  /** The plan of both default branches. */
  readonly main: readonly Line[];
  readonly steps: readonly Step[];
}

/** What the draw knows of a pull request, so that most steps make sense. */
interface Sketch {
  readonly repository: 0 | 1;
  readonly pull: number;
  state: 'none' | 'open' | 'closed';
  isConflicted: boolean;
  lines: readonly Line[];
}

export function drawHistory(seed: number): History {
  const random = new Random(seed);
  const both = random.chance(0.5);
  const credential: Credential = random.chance(0.7) ? 'lasting' : 'keyed';
  const weather = random.chance(0.3) ? 'bad' : 'calm';
  const who = random.chance(0.6) ? 'all' : random.pick<Who>(['labelled', 'no drafts']);
  const idleHours = random.chance(0.35) ? random.int(1, 6) : null;
  const main = drawLines(random);
  const sketches: Sketch[] = [];
  const pulls = random.int(1, 3);
  for (let i = 0; i < pulls; i += 1)
    sketches.push({
      repository: both && random.chance(0.4) ? 1 : 0,
      pull: 11 + random.int(0, 1) + i * 2,
      state: 'none',
      isConflicted: false,
      lines: main,
    });
  const steps: Step[] = [];
  const count = random.int(3, 12);
  for (let i = 0; i < count; i += 1) {
    const sketch = random.among(sketches);
    if (sketch) steps.push(drawStep(sketch, random));
  }
  return { seed, begin: random.int(5 * 60, 20 * 60), credential, weather, who, idleHours, main, steps };
}

function drawStep(sketch: Sketch, random: Random): Step {
  const { repository, pull } = sketch;
  const act = drawAct(sketch, random);
  const roll = random.next();
  const delivery: Delivery = roll < 0.2 ? 'lost' : roll < 0.3 ? 'late' : roll < 0.36 ? 'twice' : 'at once';
  const fate = random.chance(0.28) ? drawFate(random) : null;
  const after = random.chance(0.35) ? random.int(0, 2) : random.int(3, 70);
  return { repository, pull, after, act, delivery, late: random.int(2, 90), fate };
}

const drawFate = (random: Random): Fate => ({
  kind: random.chance(0.65) ? 'kill' : 'cancel',
  effect: random.chance(0.12) ? null : random.int(1, 22),
});

function drawAct(sketch: Sketch, random: Random): Act {
  const roll = random.next();
  if (sketch.state !== 'none' && roll < 0.05) return { kind: 'no-schedule', hours: random.int(1, 3) };
  if (sketch.state !== 'none' && roll < 0.15) return { kind: 'sweep-dies', fate: drawFate(random) };
  if (sketch.state !== 'none' && roll < 0.18) return { kind: 'limit', minutes: random.int(5, 70) };
  switch (sketch.state) {
    case 'none':
      sketch.state = 'open';
      if (random.chance(0.6)) sketch.lines = changeLines(sketch.lines, random);
      return {
        kind: 'open',
        lines: sketch.lines,
        from: random.chance(0.08) ? random.pick(['fork', 'bot']) : 'here',
        draft: random.chance(0.15),
        label: random.chance(0.7),
      };
    case 'closed':
      if (random.chance(0.4)) sketch.state = 'open';
      return { kind: sketch.state === 'open' ? 'reopen' : random.pick<PlainAct>(['deployed', 'unlabel', 'rename', 'close']) };
    case 'open':
      return drawOnOpen(sketch, random);
  }
}

function drawOnOpen(sketch: Sketch, random: Random): Act {
  const roll = random.next();
  // Nobody can merge it, so most of them are closed, or the conflict is resolved.
  if (sketch.isConflicted && random.chance(0.6)) {
    const kind = random.pick<PlainAct>(['close', 'close', 'resolve']);
    if (kind === 'close') sketch.state = 'closed';
    else sketch.isConflicted = false;
    return { kind };
  }
  if (roll < 0.3) {
    sketch.lines = changeLines(sketch.lines, random);
    return { kind: random.chance(0.25) ? 'force-push' : 'push', lines: sketch.lines };
  }
  if (roll < 0.55) {
    sketch.state = 'closed';
    return { kind: random.chance(0.4) ? 'merge' : 'close' };
  }
  if (roll < 0.7) {
    sketch.isConflicted = true;
    return { kind: 'conflict' };
  }
  return { kind: random.pick<PlainAct>(['rename', 'label', 'unlabel', 'keep', 'unkeep', 'draft', 'ready', 'deployed', 'deployed']) };
}
