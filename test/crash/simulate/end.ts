import type { ErrorData } from '../../../src/core/errors.ts';
import type { RunRequest } from '../../../src/engine/run.ts';
import { heldLocks } from './git-host.ts';
import { type LineSpec, nameOf } from './plans.ts';
import { person, type Thing } from './provider.ts';
import type { Scenario } from './scenario.ts';
import { branchOf } from './watch.ts';
import type { Outcome, World } from './world.ts';

/** How often a person runs the command that the last error named. */
const patience = 12;

/** Calm weather: the plan is applied until nothing is left to do; then it is applied again, planned, destroyed, or destroyed twice. */
export async function checkEnd(world: World, scenario: Scenario): Promise<void> {
  world.setWeather(0);
  cleanUpByHand(world);
  const lines = scenario.plans.at(-1) ?? [];
  const scopes = [...new Set(scenario.runs.filter(({ command }) => command !== 'production').map(({ scope }) => scope))];
  for (const scope of scopes) if (!(await applies(world, scope, lines))) return;
  for (const scope of scopes) checkWorld(world, scope, lines);
  if (scenario.prunes) for (const scope of scopes) if (!(await prunes(world, scope, lines))) return;
  // Each seed looks at one thing more, so that more seeds are lived through in the same time.
  for (const scope of scopes) await looksAt[scenario.seed % looksAt.length]?.(world, scope, lines);
}

type Look = (world: World, scope: string, lines: readonly LineSpec[]) => Promise<void>;
const looksAt: readonly Look[] = [
  (world, scope, lines) => leavesAlone(world, scope, lines, 'apply'),
  (world, scope, lines) => destroys(world, scope, lines, 1),
  (world, scope, lines) => leavesAlone(world, scope, lines, 'plan'),
  (world, scope, lines) => destroys(world, scope, lines, 2),
];

/** A person removes what they made under our names, unless a run has claimed it in the window that the documentation states. */
function cleanUpByHand({ provider, host }: World): void {
  for (const thing of provider.things) {
    if (thing.by !== person) {
      if (thing.isKept) provider.removeByHand(thing);
      continue;
    }
    const isRecorded = [...host.branches.keys()].some(
      (branch) =>
        branch.startsWith('pilotfish-receipts/') &&
        [...host.stateOf(branch).records.values()].some(({ objectId }) => objectId === thing.id),
    );
    if (!isRecorded) provider.removeByHand(thing);
  }
}

/** Applies until nothing is left to do, doing what each error says. */
async function applies(world: World, scope: string, lines: readonly LineSpec[]): Promise<boolean> {
  let request: Partial<RunRequest> = {};
  let errors: readonly ErrorData[] = [];
  for (let attempt = 0; attempt < patience; attempt += 1) {
    // A run that goes on from an interrupted one does not look again at what that one had settled.
    const goesOn = world.host.stateOf(branchOf(scope)).snapshot !== null;
    const outcome = await runAlone(world, { scope, lines, request, name: `apply-${scope}-${attempt}` });
    if (!outcome) return false;
    errors = [...outcome.errors, ...(outcome.doc?.lines.flatMap((line) => (line.error ? [line.error] : [])) ?? [])];
    if (outcome.doc?.ok && !goesOn) return true;
    const recreate = errors.flatMap(({ fix }) => [...fix.matchAll(/--recreate (\w+)/g)].map(([, line = '']) => line));
    request = recreate.length > 0 ? { recreate } : {};
  }
  world.watch.breach(`apply of ${scope} does not come to an end: ${errors.map(({ code, detail }) => `${code} ${detail}`).join(' | ')}`);
  return false;
}

/** Each wanted line once, as the plan says. */
function checkWorld(world: World, scope: string, lines: readonly LineSpec[]): void {
  const { provider, watch } = world;
  const standing = new Map<string, Thing>();
  for (const line of lines) {
    const name = nameOf(scope, line);
    if (line.kind === 'thing') {
      const things = provider.named(line.place, name).filter((thing) => !thing.isKept && !isOldOfAnOrphan(world, scope, thing, lines));
      const [thing] = things;
      if (things.length !== 1 || !thing) {
        watch.breach(`${things.length} things stand for ${name}`);
        continue;
      }
      standing.set(line.id, thing);
      const used = line.uses && standing.get(line.uses.line);
      const note = line.uses?.output === 'id' ? used?.id : `note-${line.note}`;
      if (thing.note !== note || thing.kind !== `k${line.fixed}`)
        watch.breach(`${name} holds ${thing.note} ${thing.kind} instead of ${note} k${line.fixed}`);
      if (line.uses?.output === 'secret' && thing.token !== used?.secret)
        watch.breach(`${name} holds a secret that is not the present one`);
    } else if (line.kind === 'key') {
      const note = line.uses ? standing.get(line.uses.line)?.id : `note-${line.note}`;
      if (provider.keys.get(name)?.note !== note) watch.breach(`the key ${name} holds ${provider.keys.get(name)?.note} instead of ${note}`);
    } else if (line.kind === 'entry') {
      if (provider.boxes.get(line.place)?.entries.filter((entry) => entry === name).length !== 1)
        watch.breach(`${name} does not stand once in ${line.place}`);
    } else if (!provider.notes.some((note) => note.by === scope && note.text === name)) watch.breach(`the note ${name} was never sent`);
  }
  checkPeople(world);
}

/** A replaced thing whose secret is still held by what is no longer in the plan: it goes with that. */
function isOldOfAnOrphan({ host }: World, scope: string, thing: Thing, lines: readonly LineSpec[]): boolean {
  const records = [...host.stateOf(branchOf(scope)).records.values()];
  const owner = records.find(({ superseded }) => superseded.some(({ objectId }) => objectId === thing.id));
  return records.some(
    ({ line, edges }) =>
      !lines.some(({ id }) => id === line) &&
      edges.some(({ producer, generation }) => producer === owner?.identity && generation !== owner.generation),
  );
}

/** What people added is there as they left it. */
function checkPeople({ provider, watch }: World): void {
  for (const [key, by] of provider.entryBy) {
    const [box = '', entry = ''] = key.split('\n');
    if (by === person && !provider.boxes.get(box)?.entries.includes(entry)) watch.breach(`${entry} is gone from ${box}`);
  }
}

/** A prune leaves what the plan has, and nothing else. What it could not remove at once, the next ones do. */
async function prunes(world: World, scope: string, lines: readonly LineSpec[]): Promise<boolean> {
  const { watch, host, provider } = world;
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await runAlone(world, { scope, lines, request: { prune: true }, name: `prune-${scope}-${attempt}` });
    if (!outcome) return false;
    if (outcome.doc?.ok && outcome.doc.orphans.length === 0) break;
    if (attempt === patience) watch.breach(`a prune of ${scope} does not come to an end`);
  }
  const names = new Set(lines.map((line) => nameOf(scope, line)));
  const left = ownIn(world, scope).filter((name) => !names.has(name));
  if (left.length > 0) watch.breach(`a prune of ${scope} left ${left.join(', ')}`);
  const twice = provider.things
    .filter((thing) => thing.by === scope && !thing.isKept)
    .map(({ collection, name }) => `${collection} ${name}`);
  if (new Set(twice).size < twice.length) watch.breach(`a prune of ${scope} left two of a name: ${twice.join(', ')}`);
  const { records, intents } = host.stateOf(branchOf(scope));
  const lost = [...records.values()].filter(({ line }) => !lines.some(({ id }) => id === line));
  if (lost.length + intents.size > 0) watch.breach(`a prune of ${scope} left ${lost.length} records and ${intents.size} intents`);
  checkWorld(world, scope, lines);
  return watch.breaches.length === 0;
}

/** What a scope has at the provider, by name. */
const ownIn = ({ provider }: World, scope: string): readonly string[] => [
  ...provider.things.filter((thing) => thing.by === scope && !thing.isKept).map(({ name }) => name),
  ...[...provider.keys].filter(([, key]) => key.by === scope).map(([name]) => name),
  ...[...provider.boxes.values()].flatMap(({ title, entries }) =>
    entries.filter((entry) => provider.entryBy.get(provider.entryKey(title, entry)) === scope),
  ),
];

/** A second apply writes nothing; a plan neither, and it says that nothing is to do. */
async function leavesAlone(world: World, scope: string, lines: readonly LineSpec[], command: 'apply' | 'plan'): Promise<void> {
  const { watch } = world;
  const writes = countWrites(world);
  const pushes = world.counts.pushes;
  const outcome = await runAlone(world, { scope, lines, request: {}, name: `${command}-again-${scope}`, command });
  if (!outcome) return;
  if (writes.now() > 0) watch.breach(`a second ${command} of ${scope} sent ${writes.now()} writes: ${writes.what()}`);
  if (command === 'plan' && world.counts.pushes > pushes) watch.breach(`a plan of ${scope} pushed`);
  const active = outcome.doc?.lines.filter(({ verdict }) => verdict !== 'none').map(({ id, verdict }) => `${id} ${verdict}`) ?? [];
  if (active.length > 0) watch.breach(`a second ${command} of ${scope} finds something to do: ${active.join(', ')}`);
}

/** Things of a person under the names of ours, where the provider lets two have one name: what no record names stays. */
const addBystanders = ({ provider }: World, scope: string, lines: readonly LineSpec[]): readonly Thing[] =>
  lines
    .filter((line) => line.kind === 'thing' && provider.collections.get(line.place)?.unique === false)
    .map((line) => provider.makeByHand(line.place, nameOf(scope, line), false));

/** After a destroy nothing that was made is left, but for what the plan keeps; a second one finds nothing. */
async function destroys(world: World, scope: string, lines: readonly LineSpec[], rounds: number): Promise<void> {
  const { provider, watch, host } = world;
  const bystanders = addBystanders(world, scope, lines);
  for (let round = 1; round <= rounds; round += 1) {
    const writes = countWrites(world);
    const outcome = await runAlone(world, { scope, lines, request: { destroy: true }, name: `destroy-${scope}-${round}` });
    if (!outcome) return;
    if (!outcome.doc?.ok) watch.breach(`destroy of ${scope} failed: ${outcome.errors.map(({ detail }) => detail).join(' | ')}`);
    if (round === 2 && writes.now() > 0) watch.breach(`a second destroy of ${scope} sent ${writes.what()}`);
  }
  const left = ownIn(world, scope);
  if (left.length > 0) watch.breach(`destroy of ${scope} left ${left.join(', ')}`);
  const { records, intents, lease } = host.stateOf(branchOf(scope));
  if (records.size + intents.size > 0) watch.breach(`destroy of ${scope} left ${records.size} records and ${intents.size} intents`);
  if (lease && !lease.released) watch.breach(`the lease of ${scope} is still held`);
  for (const { branch, run } of heldLocks(host)) if (!watch.isOfDead(run)) watch.breach(`the lock ${branch} is still held`);
  for (const thing of bystanders) {
    if (!provider.things.includes(thing)) watch.breach(`destroy of ${scope} took ${thing.name} of a person away`);
    provider.removeByHand(thing);
  }
  checkPeople(world);
}

interface Alone {
  readonly scope: string;
  readonly lines: readonly LineSpec[];
  readonly request: Partial<RunRequest>;
  readonly name: string;
  readonly command?: 'apply' | 'plan';
}

async function runAlone(world: World, o: Alone): Promise<Outcome | null> {
  // Lists that lag have caught up by the time somebody runs it again.
  await world.time.run(() => false, world.time.now + 10_000);
  await world.launch({ command: 'apply', fate: null, skew: 0, ...o });
  await world.settle(3_600_000);
  const outcome = world.outcomes.at(-1);
  return world.watch.breaches.length === 0 && outcome?.process.name === o.name ? outcome : null;
}

function countWrites(world: World): { now(): number; what(): string } {
  const from = world.sentWrites.length;
  return { now: () => world.sentWrites.length - from, what: () => world.sentWrites.slice(from).join(', ') };
}
