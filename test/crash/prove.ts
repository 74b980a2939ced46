import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { type Operation, told } from './operations.ts';
import { differences, type Picture, pictureOf } from './picture.ts';
import { type Cut, cutsAt, type Moment } from './process.ts';
import type { Scene } from './scene.ts';
import { openWorld, type World } from './world.ts';

/** What an operation comes to when nobody cuts it: the end that every cut must come to as well. */
interface Whole {
  readonly before: Picture;
  readonly end: Picture;
  readonly destroyed: Picture;
}

/** One row of the table, ready to be cut. */
export interface Trial {
  readonly effects: number;
  readonly cuts: readonly Cut[];
  /** Cuts there, lets a person go on, and tells what is not as it is without the cut. */
  prove(cut: Cut): Promise<readonly string[]>;
}

/** Runs an operation undisturbed and counts its effects. */
export async function openTrial(scene: Scene, operation: Operation): Promise<Trial> {
  const moments: Moment[] = [];
  const whole = await wholeOf(scene, operation, async () => undefined, moments);
  const later = await wholeOf(scene, operation, (world) => age(world, scene));
  return {
    effects: moments.filter(({ phase }) => phase === 'before').length,
    cuts: moments.flatMap(cutsAt),
    prove: (cut) => proveCut(scene, operation, cut, { whole, later }),
  };
}

/**
 * The same an hour and an object later: what differs then is an id, a time or a secret, and means nothing. The hour comes first: an
 * object that a destroy only puts away keeps the time at which it was made.
 */
async function age(world: World, { kind }: Scene): Promise<void> {
  await world.clock.sleep(3_600_000);
  if (kind === 'object' || kind === 'message') {
    await undisturbed(world, {});
    await undisturbed(world, { destroy: true });
  }
}

async function undisturbed(world: World, command: Parameters<World['run']>[0], process = world.process()): Promise<void> {
  const doc = await world.run(command, process);
  if (!doc?.ok || doc.status !== 'complete') throw new Error(`a run that nobody cut ended ${doc ? told(doc) : 'dead'}`);
}

async function wholeOf(scene: Scene, operation: Operation, first: (world: World) => Promise<void>, moments: Moment[] = []): Promise<Whole> {
  const world = await openWorld(scene);
  try {
    await first(world);
    await operation.before(world);
    const before = await pictureOf(world, scene, operation.leaves);
    const process = world.process();
    await undisturbed(world, operation.command(world.site), process);
    moments.push(...process.moments);
    const doc = await operation.after(world);
    if (!doc.ok || doc.status !== 'complete') throw new Error(`what nobody cut ended ${told(doc)}`);
    const end = await pictureOf(world, scene, operation.leaves);
    if (operation.leaves === 'state') await undisturbed(world, { destroy: true });
    return { before, end, destroyed: await pictureOf(world, scene, 'nothing') };
  } finally {
    await world.close();
  }
}

async function proveCut(
  scene: Scene,
  operation: Operation,
  cut: Cut,
  { whole, later }: { readonly whole: Whole; readonly later: Whole },
): Promise<readonly string[]> {
  const world = await openWorld(scene);
  const complaints: string[] = [];
  const expectSame = async (what: 'end' | 'destroyed', leaves: Operation['leaves']): Promise<void> => {
    const meaningless = new Set(
      [...differences(whole[what], later[what]), ...(operation.mayLeaveAsBefore ? differences(whole.before, whole.end) : [])].map(
        ({ at }) => at,
      ),
    );
    for (const { at, expected, seen } of differences(whole[what], await pictureOf(world, scene, leaves))) {
      if (!meaningless.has(at)) complaints.push(`${what}${at} is ${JSON.stringify(seen)} instead of ${JSON.stringify(expected)}`);
    }
  };
  try {
    const others = structuredClone(world.site.others());
    await operation.before(world);
    const process = world.process(cut);
    await world.run(operation.command(world.site), process);
    if (!process.isCut) return ['the run did not come to the cut'];
    const doc = await operation.after(world);
    if (!doc.ok || doc.status !== 'complete') complaints.push(`what came after ended ${told(doc)}`);
    await world.settle();
    await expectSame('end', operation.leaves);
    if (operation.leaves === 'state') {
      complaints.push(...(await unchangedWrites(world)));
      const destroyed = await world.run({ destroy: true });
      if (!destroyed?.ok) complaints.push(`the destroy ended ${destroyed ? told(destroyed) : 'dead'}`);
      await expectSame('destroyed', 'nothing');
    }
    complaints.push(...(await secondDestroyDoes(world)));
    complaints.push(...differences(others, world.site.others()).map(({ at }) => `what others made differs at ${at}`));
    verifyHandled(world.site.simulations);
  } catch (error) {
    complaints.push(error instanceof Error ? error.message : String(error));
  } finally {
    await world.close();
  }
  return complaints;
}

async function unchangedWrites(world: World): Promise<readonly string[]> {
  const before = await world.ledger();
  const seen = world.watch();
  const doc = await world.run({});
  if (!doc?.ok) return [`an unchanged apply ended ${doc ? told(doc) : 'dead'}`];
  const after = await world.ledger();
  return [
    ...doc.lines.filter(({ verdict }) => verdict !== 'none').map(({ id, verdict }) => `an unchanged apply has ${verdict} for ${id}`),
    ...seen.writes().map((request) => `an unchanged apply wrote: ${request}`),
    ...differences([...before.records.values()], [...after.records.values()]).map(
      ({ at }) => `an unchanged apply changed the record ${at}`,
    ),
  ];
}

async function secondDestroyDoes(world: World): Promise<readonly string[]> {
  const seen = world.watch();
  const doc = await world.run({ destroy: true });
  if (!doc?.ok) return [`a second destroy ended ${doc ? told(doc) : 'dead'}`];
  return seen.all().map((request) => `a second destroy asked: ${request}`);
}
