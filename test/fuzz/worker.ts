import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kindNamed } from './kinds.ts';
import { type Batch, type BatchDone, type Finding, unprepared } from './protocol.ts';
import { Random, seedOf } from './random.ts';
import { shrink } from './shrink.ts';
import { runTrial } from './trial.ts';
import { startWatchdog } from './watched.ts';

/** Runs batches of trials that its parent sends, in a process of its own: what hangs or dies here is killed and counted there. */
const folder = await mkdtemp(join(tmpdir(), 'pilotfish-fuzz-'));
const watch = startWatchdog();
const prepared = new Set<string>();
const shrunk = new Set<string>();
const triesToShrink = 400;

async function runBatch({ id, kind: name, seed, from, to }: Batch): Promise<BatchDone> {
  const kind = kindNamed(name);
  if (!prepared.has(name)) {
    prepared.add(name);
    await kind.prepare(folder).catch((error: unknown) => end(error, unprepared));
    // What is compiled and loaded once is no part of the first trial's time.
    await runTrial(kind, kind.make(new Random(seedOf(seed, name, -1))));
  }
  const codes: { [code: string]: number } = {};
  const findings: Finding[] = [];
  let slowest = { ms: 0, index: from };
  for (let index = from; index < to; index += 1) {
    const input = kind.make(new Random(seedOf(seed, name, index)));
    watch(index);
    const trial = await runTrial(kind, input);
    watch(-1);
    if (trial.ms > slowest.ms) slowest = { ms: trial.ms, index };
    const code = trial.codes[0] ?? 'none';
    codes[code] = (codes[code] ?? 0) + 1;
    if (trial.finding === null) continue;
    const { finding } = trial;
    const isNew = !shrunk.has(finding) && shrunk.size < 40;
    shrunk.add(finding);
    const fails = async (smaller: typeof input): Promise<boolean> => (await runTrial(kind, smaller)).finding === finding;
    const smallest = isNew ? await shrink(input, fails, triesToShrink) : null;
    findings.push({
      kind: name,
      index,
      finding,
      how: input.how,
      parts: (smallest?.parts ?? []).map((one) => ({ name: one.name, base64: one.bytes.toString('base64') })),
    });
  }
  return { id, codes, findings, slowest };
}

function end(error: unknown, code: number): never {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(code);
}

process.on('message', (batch: Batch) => {
  runBatch(batch).then(
    (done) => process.send?.(done),
    (error: unknown) => end(error, 70),
  );
});
process.on('disconnect', () => {
  void rm(folder, { recursive: true, force: true }).finally(() => process.exit(0));
});
