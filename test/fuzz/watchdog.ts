import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { Watched } from './watched.ts';

/**
 * Runs in a thread beside the trials: when one of them has used more of the processor than it may, it says so on the process's own
 * output, because the thread of the trials can say nothing any more. The load of the machine does not count, only work does.
 */
const { state, limitMs }: Watched = workerData;
const numbers = new Int32Array(state);
const pause = new Int32Array(new SharedArrayBuffer(4));
let trial = -1;
let from = 0;

for (;;) {
  Atomics.wait(pause, 0, 0, 50);
  const now = Atomics.load(numbers, 0);
  const { user, system } = process.cpuUsage();
  const used = (user + system) / 1000;
  if (now !== trial) {
    trial = now;
    from = used;
  } else if (trial >= 0 && used - from > limitMs) {
    writeSync(1, `hang ${trial}\n`);
    break;
  }
}
