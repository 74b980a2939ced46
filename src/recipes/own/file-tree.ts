import { constants } from 'node:fs';
import { lstat, open, opendir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { bounds } from '../../core/bounds.ts';
import { Failure } from '../../core/errors.ts';
import type { CommitTree } from '../../platform/git-tree.ts';

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

export interface Entry {
  readonly name: string;
  readonly kind: EntryKind;
}

/** The files of a repository: of the checkout, or of a commit. Paths begin at its top and have slashes; the top itself is ''. */
export interface FileTree {
  kindOf(path: string): Promise<EntryKind | null>;
  /** The entries of a folder, in any order, and not many more than `bounds.looked`. Throws `Failure` for a folder that cannot be read. */
  entriesOf(folder: string): Promise<readonly Entry[]>;
  /** The bytes of a file, as far as they can be a family. Throws `Failure` for a file that cannot be read. */
  read(path: string): Promise<Uint8Array>;
}

/**
 * The files below `top`, a path without links. A checkout may bring links, and the author of a link chose where it leads. So a link is an
 * entry of its own kind, and a file that was reached through a link is not read.
 */
export function checkoutTree(top: string): FileTree {
  return {
    kindOf: async (path) => {
      const found = await lstat(join(top, path)).catch(() => null);
      return found && kindOf(found);
    },
    entriesOf: async (folder) => {
      const entries: Entry[] = [];
      try {
        for await (const entry of await opendir(join(top, folder))) {
          entries.push({ name: entry.name, kind: kindOf(entry) });
          if (entries.length > bounds.looked) break;
        }
      } catch (cause) {
        throw unreadable(folder, cause);
      }
      return entries;
    },
    read: async (path) => {
      const file = join(top, path);
      try {
        if ((await realpath(file)) !== file) throw new Failure('PLAN_INVALID', linkRefused(path));
        // Nobody waits for the other end of a pipe that took the place of the file.
        const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
        try {
          if ((await handle.stat()).isFile()) return await firstBytes(handle);
          throw new Failure('PLAN_INVALID', { detail: `${path} is not a file.`, fix: 'Name a file of a recipe family.' });
        } finally {
          await handle.close();
        }
      } catch (cause) {
        throw cause instanceof Failure ? cause : unreadable(path, cause);
      }
    },
  };
}

/** One byte more than a family may have shows that a file is too large, without reading all of it. */
async function firstBytes(handle: Awaited<ReturnType<typeof open>>): Promise<Uint8Array> {
  const bytes = Buffer.alloc(bounds.family + 1);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/** The files of a commit. A link of the commit reads as the text of its target, which is no family. */
export function commitTree(tree: CommitTree): FileTree {
  const folders = new Map<string, Map<string, EntryKind>>();
  const add = (path: string, kind: EntryKind): void => {
    const end = path.lastIndexOf('/');
    const folder = end < 0 ? '' : path.slice(0, end);
    const there = folders.get(folder);
    if (there) there.set(path.slice(end + 1), kind);
    else {
      folders.set(folder, new Map([[path.slice(end + 1), kind]]));
      if (folder !== '') add(folder, 'folder');
    }
  };
  for (const path of tree.paths()) add(path, 'file');
  return {
    kindOf: async (path) => (tree.blobOf(path) !== null ? 'file' : folders.has(path) ? 'folder' : null),
    entriesOf: async (folder) => [...(folders.get(folder) ?? [])].map(([name, kind]) => ({ name, kind })),
    read: async (path) => (await tree.read(path)) ?? new Uint8Array(),
  };
}

export const linkRefused = (path: string): { readonly detail: string; readonly fix: string } => ({
  detail: `${path} is, or lies behind, a link. pilotfish reads no recipe family through a link of the checkout, because the author of the link chose where it leads.`,
  fix: 'Name the file itself, by its path in this repository.',
});

function unreadable(path: string, cause: unknown): Failure {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return new Failure('PLAN_INVALID', {
    detail: `${path || 'The top of the repository'} could not be read${code}.`,
    fix: 'Give this user read permission on it.',
    cause,
  });
}

const kindOf = (found: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): EntryKind =>
  found.isSymbolicLink() ? 'link' : found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
