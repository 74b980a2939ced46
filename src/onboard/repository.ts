import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { gitInCheckout, runGit } from '../platform/git-system.ts';

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
export async function repositoryName(root: Root, env: NodeJS.ProcessEnv): Promise<string> {
  const url = root.isRepository ? await originOf(root.folder, env) : '';
  const last = url.replace(/\/+$/, '').split(/[/:]/).at(-1) ?? '';
  return slug(last.replace(/\.git$/, '')) || slug(basename(root.folder)) || 'preview';
}

/** The address of `origin` as git knows it; empty where there is none, or no git that tells. */
async function originOf(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const call = { cwd: folder, env: gitInCheckout(env), timeoutMs: 10_000 };
  const told = await runGit(['config', '--get', 'remote.origin.url'], call).catch(() => null);
  return told?.code === 0 ? told.stdout.trim() : '';
}

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
