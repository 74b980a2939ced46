import { globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildReport, type ContractReport, type ReportOptions, readRecorded } from '../../test/contracts/report.ts';
import { root } from '../tasks.ts';

/** Here the exchanges of a run are recorded: each part of it has a folder of its own below this one. */
export const recordedFolder: string = join(root, 'coverage/contracts');
const resultFile = join(root, 'coverage/contracts.json');

const testsFolder = join(recordedFolder, 'tests');

/** The variables that make a part of a run record from scratch; left out, the tests. */
export async function freshRecording(part = 'tests'): Promise<NodeJS.ProcessEnv> {
  const folder = join(recordedFolder, part);
  await rm(folder, { recursive: true, force: true });
  await rm(resultFile, { force: true });
  return { PILOTFISH_CONTRACTS_RECORD: folder };
}

export interface Checked extends Pick<ReportOptions, 'isWhole' | 'leftOut'> {
  /** Default: what the tests recorded. */
  readonly from?: string;
}

/** Holds what was recorded against the descriptions, and writes the result beside it. */
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

/** The result of the last run, `null` when there was none. */
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
