import { optionsOf } from '../../scripts/options.ts';
import { runFarm, type Tally } from './farm.ts';
import { allKinds, kinds } from './kinds.ts';
import { forgedLedgers } from './ledger/kind.ts';
import type { Batch, Finding } from './protocol.ts';

/** How many inputs one process gets at a time. */
const batchSize = 100;

const usage = 'npm run fuzz -- [--ledger] [--inputs N] [--seed S] [--kind <part of a name>] [--at <number>] [--workers 2]';

/** Mutated plans, ledgers, answers and events. Exit 1 when one of them was not met with a clear error. */
async function main(): Promise<number> {
  const { values } = optionsOf(usage, {
    options: {
      inputs: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      kind: { type: 'string', default: '' },
      at: { type: 'string' },
      workers: { type: 'string', default: '2' },
      ledger: { type: 'boolean', default: false },
    },
  });
  const [inputs, seed, workers] = [Number(values.inputs), Number(values.seed), Number(values.workers)];
  const began = performance.now();
  const only = values.ledger === true ? forgedLedgers.name : values.kind;
  const batches = values.at === undefined ? share(inputs, seed, only) : one(only, seed, Number(values.at));
  const tally = await runFarm(batches, { workers, onProgress: progress(inputs) });
  console.log(summary(tally, { seed, seconds: (performance.now() - began) / 1000 }));
  return tally.findings.length === 0 ? 0 : 1;
}

/** So many inputs over all kinds by their shares, in an order in which a short look sees each of them. */
export function share(inputs: number, seed: number, only = ''): readonly Batch[] {
  const chosen = only === '' ? kinds : allKinds.filter(({ name }) => name.includes(only));
  const whole = chosen.reduce((sum, kind) => sum + kind.share, 0);
  const batches: (Batch & { at: number })[] = [];
  for (const kind of chosen) {
    const n = Math.max(1, Math.round(whole === 0 ? inputs : (inputs * kind.share) / whole));
    for (let from = 0; from < n; from += batchSize) {
      batches.push({ id: batches.length, kind: kind.name, seed, from, to: Math.min(n, from + batchSize), at: from / n });
    }
  }
  return batches.toSorted((a, b) => a.at - b.at);
}

function one(part: string, seed: number, at: number): readonly Batch[] {
  const kind = allKinds.find(({ name }) => name.includes(part));
  return kind ? [{ id: 0, kind: kind.name, seed, from: at, to: at + 1 }] : [];
}

/** A line now and then for who watches. */
function progress(inputs: number): (done: number) => void {
  let told = 0;
  return (done) => {
    if (done < told + Math.max(1_000, inputs / 20)) return;
    told = done;
    process.stderr.write(`${done.toLocaleString('en')} inputs\n`);
  };
}

export function summary(tally: Tally, o: { seed: number; seconds: number }): string {
  const total = [...tally.inputs.values()].reduce((sum, n) => sum + n, 0);
  const rows = (counts: ReadonlyMap<string, number>): string[] =>
    [...counts].toSorted((a, b) => b[1] - a[1]).map(([name, n]) => `  ${name.padEnd(24)} ${n.toLocaleString('en').padStart(9)}`);
  const { slowest } = tally;
  return [
    `${total.toLocaleString('en')} inputs in ${Math.round(o.seconds)} s, seed ${o.seed}`,
    'inputs by kind',
    ...rows(tally.inputs),
    'ends by code',
    ...rows(tally.codes),
    `slowest: ${slowest.ms} ms of processor time (--kind "${slowest.kind}" --at ${slowest.index})`,
    `failures: ${tally.findings.length}`,
    ...failures(tally.findings, o.seed),
  ].join('\n');
}

/** Equal findings once, with the smallest input that shows it. */
function failures(findings: readonly Finding[], seed: number): string[] {
  const groups = Map.groupBy(findings, ({ kind, finding }) => `${kind}\n${finding}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const size = ({ parts }: Finding): number =>
      parts.length === 0 ? Number.MAX_SAFE_INTEGER : parts.reduce((n, p) => n + p.base64.length, 0);
    const smallest = group.toSorted((a, b) => size(a) - size(b))[0] ?? first;
    return [
      '',
      `${first.kind}: ${first.finding}`,
      `  ${group.length} times; repeat: npm run fuzz -- --seed ${seed} --kind "${smallest.kind}" --at ${smallest.index}`,
      ...(smallest.how === '' ? [] : [`  ${smallest.how}`]),
      ...smallest.parts.map(({ name, base64 }) => `  ${name}: ${shownBytes(Buffer.from(base64, 'base64'))}`),
    ];
  });
}

function shownBytes(bytes: Buffer): string {
  const isText = Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes);
  const text = JSON.stringify(bytes.toString(isText ? 'utf8' : 'latin1'));
  return `${isText ? '' : 'latin1 '}${text.length > 2_000 ? `${text.slice(0, 2_000)}… (${bytes.length} bytes)` : text}`;
}

if (import.meta.main) process.exitCode = await main();
