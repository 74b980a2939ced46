import '../support/quick-keys.ts';
import { type Asked, isAskedCut, isAskedRow } from './asked.ts';
import { heldByDrift, operations } from './operations.ts';
import { describeCut } from './process.ts';
import { openTrial } from './prove.ts';
import type { Scene } from './scene.ts';
import { scenes } from './scenes.ts';
import type { Row } from './table.ts';
import { untidied } from './untidied.ts';

/** What a process is told: the place of a family among the scenes, and what of it is asked for. */
export interface Order {
  readonly index: number;
  readonly asked: Asked;
}

/** What it answers, row by row; `null` is the end of a family. */
export type Told = { readonly row: Row; readonly failures: readonly string[] } | null;

/** Cuts families in a process of its own, one after the other, since a virtual clock waits for everything that its process does. */
async function cutFamily({ index, asked }: Order): Promise<void> {
  const tidy = (await all)[index];
  if (!tidy) throw new Error(`there is no family ${index}`);
  const scene = asked.isUntidy ? untidied(tidy) : tidy;
  const own = operationsOf(scene);
  for (const [i, operation] of own.entries()) {
    if (isAskedRow(asked, operation.name, index + i, own.length)) tell(await rowOf(scene, operation, asked, index + i));
  }
  tell(null);
}

const all = scenes();
const tell = (told: Told): void => void process.send?.(told);

async function rowOf(scene: Scene, operation: (typeof operations)[number], asked: Asked, offset: number): Promise<NonNullable<Told>> {
  const row = { family: scene.family, operation: operation.name, effects: 0, cuts: 0, failures: 0 };
  const repeat = `npm run crash -- --family ${row.family} --operation ${row.operation}`;
  const failures: string[] = [];
  try {
    const trial = await openTrial(scene, operation);
    row.effects = trial.effects;
    for (const [i, cut] of trial.cuts.entries()) {
      if (!isAskedCut(asked, i + 1, offset)) continue;
      row.cuts += 1;
      const complaints = await trial.prove(cut);
      if (complaints.length > 0) failures.push([`${describeCut(cut)}: ${repeat} --cut ${i + 1}`, ...complaints].join('\n  '));
    }
  } catch (error) {
    failures.push(`not cut at all: ${repeat}\n  ${error instanceof Error ? error.message : String(error)}`);
  }
  return { row: { ...row, failures: failures.length }, failures };
}

function operationsOf(scene: Scene): typeof operations {
  const site = scene.open({ now: () => 0, mono: () => 0, sleep: async () => undefined });
  return operations.filter(
    ({ name, unless }) => unless(site, scene.kind) === null && !(name.startsWith('drift-left') && heldByDrift[scene.family]),
  );
}

process.on('message', (order: Order) => void cutFamily(order));
