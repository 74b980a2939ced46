import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Batch, type BatchDone, type Finding, unprepared } from './protocol.ts';
import { limitMs } from './watched.ts';

export interface Tally {
  readonly inputs: Map<string, number>;
  readonly codes: Map<string, number>;
  readonly findings: Finding[];
  slowest: { readonly kind: string; readonly index: number; readonly ms: number };
}

const trials = new URL('./worker.ts', import.meta.url);

/** Runs all batches in so many processes. A process that hangs or dies is replaced, and the rest of its batch goes on without the input. */
export async function runFarm(
  batches: readonly Batch[],
  o: { workers: number; onProgress?: (done: number) => void; worker?: URL },
): Promise<Tally> {
  const tally: Tally = { inputs: new Map(), codes: new Map(), findings: [], slowest: { kind: '', index: 0, ms: 0 } };
  const open = [...batches];
  let done = 0;
  const count = (batch: Batch, to: number): void => {
    tally.inputs.set(batch.kind, (tally.inputs.get(batch.kind) ?? 0) + to - batch.from);
    done += to - batch.from;
    o.onProgress?.(done);
  };
  await Promise.all(
    Array.from({ length: o.workers }, async () => {
      let hand: Hand | null = null;
      for (let batch = open.shift(); batch; batch = open.shift()) {
        hand ??= new Hand(o.worker ?? trials);
        const result = await hand.run(batch);
        if ('codes' in result) {
          take(tally, batch, result);
          count(batch, batch.to);
          continue;
        }
        hand = null;
        open.unshift(...around(batch, result.index));
        if (result.index === null && batch.to - batch.from > 1) continue;
        const index = result.index ?? batch.from;
        tally.findings.push({ kind: batch.kind, index, finding: result.finding, how: '', parts: [] });
        count({ ...batch, from: index }, index + 1);
      }
      hand?.stop();
    }),
  );
  return tally;
}

/**
 * What is still to be run of a batch whose process fell: all but the input at fault. Where that is not known, both halves, until it
 * is; a process that died has told nothing of those before it.
 */
function around(batch: Batch, index: number | null): readonly Batch[] {
  const { from, to } = batch;
  const middle = from + Math.ceil((to - from) / 2);
  const ranges =
    index === null
      ? to - from > 1
        ? [[from, middle] as const, [middle, to] as const]
        : []
      : [[from, index] as const, [index + 1, to] as const];
  return ranges.flatMap(([a, b]) => (a < b ? [{ ...batch, from: a, to: b }] : []));
}

function take(tally: Tally, { kind }: Batch, { codes, findings, slowest }: BatchDone): void {
  for (const [code, n] of Object.entries(codes)) tally.codes.set(code, (tally.codes.get(code) ?? 0) + n);
  tally.findings.push(...findings);
  if (slowest.ms > tally.slowest.ms) tally.slowest = { kind, ...slowest };
}

interface Fallen {
  /** `null` for a process that died without a word. */
  readonly index: number | null;
  readonly finding: string;
}

/** One process. */
class Hand {
  readonly #child: ChildProcess;
  #hung: number | null = null;
  #errors = '';

  constructor(worker: URL) {
    // What a mutated ledger or answer makes the program ask for is nothing that a vendor's description has.
    const env = { ...process.env, PILOTFISH_CONTRACTS_RECORD: '' };
    this.#child = fork(fileURLToPath(worker), [], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env });
    if (this.#child.stdout) {
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        const index = /^hang (\d+)$/.exec(line)?.[1];
        if (index === undefined) return;
        this.#hung = Number(index);
        this.#child.kill('SIGKILL');
      });
    }
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#errors = `${this.#errors}${chunk.toString('utf8')}`.slice(-2_000);
    });
  }

  run(batch: Batch): Promise<BatchDone | Fallen> {
    return new Promise((resolve, reject) => {
      const onDone = (done: BatchDone): void => {
        this.#child.off('exit', onExit);
        resolve(done);
      };
      const onExit = (code: number | null, signal: string | null): void => {
        this.#child.off('message', onDone);
        if (code === unprepared) reject(new Error(`The inputs of the kind "${batch.kind}" cannot be made: ${this.#errors.trim()}`));
        resolve(
          this.#hung === null
            ? { index: null, finding: `the process died (${code ?? signal}): ${this.#errors.trim().slice(-600)}` }
            : { index: this.#hung, finding: `a hang: more than ${limitMs / 1000} s of processor time` },
        );
      };
      this.#child.once('message', onDone);
      this.#child.once('exit', onExit);
      this.#child.send(batch);
    });
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}
