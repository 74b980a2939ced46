import { Worker } from 'node:worker_threads';

/** What the watchdog looks at. */
export interface Watched {
  /** One number: the trial that is under way, negative between trials. */
  readonly state: SharedArrayBuffer;
  readonly limitMs: number;
}

/** Processor time that one trial may take. */
export const limitMs = 2_000;

/** Starts the watchdog of this process. Call what it returns with each trial's number, and with -1 when none is under way. */
export function startWatchdog(limit: number = limitMs): (trial: number) => void {
  const state = new SharedArrayBuffer(4);
  const numbers = new Int32Array(state);
  Atomics.store(numbers, 0, -1);
  const data: Watched = { state, limitMs: limit };
  const thread = new Worker(new URL('./watchdog.ts', import.meta.url), { workerData: data });
  thread.unref();
  return (trial) => {
    Atomics.store(numbers, 0, trial);
  };
}
