import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Operation, whyNotLinear } from './history.ts';
import type { Turn } from './worker.ts';

export interface Recording {
  /** What the processes open: `local:<folder>`, `git:<address>`, `postgres://…`, `s3://…`. */
  readonly place: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder in which each process has its home. */
  readonly root: string;
  readonly histories: number;
  readonly seed: number;
  readonly processes?: number;
  /** Of each process in each history. */
  readonly operations?: number;
  /** One of `faults`. */
  readonly fault?: string;
  readonly tell?: (done: number) => void;
}

export interface Recorded {
  readonly histories: number;
  readonly operations: number;
  /** Operations that overlapped another one: without them nothing is tested. */
  readonly overlapping: number;
  readonly moved: number;
  readonly unknown: number;
  /** Why the histories that are not linearizable are not. */
  readonly wrong: readonly string[];
}

/** Lets eight processes use one branch after the other, all at the same time, and checks each history. */
export async function record(o: Recording): Promise<Recorded> {
  const { processes = 8, operations = 5, histories, seed } = o;
  const workers = await Promise.all(Array.from({ length: processes }, (_, i) => start(o, i)));
  const sum = { operations: 0, overlapping: 0, moved: 0, unknown: 0 };
  const wrong: string[] = [];
  try {
    for (let i = 1; i <= histories; i += 1) {
      const turn: Turn = { branch: `linear-${seed}-${i}`, seed: seed + i, operations };
      const history = (await Promise.all(workers.map((worker) => played(worker, turn)))).flat();
      const why = whyNotLinear(history);
      if (why !== null) wrong.push(`history ${i} of seed ${seed}:\n${why}`);
      sum.operations += history.length;
      sum.overlapping += history.filter((one) => history.some((other) => other !== one && overlap(one, other))).length;
      sum.moved += countOf(history, 'moved');
      sum.unknown += countOf(history, 'unknown');
      o.tell?.(i);
    }
  } finally {
    for (const worker of workers) if (worker.connected) worker.send('end');
    await Promise.all(workers.map((worker) => (worker.exitCode === null ? once(worker, 'exit') : null)));
  }
  return { histories, ...sum, wrong };
}

const countOf = (history: readonly Operation[], answer: string): number =>
  history.filter(({ what }) => what.kind === 'append' && what.answer === answer).length;

const overlap = (a: Operation, b: Operation): boolean => a.called < b.ended && b.called < a.ended;

async function start({ place, env, root, fault = '' }: Recording, number: number): Promise<ChildProcess> {
  const home = path.join(root, `process-${number}`);
  await mkdir(home, { recursive: true });
  const worker = fork(path.join(import.meta.dirname, 'worker.ts'), [place, home, String(number), fault], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await answered(worker);
  return worker;
}

async function played(worker: ChildProcess, turn: Turn): Promise<readonly Operation[]> {
  worker.send(turn);
  const seen = (await answered(worker)) as readonly (Omit<Operation, 'ended'> & { readonly ended: number | null })[];
  return seen.map((one) => ({ ...one, ended: one.ended ?? Number.POSITIVE_INFINITY }));
}

async function answered(worker: ChildProcess): Promise<unknown> {
  const answer = new AbortController();
  const { signal } = answer;
  const ended = once(worker, 'exit', { signal }).then(([code]) => {
    throw new Error(`a process ended with ${code}`);
  });
  try {
    const [message] = await Promise.race([once(worker, 'message', { signal }), ended]);
    return message;
  } finally {
    answer.abort();
  }
}
