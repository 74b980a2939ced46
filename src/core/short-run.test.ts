import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const shortRun = fileURLToPath(new URL('short-run.ts', import.meta.url));

/** What V8 says of a process that calls a function of JavaScript 1,500 times, and goes round in one of WebAssembly thirty million times. */
async function compiledIn(before: string): Promise<string> {
  const program = `
    import { expectShortRun } from ${JSON.stringify(shortRun)};
    ${before}
    const countDown = Uint8Array.from([
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f, 3, 2, 1, 0, 7, 5, 1, 1, 0x66, 0, 0],
      ...[10, 18, 1, 16, 0, 3, 0x40, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 13, 0, 11, 0x20, 0, 11],
    ]);
    const { f } = new WebAssembly.Instance(new WebAssembly.Module(countDown)).exports;
    for (let n = 0; n < 300; n += 1) f(100_000);
    const hot = (one) => [one, one * 2].length;
    for (let n = 0; n < 1_500; n += 1) hot(n);
    await new Promise((resolve) => setTimeout(resolve, 200));
  `;
  const watched = ['--trace-opt', '--trace-wasm-compilation-times', '--input-type=module', '--eval', program];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, watched, { maxBuffer: 10_000_000 });
  expect(stderr).toBe('');
  return stdout;
}

const isOptimized = /JSFunction hot.*target MAGLEV/;
const isTieredUp = /using turbofan/i;

it('what is called a thousand times is not optimized, neither here nor in WebAssembly, which it else is', async () => {
  const [usual, short] = await Promise.all([compiledIn(''), compiledIn('expectShortRun();')]);
  expect(usual).toMatch(isOptimized);
  expect(usual).toMatch(isTieredUp);
  expect(short).not.toMatch(isOptimized);
  expect(short).not.toMatch(isTieredUp);
});

/** How often V8 marked beside a program that makes three million objects and keeps them: in the run, or as it ends. */
async function markedBeside(before: string, { atExit = false } = {}): Promise<number> {
  const program = `
    import { GCProfiler } from 'node:v8';
    import { expectShortRun } from ${JSON.stringify(shortRun)};
    const measure = () => {
      const profiler = new GCProfiler();
      profiler.start();
      const kept = [];
      for (let n = 0; n < 3_000_000; n += 1) kept.push({ n });
      const { statistics } = profiler.stop();
      console.log(statistics.filter(({ gcType }) => gcType === 'IncrementalMarking').length);
    };
    ${before}
    ${atExit ? "process.on('exit', measure)" : 'measure()'};
  `;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(stderr).toBe('');
  return Number(stdout);
}

it('the old generation is not marked beside a program that makes more meanwhile', async () => {
  const [usual, short] = await Promise.all([markedBeside(''), markedBeside('expectShortRun();')]);
  expect(usual).toBeGreaterThan(0);
  expect(short).toBe(0);
});

it('a process that ends is marked beside the program again, so that no thread waits for it for ever', async () => {
  expect(await markedBeside('expectShortRun();', { atExit: true })).toBeGreaterThan(0);
});

/** Nanoseconds that other threads than its own were on a core in a process that makes four million objects and keeps few of them. */
async function collectedBeside(before: string): Promise<number> {
  const program = `
    import { readdirSync, readFileSync } from 'node:fs';
    import { expectShortRun } from ${JSON.stringify(shortRun)};
    ${before}
    let kept = [];
    for (let n = 0; n < 4_000_000; n += 1) {
      kept.push({ n, list: [n] });
      if (kept.length > 200_000) kept = kept.slice(150_000);
    }
    const others = readdirSync('/proc/self/task').filter((id) => Number(id) !== process.pid);
    const spent = others.map((id) => Number(readFileSync('/proc/self/task/' + id + '/schedstat', 'utf8').split(' ')[0]));
    console.log(spent.reduce((sum, each) => sum + each));
  `;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(stderr).toBe('');
  return Number(stdout);
}

const tellsThreads = existsSync('/proc/self/schedstat');
if (!tellsThreads) console.log('skipped: what each thread of a process does (this system does not tell in /proc/self/schedstat)');

it.skipIf(!tellsThreads)('other threads neither copy nor sweep', async () => {
  const [usual, short] = await Promise.all([collectedBeside(''), collectedBeside('expectShortRun();')]);
  // They still give memory back to the system.
  expect(short).toBeLessThan(usual * 0.6);
});

it('in a version of V8 that may lack the flags nothing is done and nothing said', async () => {
  expect(await compiledIn("expectShortRun('99.1.2');")).toMatch(isOptimized);
  expect(await markedBeside("expectShortRun('99.1.2');")).toBeGreaterThan(0);
});
