import { resolve } from 'node:path';
import { contractsFolder, skipReason } from '../test/contracts/expect.ts';
import type { ContractReport } from '../test/contracts/report.ts';
import { faultsOf, idleOf, notesOf, tableOf } from '../test/contracts/show.ts';
import { checkRecorded, freshRecording, lastResult } from './contracts/result.ts';
import { suitesOfSimulations } from './contracts/suites.ts';
import { optionsOf } from './options.ts';
import { run } from './tasks.ts';

/**
 * Suites that take more than half of the time (measured: 11 of 69 files, 250 of 480 s) and send the same requests as others. `npm test` and
 * `npm run prove` record them all the same.
 */
const heavy: ContractReport['leftOut'] = [
  { suite: 'test/e2e/', reason: 'real processes that wait for real leases' },
  { suite: 'test/crash/chaos/', reason: 'real processes that are killed' },
  { suite: 'test/checkouts/', reason: 'an installed package in real checkouts' },
  { suite: 'test/fuzz/', reason: 'hundreds of mutated plans' },
];

const usage = `npm run contracts -- [--report] [--last] [--recorded <folder>]
  --report     print a line for every provider and operation
  --last       do not run the suites: show the result of the last run (npm test leaves one too)
  --recorded   do not run the suites: check the record in a folder
PILOTFISH_CONTRACTS names the folder of <provider>.openapi.json files.`;

/** Runs every suite that talks to a simulation, and compares their requests and answers with the vendors' descriptions. */
async function main(): Promise<number> {
  const { values } = optionsOf(usage, {
    options: { report: { type: 'boolean' }, last: { type: 'boolean' }, recorded: { type: 'string' } },
  });
  const tests = values.last ? 0 : await record(values.recorded);
  if (tests === null) return 2;
  const report = await lastResult();
  if (report === null) {
    console.error('There is no result of an earlier run. Run `npm run contracts` without --last.');
    return 2;
  }
  if (report.rows.length === 0) {
    console.error('Nothing was recorded, so there was nothing to compare with a description.');
    return 1;
  }
  if (values.report) console.log(`\n${tableOf(report)}\n`);
  console.log(notesOf(report));
  const faults = [...faultsOf(report), ...idleOf(report)];
  for (const fault of faults) console.error(`\n${fault}`);
  console.log(faults.length === 0 ? '\nEverything matches the descriptions.' : `\n${faults.length} to repair.`);
  if (tests > 0) console.error('Some tests failed, so the requests after their failures are not checked.');
  return faults.length === 0 && tests === 0 ? 0 : 1;
}

/** Writes a new result and resolves with the exit code of the suites; `null` without descriptions to compare with. */
async function record(folder: string | undefined): Promise<number | null> {
  const descriptions = contractsFolder();
  if (descriptions === null) {
    console.error(`${skipReason}. Set it and run this again.`);
    return null;
  }
  if (folder !== undefined) {
    await checkRecorded(descriptions, { from: resolve(folder), isWhole: false });
    return 0;
  }
  const build = await run('node', ['scripts/build.ts']);
  if (build.code !== 0) {
    console.error(build.output);
    return build.code;
  }
  const suites = suitesOfSimulations().filter((file) => !heavy.some(({ suite }) => file.startsWith(suite)));
  console.log(`Running ${suites.length} suites that talk to simulations; left out: ${heavy.map(({ suite }) => suite).join(', ')}.`);
  const env = await freshRecording();
  const { code } = await run('vitest', ['run', '--reporter=dot', '--silent=true', ...suites], { env, isShown: true });
  await checkRecorded(descriptions, { leftOut: heavy, isWhole: code === 0 });
  return code;
}

process.exitCode = await main();
