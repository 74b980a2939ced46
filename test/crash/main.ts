import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Asked } from './asked.ts';
import type { Told } from './family.ts';
import { scenes } from './scenes.ts';
import { headings, rowOf } from './table.ts';

const { values } = parseArgs({
  options: {
    family: { type: 'string' },
    operation: { type: 'string' },
    cut: { type: 'string' },
    sample: { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
});
const asked: Asked = {
  ...(values.family !== undefined && { family: values.family }),
  ...(values.operation !== undefined && { operation: values.operation }),
  ...(values.cut !== undefined && { cut: Number(values.cut) }),
  isSample: values.sample,
};

/**
 * Prints the crash table: every operation of every family, cut before and after each of its effects in every way to die there, and
 * how many of these ends a person finds otherwise than without the cut. `--family`, `--operation` and `--cut` repeat a part of it;
 * `--sample` takes a spread; `--jobs` is how many families are cut at a time.
 */
async function main(): Promise<number> {
  const families = (await scenes()).map(({ family }) => family).filter((family) => asked.family === undefined || family === asked.family);
  const totals = { effects: 0, cuts: 0, failures: 0 };
  const failures: string[] = [];
  console.log(headings);
  for await (const told of inOrder(families, Math.max(1, Number(values.jobs)), cutFamily)) {
    for (const { row, failures: found } of told) {
      console.log(rowOf(row));
      failures.push(...found);
      for (const count of ['effects', 'cuts', 'failures'] as const) totals[count] += row[count];
    }
  }
  console.log(rowOf({ family: 'total', operation: '', ...totals }));
  for (const failure of failures) console.log(`\n${failure}`);
  if (totals.cuts === 0) console.log('Nothing was cut: there is no such family, operation or cut.');
  return totals.failures === 0 && totals.cuts > 0 ? 0 : 1;
}

/** The rows of one family. */
async function cutFamily(family: string): Promise<readonly Told[]> {
  const told: Told[] = [];
  const child = fork(fileURLToPath(new URL('./family.ts', import.meta.url)), [JSON.stringify({ ...asked, family })]);
  child.on('message', (row: Told) => told.push(row));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code !== 0) throw new Error(`the process that cut ${family} ended with ${code}`);
  return told;
}

/** Works on `atOnce` items at a time and gives the results in the order of the items. */
async function* inOrder<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): AsyncGenerator<R> {
  const begun: Promise<R>[] = [];
  const begin = (): void => {
    const item = items[begun.length];
    if (item === undefined) return;
    const result = work(item);
    result.then(begin, () => undefined);
    begun.push(result);
  };
  for (let i = 0; i < atOnce; i += 1) begin();
  for (let i = 0; i < items.length; i += 1) {
    const result = begun[i];
    if (result) yield await result;
  }
}

process.exitCode = await main();
