import { AsyncResource } from 'node:async_hooks';
import { Random } from '../crash/simulate/random.ts';
import { installStandIns } from '../crash/simulate/stand-ins.ts';
import { drawHistory, type History } from './history.ts';
import { judgeLeftovers, judgeOpen, judgeOthers } from './judge.ts';
import { live } from './live.ts';
import { shops } from './plan.ts';
import { type Fault, without } from './planted.ts';
import { choosing, generatedWorkflow, type Workflow, withInputs } from './workflow.ts';
import { type Counts, minutes, rest, World } from './world.ts';

const present: { random: Random; later: (fire: () => void) => void } = { random: new Random(0), later: () => undefined };
installStandIns({ random: () => present.random, later: (fire) => present.later(AsyncResource.bind(fire)) });

export interface Result {
  readonly breaches: readonly string[];
  readonly log: readonly string[];
  readonly counts: Counts;
}

/** How often leftovers are looked for. */
const every = 10 * minutes;

/** Lives through one history, waits until everything has come to rest, then closes all without a word and waits for the sweep. */
export async function liveThrough(history: History, fault: Fault | null): Promise<Result> {
  present.random = new Random(history.seed);
  const world = new World(history, without(workflowOf(history), fault));
  present.later = (fire) => world.time.in(0, fire);
  const onStray = (reason: unknown): void =>
    world.breach('internal', `a promise was rejected and nobody listened: ${reason instanceof Error ? reason.stack : String(reason)}`);
  process.on('unhandledRejection', onStray);
  try {
    await world.pass(history.begin * minutes);
    const watch = (): void => {
      judgeLeftovers(world);
      judgeOthers(world);
      world.time.in(every, watch);
    };
    world.time.in(every, watch);
    for (const step of history.steps) {
      await world.pass(step.after * minutes);
      if (world.breaches.length === 0) live(world, step);
    }
    await atRest(world);
    if (world.breaches.length === 0) judgeOpen(world);
    if (history.idleHours !== null) {
      // Nobody applies any more, so the previews without the label go, and the others stay.
      await world.pass((history.idleHours + 3) * 60 * minutes);
      await atRest(world);
      if (world.breaches.length === 0) judgeOpen(world);
    }
    await endAll(world);
    if (world.breaches.length === 0) judgeOthers(world);
  } finally {
    process.off('unhandledRejection', onStray);
    await rest();
  }
  return { breaches: world.breaches, log: world.log, counts: world.counts };
}

export const liveThroughSeed = (seed: number, fault: Fault | null): Promise<Result> => liveThrough(drawHistory(seed), fault);

const workflows = new Map<string, Workflow>();

/** One repository of the two had `init --setup`, and the other took its workflow over. */
function workflowOf({ credential, who }: History): Workflow {
  const key = `${credential} ${who}`;
  const known =
    workflows.get(key) ??
    choosing(withInputs(generatedWorkflow(shops[0].slug, credential === 'keyed'), ['preview'], { prune: 'true' }), who);
  workflows.set(key, known);
  return known;
}

const isQuiet = (world: World): boolean => world.running.size === 0 && world.pending === 0;

async function atRest(world: World): Promise<void> {
  await world.pass(12 * 60 * minutes, () => isQuiet(world));
  if (world.breaches.length === 0 && !isQuiet(world))
    world.breach('endless', `${[...world.running].map(({ name }) => name).join(', ')} did not end`);
}

/** Every pull request that is open is closed, and no event tells of it. */
async function endAll(world: World): Promise<void> {
  for (const repository of world.repositories) {
    for (const pull of repository.pulls.values()) {
      if (pull.state === 'closed') continue;
      Object.assign(pull, { state: 'closed', closedAt: world.time.now, updatedAt: world.time.now, closeCame: false });
      world.note(`${repository.shop.slug} ${pull.number}: close, its event lost`);
    }
  }
  // What dead jobs sent lands before anybody says that nothing stands.
  await world.pass(2 * minutes);
  await world.pass(30 * 60 * minutes, () => isQuiet(world) && world.services.standing().length === 0);
  if (world.breaches.length === 0 && world.services.standing().length > 0)
    world.breach(
      'leftover',
      `${world.services
        .standing()
        .map(({ name }) => name)
        .join(', ')} never went`,
    );
}
