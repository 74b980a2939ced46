import { setV8Flags } from './v8-flags.ts';

/**
 * For a process that is over in a second or two: V8 compiles for a long life. Beside the program, on a core that somebody else could have
 * used, it makes optimized code of what was called some hundred times, which takes more memory and time than such a run wins by it. The
 * first thing it does so is undici's parser of HTTP, which is WebAssembly: for that alone it takes a quarter of all memory that an unchanged
 * apply of 200 lines ever touches. Here the parser stays as it was first compiled, and a function must be called ten times as often. An
 * unchanged apply of 200 lines takes 0.71 of the CPU and 0.92 of the time; of 10,000 lines a first apply took 0.85 of the CPU, a destroy 1.07 (2 runs).
 *
 * To be called before anything is compiled that is to be kept: what V8 compiled under other flags, it refuses (`start/compiled.ts`).
 */
export function expectShortRun(v8?: string): void {
  setV8Flags(['--wasm-tiering-budget=2147483647', '--invocation-count-for-maglev=4000', '--invocation-count-for-turbofan=30000'], v8);
}
