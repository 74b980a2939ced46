import { globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildReport, type ContractReport, type ReportOptions, readRecorded } from '../../test/contracts/report.ts';
import { root } from '../tasks.ts';

/** The folder of the recorded exchanges of a run. Each part of the run has a folder of its own below it. */
export const recordedFolder: string = join(root, 'coverage/contracts');
const resultFile = join(root, 'coverage/contracts.json');

const testsFolder = join(recordedFolder, 'tests');

/** The variables that make a part of a run record from scratch. The default part is the tests. */
export async function freshRecording(part = 'tests'): Promise<NodeJS.ProcessEnv> {
  const folder = join(recordedFolder, part);
  await rm(folder, { recursive: true, force: true });
  await rm(resultFile, { force: true });
  return { PILOTFISH_CONTRACTS_RECORD: folder };
}

export interface Checked extends Pick<ReportOptions, 'isWhole' | 'leftOut'> {
  /** The folder of the record. Default: the record of the tests. */
  readonly from?: string;
}

/** Compares the record with the descriptions, and writes the result beside it. */
export async function checkRecorded(descriptions: string, how: Checked): Promise<ContractReport> {
  const report = await buildReport({
    folder: descriptions,
    recorded: readRecorded(how.from ?? testsFolder),
    providers: providersWithLines(),
    ...how,
  });
  await mkdir(join(root, 'coverage'), { recursive: true });
  await writeFile(resultFile, `${JSON.stringify(report, null, 2)}\n`);
  return report;
}

/** The result of the last run; `null` if there was none. */
export async function lastResult(): Promise<ContractReport | null> {
  const text = await readFile(resultFile, 'utf8').catch(() => null);
  const report: ContractReport | null = text === null ? null : JSON.parse(text);
  return report;
}

/** Every family of recipes and every built-in adapter of one provider. */
function providersWithLines(): readonly string[] {
  const families = globSync('src/recipes/families/*.yaml', { cwd: root }).map((file) => /([^/]+)\.yaml$/.exec(file)?.[1] ?? file);
  const adapters = globSync('src/adapters/*/index.ts', { cwd: root }).map((file) => file.split('/').at(-2) ?? file);
  return [...new Set([...families, ...adapters.filter((name) => name !== 'http')])].sort();
}
