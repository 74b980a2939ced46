import { parseArgs } from 'node:util';
import { describedOperations } from './collect/families.ts';
import { sceneOf } from './collect/scene-of.ts';
import { operations } from './operations.ts';
import { describeCut } from './process.ts';
import { openTrial } from './prove.ts';
import type { Scene } from './scene.ts';
import { byHand } from './scenes/by-hand.ts';
import { headings, rowOf } from './table.ts';

const { values: asked } = parseArgs({
  options: {
    family: { type: 'string' },
    operation: { type: 'string' },
    cut: { type: 'string' },
    stride: { type: 'string', default: '1' },
  },
});

/**
 * Prints the crash table: every operation of every family, cut before and after each of its effects, and what a person then finds.
 * `--family`, `--operation` and `--cut` repeat one row or cut of it; `--stride n` takes every n-th cut.
 */
async function main(): Promise<number> {
  const scenes = [...(await describedOperations()).map(sceneOf), ...byHand];
  const stride = Number(asked.stride);
  const totals = { effects: 0, cuts: 0, failures: 0 };
  const failures: string[] = [];
  // The stride goes on over the rows, so that short rows are cut in different places.
  let step = 0;
  const isChosen = (nth: number): boolean => (asked.cut === undefined ? step++ % stride === 0 : nth === Number(asked.cut));
  console.log(headings);
  for (const scene of scenes.filter(({ family }) => asked.family === undefined || family === asked.family)) {
    for (const operation of operationsOf(scene)) {
      const trial = await openTrial(scene, operation);
      const row = { family: scene.family, operation: operation.name, effects: trial.effects, cuts: 0, failures: 0 };
      for (const [i, cut] of trial.cuts.entries()) {
        if (!isChosen(i + 1)) continue;
        row.cuts += 1;
        const complaints = await trial.prove(cut);
        if (complaints.length === 0) continue;
        row.failures += 1;
        const repeat = `npm run crash -- --family ${row.family} --operation ${row.operation} --cut ${i + 1}`;
        failures.push([`${describeCut(cut)}: ${repeat}`, ...complaints.map((complaint) => `  ${complaint}`)].join('\n'));
      }
      for (const count of ['effects', 'cuts', 'failures'] as const) totals[count] += row[count];
      console.log(rowOf(row));
    }
  }
  console.log(rowOf({ family: 'total', operation: '', ...totals }));
  for (const failure of failures) console.log(`\n${failure}`);
  if (totals.cuts === 0) console.log('No cut was asked for: see the names of families and operations in the table.');
  return totals.failures === 0 && totals.cuts > 0 ? 0 : 1;
}

function operationsOf(scene: Scene): typeof operations {
  const site = scene.open({ now: () => 0, mono: () => 0, sleep: async () => undefined });
  return operations.filter(
    ({ name, unless }) => (asked.operation === undefined || name === asked.operation) && unless(site, scene.kind) === null,
  );
}

process.exitCode = await main();
