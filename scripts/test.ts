import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contractsFolder, skipReason } from '../test/contracts/expect.ts';
import { faultsOf, idleOf, notesOf } from '../test/contracts/show.ts';
import { checkRecorded, freshRecording } from './contracts/result.ts';
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
 * Runs the tests, passes further arguments to vitest, and ends with the line `N passed, N failed`. A file that cannot be loaded counts as
 * one failure, because none of its tests ran. If the providers' descriptions are available, every exchange with a simulation is then
 * compared with them.
 */
async function main(args: readonly string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-tests-'));
  const file = join(folder, 'report.json');
  try {
    const descriptions = contractsFolder();
    const env = descriptions === null ? {} : await freshRecording();
    const vitest = await run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...args], {
      isShown: true,
      env,
    });
    const text = await readFile(file, 'utf8').catch(() => null);
    const report: Report | null = text === null ? null : JSON.parse(text);
    const broken = report?.testResults.filter((result) => result.status === 'failed' && result.assertionResults.length === 0).length ?? 0;
    const passed = report?.numPassedTests ?? 0;
    // A run that reports nothing, or fails outside any test, is a failure too.
    const tests = Math.max((report?.numFailedTests ?? 0) + broken, vitest.code === 0 ? 0 : 1);
    // Exchanges are missing if a test failed or was not requested. That alone is no fault.
    const failed = tests + (await contractFaults(descriptions, args.length === 0 && tests === 0));
    const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
    if (skipped > 0) console.log(`${skipped} skipped`);
    console.log(`${passed} passed, ${failed} failed`);
    return failed === 0 && passed > 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Counts and prints the exchanges that differ from the descriptions. */
async function contractFaults(descriptions: string | null, isWhole: boolean): Promise<number> {
  if (descriptions === null) {
    console.log(skipReason);
    return 0;
  }
  const report = await checkRecorded(descriptions, { isWhole });
  // A part of the tests may talk to no simulation.
  if (!isWhole && report.rows.length === 0) return 0;
  console.log(`\nContracts: ${notesOf(report)}`);
  const faults = faultsOf(report);
  for (const exemption of idleOf(report)) console.log(exemption);
  for (const fault of faults) console.log(`\n${fault}`);
  return faults.length;
}

process.exitCode = await main(process.argv.slice(2));
