import type { FoundId } from '../../ops/detect.ts';
import { DataFiles, valuesAt } from './data-files.ts';
import type { FoundValue } from './findings.ts';
import { idOf } from './id-value.ts';
import type { Repository } from './repository.ts';

interface Asked extends FoundId {
  /** Of the provider that asks. */
  readonly name: string;
}

interface Ids {
  readonly ids: { readonly [param: string]: FoundValue };
  readonly unclear: { readonly [param: string]: readonly FoundValue[] };
}

/**
 * Values of params that files hold, by provider. What the root says holds for the repository. Where only workspaces say something
 * and they disagree, none is taken: a line of the plan would change somebody else's project.
 */
export async function readIds(repository: Repository, asked: readonly Asked[]): Promise<ReadonlyMap<string, Ids>> {
  const files = new DataFiles(repository.root);
  const found = new Map<string, { ids: Record<string, FoundValue>; unclear: Record<string, readonly FoundValue[]> }>();
  for (const group of Map.groupBy(asked, ({ name, param }) => JSON.stringify([name, param])).values()) {
    const [first] = group;
    if (!first) continue;
    const { name, param } = first;
    const [value, ...others] = await valuesOf(repository, group, files);
    if (!value) continue;
    const known = found.get(name) ?? { ids: {}, unclear: {} };
    found.set(name, known);
    if (others.length === 0) known.ids[param] = value;
    else known.unclear[param] = [value, ...others];
  }
  return found;
}

/** Different values of one param, in the order of the workspaces. In each workspace the first place that has one counts. */
async function valuesOf(repository: Repository, places: readonly Asked[], files: DataFiles): Promise<readonly FoundValue[]> {
  const values = new Map<string, FoundValue>();
  for (const [i, { folder, files: own }] of repository.workspaces.entries()) {
    // The first one was the root.
    if (i === 1 && values.size > 0) break;
    for (const { file, at, pattern } of places) {
      if (!own.has(file)) continue;
      const path = inFolder(folder, file);
      const given = valuesAt(await files.read(path), at).flatMap((value) => idOf(value) ?? []);
      const here = given.filter((value) => pattern === undefined || new RegExp(pattern, 'u').test(value));
      for (const value of here) if (!values.has(value)) values.set(value, { value, file: path });
      if (here.length > 0) break;
    }
  }
  return [...values.values()];
}

export const inFolder = (folder: string, file: string): string => (folder === '' ? file : `${folder}/${file}`);
