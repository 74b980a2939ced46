import { isMap } from '../../core/json.ts';
import type { Reader } from './reader.ts';

/**
 * Reads the folders that a repository excludes from its workspaces by negated patterns of its package manager: `!packages/archive`. The
 * result tells whether a file lies in such a folder. Only folders with a manifest count.
 */
export async function readExcluded(reader: Reader, manifests: readonly string[]): Promise<(file: string) => boolean> {
  const patterns = (await declared(reader)).flatMap((pattern) => (pattern.startsWith('!') ? [pattern.slice(1)] : []));
  if (patterns.length === 0) return () => false;
  const folders = manifests.map((file) => file.slice(0, Math.max(file.lastIndexOf('/'), 0)));
  const excluded = [...new Set(folders)].filter((folder) => folder !== '' && patterns.some((pattern) => isWithin(folder, pattern)));
  return (file) => excluded.some((folder) => file.startsWith(`${folder}/`));
}

/** The patterns of npm, Yarn and Bun (`workspaces`, a list or `{ packages }`) and of pnpm. A broken file declares nothing. */
async function declared(reader: Reader): Promise<readonly string[]> {
  const lists: unknown[] = [];
  for (const file of ['package.json', 'pnpm-workspace.yaml']) {
    const text = reader.read(file);
    // Most repositories have no negated pattern, so the parsers are not loaded for them.
    if (typeof text !== 'string' || !text.includes('!')) continue;
    const { readDataFile } = await import('./data-file.ts');
    const root = readDataFile(file, text);
    if (!isMap(root)) continue;
    lists.push(root.packages, root.workspaces, isMap(root.workspaces) ? root.workspaces.packages : []);
  }
  return lists.flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : [])).filter((item) => typeof item === 'string');
}

/**
 * Tells whether a pattern matches a folder or one above it. `*` stays within a name, `**` is any number of folders; other signs match
 * themselves.
 */
function isWithin(folder: string, pattern: string): boolean {
  const wanted = [...pattern.replace(/^\.?\/+|\/+$/g, '').split('/'), '**'];
  return isLike(wanted, folder.split('/'), '**', (name, part) => isLike([...name], [...part], '*', (a, b) => a === b));
}

/** Matches with backtracking to the last wildcard only, so that no pattern makes it slow. */
function isLike(wanted: readonly string[], given: readonly string[], any: string, fits: (a: string, b: string) => boolean): boolean {
  let [at, i] = [0, 0];
  let last: { readonly at: number; readonly i: number } | null = null;
  while (i < given.length) {
    const [want, have] = [wanted[at], given[i]];
    if (want === any) {
      last = { at, i };
      at += 1;
    } else if (want !== undefined && have !== undefined && fits(want, have)) {
      at += 1;
      i += 1;
    } else if (last) {
      last = { at: last.at, i: last.i + 1 };
      at = last.at + 1;
      i = last.i;
    } else {
      return false;
    }
  }
  return wanted.slice(at).every((want) => want === any);
}
