import type { Detect } from '../../ops/detect.ts';
import { DataFiles, valuesAt } from './data-files.ts';
import type { Evidence } from './findings.ts';
import { inFolder } from './ids.ts';
import type { Repository } from './repository.ts';

interface Told {
  /** Of the provider. */
  readonly name: string;
  readonly evidence: Evidence;
}

/** What tells of a provider by a key in a file that others have as well. */
export async function readHolds(
  repository: Repository,
  providers: readonly { readonly name: string; readonly detect?: Detect }[],
): Promise<readonly Told[]> {
  const files = new DataFiles(repository.root);
  const told: Told[] = [];
  for (const { name, detect } of providers) {
    for (const { file, at } of detect?.holds ?? []) {
      for (const { folder, files: own } of repository.workspaces) {
        if (!own.has(file)) continue;
        const path = inFolder(folder, file);
        const isThere = valuesAt(await files.read(path), at).length > 0;
        if (isThere) told.push({ name, evidence: { file: path, what: `key ${at.slice(1).replaceAll('/', '.')}` } });
      }
    }
  }
  return told;
}
