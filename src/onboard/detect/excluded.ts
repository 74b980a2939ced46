import { isMap } from '../../core/json.ts';
import { baseOf, folderOf } from './paths.ts';
import { isWithin } from './patterns.ts';
import type { Reader } from './reader.ts';

/**
 * Reads the folders that a repository excludes from its workspaces by negated patterns of its package manager: `!packages/archive`. The
 * result tells whether a file lies in such a folder. Only folders with a `package.json` count: npm's patterns speak of no others.
 */
export async function readExcluded(reader: Reader, files: readonly string[]): Promise<(file: string) => boolean> {
  const patterns = (await declared(reader)).flatMap((pattern) => (pattern.startsWith('!') ? [pattern.slice(1)] : []));
  if (patterns.length === 0) return () => false;
  const folders = files.filter((file) => baseOf(file) === 'package.json').map(folderOf);
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
