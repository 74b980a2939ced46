import { checkEnd } from './end.ts';
import { heldLocks } from './git-host.ts';
import { nameOf } from './plans.ts';
import { person } from './provider.ts';
import { Random } from './random.ts';
import type { EditSpec, RunSpec, Scenario } from './scenario.ts';
import { installStandIns } from './stand-ins.ts';
import { branchOf } from './watch.ts';
import { type Counts, World } from './world.ts';

const present: { random: Random; later: (fire: () => void) => void } = {
  random: new Random(0),
  later: () => undefined,
};
installStandIns({ random: () => present.random, later: (fire) => present.later(fire) });

export interface SeedResult {
  readonly breaches: readonly string[];
  readonly counts: Counts;
  /** Everything that the world and the runs came to, as one text: equal for equal seeds. */
  readonly end: string;
  readonly log: readonly string[];
}

/** Lives through one scenario: the disturbed part first, then calm weather, in which every promise must be kept. */
export async function simulateSeed(scenario: Scenario): Promise<SeedResult> {
  present.random = new Random(scenario.seed);
  const world = new World(scenario);
  present.later = (fire) => world.time.in(0, fire);
  const onStray = (reason: unknown): void => world.watch.breach(`a promise was rejected and nobody listened: ${String(reason)}`);
  process.on('unhandledRejection', onStray);
  try {
    world.setWeather(scenario.weather);
    for (const edit of scenario.edits) world.time.in(edit.at, () => makeEdit(world, scenario, edit));
    for (const [nth, run] of scenario.runs.entries()) {
      await pass(world, run.delay);
      if (world.watch.breaches.length > 0) break;
      await launch(world, scenario, run, nth);
    }
    if (world.watch.breaches.length === 0) await world.settle(6 * 3_600_000);
    // What dead processes sent lands before anybody looks.
    if (world.watch.breaches.length === 0) await pass(world, 31_000);
    if (world.watch.breaches.length === 0) await checkEnd(world, scenario);
  } finally {
    process.off('unhandledRejection', onStray);
  }
  const { provider, outcomes } = world;
  const end = JSON.stringify([
    provider.things,
    [...provider.keys],
    [...provider.boxes],
    outcomes.map(({ process: one, doc, errors }) => [one.name, doc?.lines.map(({ id, verdict }) => [id, verdict]), errors]),
    world.time.now,
  ]);
  return { breaches: world.watch.breaches, counts: world.counts, end, log: world.log };
}

async function pass(world: World, ms: number): Promise<void> {
  await world.time.run(() => world.watch.breaches.length > 0, world.time.now + ms);
}

async function launch(world: World, scenario: Scenario, run: RunSpec, nth: number): Promise<void> {
  const lines = scenario.plans[run.plan] ?? [];
  const name = `run-${nth + 1}`;
  const before = { requests: world.counts.requests, pushes: world.counts.pushes };
  const recreated = run.command === 'recreate' ? lines.filter(({ kind }) => kind === 'thing').slice(0, 1) : [];
  await world.launch({
    name,
    scope: run.scope,
    lines,
    command: run.command === 'plan' ? 'plan' : 'apply',
    request: {
      destroy: run.command === 'destroy',
      prune: run.prune,
      recreate: recreated.map(({ id }) => id),
      ...(run.command === 'production' && { environment: 'production', scope: 'production' }),
    },
    fate: run.fate,
    skew: run.skew,
  });
  if (run.command !== 'production') return;
  const outcome = world.outcomes.at(-1);
  const wasRefused = outcome?.process.name === name && outcome.errors.some(({ code }) => code === 'ENV_NOT_APPROVED');
  if (!wasRefused || world.counts.requests !== before.requests || world.counts.pushes !== before.pushes)
    world.watch.breach(`${name} began on production without an approval`);
}

/** A person at the console, at a moment of the seed's choice. */
function makeEdit(world: World, scenario: Scenario, edit: EditSpec): void {
  const { provider, host } = world;
  const ours = provider.things.filter((thing) => thing.by === edit.scope && !thing.isKept);
  const thing = ours[Math.floor(edit.which * ours.length)];
  const box = edit.which < 0.5 ? 'mailbox' : 'toolbox';
  const there = provider.boxes.get(box);
  // A writer outside can lose a write to a list or have one lost; under the lock nobody of us can tell.
  const isBusy = [...world.network.flying].some(({ path }) => path.startsWith('/boxes/')) || heldLocks(host).length > 0;
  world.counts.edits += 1;
  world.note(`a person: ${edit.kind} ${thing?.id ?? ''}`);
  switch (edit.kind) {
    case 'change':
      if (thing) thing.note = 'changed by a person';
      return;
    case 'delete':
      if (thing) provider.removeByHand(thing);
      return;
    case 'make': {
      const lines = (scenario.plans.at(-1) ?? []).filter(({ kind }) => kind === 'thing');
      const line = lines[Math.floor(edit.which * lines.length)];
      if (!line) return;
      const name = nameOf(edit.scope, line);
      if (provider.collections.get(line.place)?.unique && provider.named(line.place, name).length > 0) return;
      const { intents } = host.stateOf(branchOf(edit.scope));
      const key = `/things/${line.place}[name=${name}]`;
      const isAnnounced = [...intents.values()].some((intent) => intent.key === key);
      // Between a look of ours and its create nobody can tell a stranger's from our own: the window that the documentation states.
      const isLooking = [...world.running.values()].some(
        ({ scope, command, request }) => scope === edit.scope && command === 'apply' && !request.destroy,
      );
      provider.makeByHand(line.place, name, isAnnounced || isLooking);
      return;
    }
    case 'add entry': {
      if (!there || isBusy) return;
      const entry = `added by a person at ${edit.at}`;
      there.entries = [...there.entries, entry];
      provider.entryBy.set(provider.entryKey(box, entry), person);
      return;
    }
    case 'drop entry': {
      if (!there || isBusy) return;
      const entries = there.entries.filter((entry) => provider.entryBy.get(provider.entryKey(box, entry)) !== person);
      const gone = entries[Math.floor(edit.which * entries.length)];
      there.entries = there.entries.filter((entry) => entry !== gone);
    }
  }
}
