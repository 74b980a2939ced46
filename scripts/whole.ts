import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { optionsOf } from './options.ts';
import { run } from './tasks.ts';

const usage = `npm run whole -- [<file>…]

The tests that have a share of a table in npm test, with all of it: those of these files, or of every file that has one.`;

const { positionals } = optionsOf(usage, { options: {}, allowPositionals: true });
const files = positionals.length > 0 ? positionals : ['test/attacks', ...(await shared())];
const { code } = await run('vitest', ['run', ...files], { isShown: true, env: { PILOTFISH_TESTS: 'all' } });
process.exitCode = code;

/** The test files that run a share of their cases. The attacks do so through their imports. */
async function shared(): Promise<readonly string[]> {
  const all = await readdir('test', { recursive: true });
  const tests = all.filter((file) => file.endsWith('.test.ts') && !file.startsWith('attacks')).map((file) => join('test', file));
  const texts = await Promise.all(tests.map((file) => readFile(file, 'utf8')));
  return tests.filter((_, i) => /support\/whole\.ts'/.test(texts[i] ?? ''));
}
