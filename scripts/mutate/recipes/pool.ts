import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { Answered, Asked } from './worker.ts';

/** Judges every family, each in one process, with one process per processor. The longest work begins first. */
export async function judgeAll(asked: readonly Asked[], hear: (answered: Answered) => void): Promise<void> {
  const left = asked.toSorted((a, b) => b.which.length - a.which.length);
  const hands = Array.from({ length: Math.min(availableParallelism(), left.length) }, async () => {
    const worker = start();
    try {
      for (let next = left.shift(); next; next = left.shift()) hear(await ask(worker, next));
    } finally {
      worker.kill();
    }
  });
  await Promise.all(hands);
}

function start(): ChildProcess {
  const keys = new URL('../../../test/support/quick-keys.ts', import.meta.url).href;
  // A mutant sends wrong requests on purpose, so they must not be compared with a description.
  const env = { ...process.env, PILOTFISH_CONTRACTS_RECORD: '' };
  const execArgv = ['--import', keys];
  return fork(new URL('worker.ts', import.meta.url), { env, execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

function ask(worker: ChildProcess, asked: Asked): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const died = (code: number | null): void => reject(new Error(`The process that judged ${asked.family} ended with ${code}.`));
  worker.once('exit', died);
  worker.once('message', (answered: Answered | { readonly error: string }) => {
    worker.off('exit', died);
    if ('error' in answered) reject(new Error(answered.error));
    else resolve(answered);
  });
  worker.send(asked);
  return promise;
}
