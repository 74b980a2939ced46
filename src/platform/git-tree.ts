import { gitInCheckout, runGit } from './git-system.ts';

/** The files of one commit, from any source. */
export interface CommitTree {
  readonly commit: string;
  /** The paths of all files, from the top. */
  paths(): Iterable<string>;
  /** The object id of a file by its path from the top; `null` where the commit has none there. */
  blobOf(path: string): string | null;
  /** The bytes of a file; `null` where the commit has none there. */
  read(path: string): Promise<Uint8Array | null>;
}

/** The commit's files as the checkout's objects hold them; `null` where they do not. Replacements in `refs/replace` are ignored. */
export async function gitTree(
  commit: string,
  { top, env }: { readonly top: string; readonly env: NodeJS.ProcessEnv },
): Promise<CommitTree | null> {
  const git = (...args: readonly string[]) =>
    runGit(['--no-replace-objects', ...args], { cwd: top, env: gitInCheckout(env), timeoutMs: 60_000 });
  const listed = await git('ls-tree', '-r', '-z', '--full-tree', commit);
  if (listed.code !== 0) return null;
  const blobs = new Map<string, string>();
  for (const entry of listed.stdout.split('\0')) {
    const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
    if (id !== undefined && path !== undefined) blobs.set(path, id);
  }
  return {
    commit,
    paths: () => blobs.keys(),
    blobOf: (path) => blobs.get(path) ?? null,
    read: async (path) => {
      const id = blobs.get(path);
      if (id === undefined) return null;
      const { code, stdout } = await git('cat-file', 'blob', id);
      return code === 0 ? Buffer.from(stdout) : null;
    },
  };
}
