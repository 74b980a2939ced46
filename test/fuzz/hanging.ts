import type { Batch, BatchDone } from './protocol.ts';
import { startWatchdog } from './watched.ts';

/** A process for the test of the farm: its third input never ends, the fifth kills it, the others go well. */
const watch = startWatchdog(300);

process.on('message', ({ id, from, to }: Batch) => {
  for (let index = from; index < to; index += 1) {
    watch(index);
    while (index === 3) void index;
    if (index === 5) process.exit(9);
    watch(-1);
  }
  const done: BatchDone = { id, codes: { none: to - from }, findings: [], slowest: { ms: 1, index: from } };
  process.send?.(done);
});
process.on('disconnect', () => process.exit(0));
