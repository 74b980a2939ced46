import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const heap = fileURLToPath(new URL('heap.ts', import.meta.url));

interface Heap {
  /** MB. */
  readonly young: number;
  /** How often the old generation was marked beside the program. */
  readonly beside: number;
}

/** What became of the heap of a process that makes three million objects and has `alive` of them at most. */
async function heapOf(before: string, { alive = 500_000, atExit = false } = {}): Promise<Heap> {
  const program = `
    import { GCProfiler, getHeapSpaceStatistics } from 'node:v8';
    import { keepHeapSmall } from ${JSON.stringify(heap)};
    const measure = () => {
      const profiler = new GCProfiler();
      profiler.start();
      let kept = [];
      for (let n = 0; n < 3_000_000; n += 1) {
        kept.push({ n });
        if (kept.length > ${alive}) kept = kept.slice(${alive / 2});
      }
      const { statistics } = profiler.stop();
      const beside = statistics.filter(({ gcType }) => gcType === 'IncrementalMarking').length;
      const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 1e6;
      console.log(JSON.stringify({ young, beside }));
    };
    ${before}
    ${atExit ? "process.on('exit', measure)" : 'measure()'};
  `;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

it('the young generation grows no more, which it else does', async () => {
  const [grown, small] = await Promise.all([heapOf(''), heapOf('keepHeapSmall();')]);
  expect(grown.young).toBeGreaterThan(20);
  expect(small.young).toBeLessThan(grown.young / 4);
});

it('the old generation is not marked beside a program that makes more meanwhile', async () => {
  const all = 3_000_000;
  const [asUsual, atOnce] = await Promise.all([heapOf('', { alive: all }), heapOf('keepHeapSmall();', { alive: all })]);
  expect(asUsual.beside).toBeGreaterThan(0);
  expect(atOnce.beside).toBe(0);
});

it('a process that ends is marked beside the program again, so that no thread waits for it for ever', async () => {
  const atExit = await heapOf('keepHeapSmall(); keepHeapSmall();', { alive: 3_000_000, atExit: true });
  expect(atExit.beside).toBeGreaterThan(0);
});

it('in a version of V8 that may lack the flags nothing is done and nothing said', async () => {
  expect((await heapOf("keepHeapSmall('99.1.2');")).young).toBeGreaterThan(20);
});
