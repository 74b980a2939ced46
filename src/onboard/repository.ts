import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

export interface Root {
  readonly folder: string;
  readonly isRepository: boolean;
}

/** Finds the repository root above `cwd`, or else takes `cwd`. A linked worktree or submodule has a `.git` file instead of a folder. */
export async function findRoot(cwd: string): Promise<Root> {
  let folder = resolve(cwd);
  for (;;) {
    if (await exists(join(folder, '.git'))) return { folder, isRepository: true };
    const parent = dirname(folder);
    if (parent === folder) return { folder: resolve(cwd), isRepository: false };
    folder = parent;
  }
}

/**
 * A short name of the repository for the names of objects: from the remote `origin`, or else from the folder. The name has lower-case
 * letters, digits and dashes, because every provider allows these.
 */
export async function repositoryName(root: Root): Promise<string> {
  const config = await textOf(join(await gitFolder(root.folder), 'config'));
  const url = /\[remote "origin"\][^[]*?^\s*url\s*=\s*(\S+)\s*$/m.exec(config)?.[1] ?? '';
  const last = url.replace(/\/+$/, '').split(/[/:]/).at(-1) ?? '';
  return slug(last.replace(/\.git$/, '')) || slug(basename(root.folder)) || 'preview';
}

/** Finds the folder of git's configuration. The `.git` file of a linked worktree or a submodule names that folder. */
async function gitFolder(folder: string): Promise<string> {
  const git = join(folder, '.git');
  const named = /^gitdir: (.+?)\s*$/.exec(await textOf(git))?.[1];
  if (named === undefined) return git;
  const own = resolve(folder, named);
  return resolve(own, (await textOf(join(own, 'commondir'))).trim());
}

/** The text of a file; empty if it cannot be read. */
const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 30)
    .replace(/-+$/, '');

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (cause) {
    return !(cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR'));
  }
}
