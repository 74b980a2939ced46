import { setV8Flags } from './v8-flags.ts';

/**
 * For a process that is over in a second or two: V8 compiles and collects for a long life. Beside the program, on a core that somebody else
 * could have used, it makes optimized code of what was called some hundred times, which takes more memory and time than such a run wins by
 * it. The first thing it does so is undici's parser of HTTP, which is WebAssembly: for that alone it takes a quarter of all memory that an
 * unchanged apply of 200 lines ever touches. Here the parser stays as it was first compiled, which is whole and before it is used (by another
 * thread, `scripts/build/undici.ts`), and a function must be called ten times as often. An unchanged apply of 200 lines takes 0.71 of the
 * CPU and 0.92 of the time; of 10,000 lines a first apply took 0.85 of the CPU, a destroy 1.07 (2 runs). And the old generation is not
 * marked beside the program, which begins at some 15 MB: a run that small ends before anything is won by it (0.88 of the CPU of a destroy
 * of 200 lines), and one of thousands would grow by whatever it makes meanwhile. Nor do other threads copy or sweep: to wake them takes
 * more than they do of a small heap (0.95 of the CPU of a first apply of 200 lines, 41 pairs; 0.9 of a plan of 10,000, 3 pairs; the time is
 * the same).
 *
 * To be called before anything is compiled that is to be kept: what V8 compiled under other flags, it refuses (`start/compiled.ts`).
 *
 * At the end it may mark as usual. While it may not, what V8 compiles in another thread waits for a collection by this one where the heap is
 * full, and `process.exit` waits for that thread: neither would ever end (1 of 100 processes that end so, Node 24.21).
 */
export function expectShortRun(v8?: string): void {
  // The first of the listeners that are not put before others: what was compiled is kept by then.
  if (setV8Flags(short, v8)) process.on('exit', markAsUsual);
}

const short = [
  '--wasm-tiering-budget=2147483647',
  '--no-wasm-lazy-compilation',
  '--invocation-count-for-maglev=4000',
  '--invocation-count-for-turbofan=30000',
  '--no-incremental-marking',
  '--no-parallel-scavenge',
  '--no-concurrent-sweeping',
  '--no-concurrent-array-buffer-sweeping',
];

const markAsUsual = (): void => void setV8Flags(['--incremental-marking']);
