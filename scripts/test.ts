import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './tasks.ts';

/** The parts of vitest's JSON report that are counted. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests?: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/**
 * Runs the tests, passes further arguments on to vitest, and ends with the line `N passed, N failed`. A file that could not
 * be loaded counts as one failure, because none of its tests ran.
 */
async function main(args: readonly string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-tests-'));
  const file = join(folder, 'report.json');
  try {
    const vitest = await run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...args], {
      isShown: true,
    });
    const text = await readFile(file, 'utf8').catch(() => null);
    const report: Report | null = text === null ? null : JSON.parse(text);
    const broken = report?.testResults.filter((result) => result.status === 'failed' && result.assertionResults.length === 0).length ?? 0;
    const passed = report?.numPassedTests ?? 0;
    // A run that reports nothing, or fails outside of any test, is a failure too.
    const failed = Math.max((report?.numFailedTests ?? 0) + broken, vitest.code === 0 ? 0 : 1);
    const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
    if (skipped > 0) console.log(`${skipped} skipped`);
    console.log(`${passed} passed, ${failed} failed`);
    return failed === 0 && passed > 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main(process.argv.slice(2));
