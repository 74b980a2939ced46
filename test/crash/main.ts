import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { optionsOf } from '../../scripts/options.ts';
import type { Asked } from './asked.ts';
import type { Order, Told } from './family.ts';
import { operations } from './operations.ts';
import { scenes } from './scenes.ts';
import { headings, rowOf } from './table.ts';
import { tidyOnly } from './untidied.ts';

const usage = `npm run crash -- [--family neon.branch] [--operation replace] [--cut 3] [--sample] [--share 1/3] [--untidy] [--jobs 2]

  --family     one operation of a plan, or a scene of test/crash/scenes; all when left out
  --operation  what is done to it: ${operations.map(({ name }) => name).join(', ')}
  --cut        one cut of that, counted from 1: a failure names it
  --sample     a spread over the whole table, in minutes
  --share      1/3, 2/3 or 3/3 of the families: the shares add up to the table
  --untidy     the providers show names and values in another form than they were sent
  --jobs       how many families are cut at a time, each in a process of its own`;

const { values } = optionsOf(usage, {
  options: {
    family: { type: 'string' },
    operation: { type: 'string' },
    cut: { type: 'string' },
    sample: { type: 'boolean', default: false },
    share: { type: 'string', default: '1/1' },
    untidy: { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
});
const asked: Asked = {
  ...(values.family !== undefined && { family: values.family }),
  ...(values.operation !== undefined && { operation: values.operation }),
  ...(values.cut !== undefined && { cut: Number(values.cut) }),
  isSample: values.sample,
  isUntidy: values.untidy,
};

/**
 * Prints the crash table: every operation of every family, cut before and after each of its effects in every way to die there, and
 * how many of these ends a person finds otherwise than without the cut. `--family`, `--operation` and `--cut` repeat a part of it;
 * `--sample` takes a spread, `--share` a part of the families; `--jobs` is how many families are cut at a time.
 */
async function main(): Promise<number> {
  const share = shareOf(values.share);
  if (share === null) {
    console.error(`--share ${values.share} is no share: write 1/3, 2/3 or 3/3.\n\n${usage}`);
    return 2;
  }
  const orders = (await scenes())
    .map(({ family }, index) => ({ family, order: { index, asked } }))
    .filter(
      ({ family, order }) =>
        (asked.family === undefined || family === asked.family) &&
        !(asked.isUntidy && Object.hasOwn(tidyOnly, family)) &&
        order.index % share.of === share.nth - 1,
    );
  if (asked.isUntidy) for (const [family, reason] of Object.entries(tidyOnly)) console.log(`skipped: ${family}: ${reason}`);
  const totals = { effects: 0, cuts: 0, failures: 0 };
  const failures: string[] = [];
  console.log(headings);
  const jobs = Math.max(1, Math.min(Number(values.jobs), orders.length));
  const idle = Array.from({ length: jobs }, () => fork(fileURLToPath(new URL('./family.ts', import.meta.url))));
  try {
    for await (const told of inOrder(orders, jobs, ({ family, order }) => cutBy(idle, family, order))) {
      for (const { row, failures: found } of told) {
        console.log(rowOf(row));
        failures.push(...found);
        for (const count of ['effects', 'cuts', 'failures'] as const) totals[count] += row[count];
      }
    }
  } finally {
    for (const child of idle) child.disconnect();
  }
  console.log(rowOf({ family: 'total', operation: '', ...totals }));
  for (const failure of failures) console.log(`\n${failure}`);
  if (totals.cuts === 0) console.log('Nothing was cut: there is no such family, operation or cut.');
  return totals.failures === 0 && totals.cuts > 0 ? 0 : 1;
}

/** `2/3` is the second of three shares. */
function shareOf(text: string): { readonly nth: number; readonly of: number } | null {
  const [, nth, of] = (/^([1-9]\d?)\/([1-9]\d?)$/.exec(text) ?? []).map(Number);
  return nth !== undefined && of !== undefined && nth <= of ? { nth, of } : null;
}

/** The rows of one family, cut by a process that has nothing to do. */
async function cutBy(idle: ChildProcess[], family: string, order: Order): Promise<readonly NonNullable<Told>[]> {
  const child = idle.pop();
  if (!child) throw new Error(`no process is left to cut ${family}`);
  const rows: NonNullable<Told>[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onExit = (code: number | null): void => reject(new Error(`the process that cut ${family} ended with ${code}`));
  const onMessage = (told: Told): void => (told === null ? resolve() : void rows.push(told));
  child.on('message', onMessage).once('exit', onExit);
  child.send(order);
  await promise.finally(() => child.off('message', onMessage).off('exit', onExit));
  idle.push(child);
  return rows;
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
