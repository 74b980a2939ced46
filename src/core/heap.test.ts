import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const heap = fileURLToPath(new URL('heap.ts', import.meta.url));

/** How large the young generation of a process became that makes three million objects and has half a million of them at most, in MB. */
async function youngOf(before: string, { atExit = false } = {}): Promise<number> {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { keepHeapSmall } from ${JSON.stringify(heap)};
    const measure = () => {
      let kept = [];
      for (let n = 0; n < 3_000_000; n += 1) {
        kept.push({ n });
        if (kept.length > 500_000) kept = kept.slice(250_000);
      }
      console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 1e6);
    };
    ${before}
    ${atExit ? "process.on('exit', measure)" : 'measure()'};
  `;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(stderr).toBe('');
  return Number(stdout);
}

it('the young generation grows no more, which it else does', async () => {
  const [grown, small] = await Promise.all([youngOf(''), youngOf('keepHeapSmall();')]);
  expect(grown).toBeGreaterThan(20);
  expect(small).toBeLessThan(grown / 4);
});

it('is as usual again at the end of the process, when what V8 compiled is kept', async () => {
  expect(await youngOf('keepHeapSmall(); keepHeapSmall();', { atExit: true })).toBeGreaterThan(20);
});

it('in a version of V8 that may lack the flags nothing is done and nothing said', async () => {
  expect(await youngOf("keepHeapSmall('99.1.2');")).toBeGreaterThan(20);
});
