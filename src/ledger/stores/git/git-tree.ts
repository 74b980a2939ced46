import { Failure } from '../../../core/errors.ts';
import type { Change, Files } from '../store.ts';
import { inBatches } from '../store.ts';
import type { GitCache } from './git-cache.ts';
import { gitLibrary } from './git-library.ts';
import { type GitObject, gitObject, gitTree } from './git-object.ts';

/** A file of a commit; its text is read only inside the ledger's folder. */
export interface GitFile {
  readonly oid: string;
  readonly mode: string;
  readonly text: string | null;
}

/** A folder of a commit as read or written. Folders are never changed, so two commits share what is equal. */
export interface GitFolder {
  readonly oid: string;
  readonly entries: ReadonlyMap<string, GitFolder | GitFile>;
}

export const isFolder = (entry: GitFolder | GitFile | undefined): entry is GitFolder => entry !== undefined && 'entries' in entry;

/** Reads a folder with all that is in it. Objects that an earlier read knows by their hash are not read again. */
export async function readFolder(
  cache: GitCache,
  oid: string,
  withTexts: (path: string) => boolean,
  known?: GitFolder,
): Promise<GitFolder> {
  const git = await gitLibrary();
  const blobs: { readonly path: string; readonly oid: string; readonly fill: (text: string) => void }[] = [];
  const walk = async (tree: string, path: string, before: GitFolder | undefined): Promise<GitFolder> => {
    if (before?.oid === tree) return before;
    const entries = new Map<string, GitFolder | GitFile>();
    const { tree: listed } = await git.readTree({ ...cache, oid: tree });
    for (const entry of listed) {
      const place = `${path}${entry.path}`;
      const same = before?.entries.get(entry.path);
      if (entry.type === 'tree') entries.set(entry.path, await walk(entry.oid, `${place}/`, isFolder(same) ? same : undefined));
      else if (same?.oid === entry.oid && !isFolder(same)) entries.set(entry.path, same);
      else {
        entries.set(entry.path, { oid: entry.oid, mode: entry.mode, text: null });
        if (!withTexts(place)) continue;
        if (entry.type !== 'blob' || entry.mode === '120000') throw unreadable(place, 'it is not a file');
        blobs.push({ path: place, oid: entry.oid, fill: (text) => entries.set(entry.path, { oid: entry.oid, mode: entry.mode, text }) });
      }
    }
    return { oid: tree, entries };
  };
  const folder = await walk(oid, '', known);
  await inBatches(blobs, 32, async (blob) => {
    const { blob: bytes } = await git.readBlob({ ...cache, oid: blob.oid });
    blob.fill(decode(bytes, blob.path));
  });
  return folder;
}

/** Changes a folder: `made` hears of new texts, and of the folders above them. `null` when nothing is left. */
export function changeFolder(before: GitFolder | null, change: Change, made: (object: GitObject) => void): GitFolder | null {
  const entries = new Map(before?.entries);
  const below = new Map<string, Map<string, string | null>>();
  for (const [path, text] of change) {
    const slash = path.indexOf('/');
    if (slash >= 0) {
      const name = path.slice(0, slash);
      const inside = below.get(name) ?? new Map<string, string | null>();
      below.set(name, inside.set(path.slice(slash + 1), text));
    } else if (text === null) entries.delete(path);
    else {
      const blob = gitObject('blob', Buffer.from(text, 'utf8'));
      made(blob);
      entries.set(path, { oid: blob.oid, mode: '100644', text });
    }
  }
  for (const [name, inside] of below) {
    const old = before?.entries.get(name);
    const folder = changeFolder(isFolder(old) ? old : null, inside, made);
    if (folder !== null) entries.set(name, folder);
    else if (isFolder(old)) entries.delete(name);
  }
  if (entries.size === 0) return null;
  const tree = treeOfEntries(entries);
  made(tree);
  return { oid: tree.oid, entries };
}

/** The folder of files that are all known, by their paths; `null` when there is none. */
export function folderOf(files: ReadonlyMap<string, GitFile>): GitFolder | null {
  const entries = new Map<string, GitFolder | GitFile>();
  const below = new Map<string, Map<string, GitFile>>();
  for (const [path, file] of files) {
    const slash = path.indexOf('/');
    if (slash < 0) entries.set(path, file);
    else {
      const name = path.slice(0, slash);
      const inside = below.get(name) ?? new Map<string, GitFile>();
      below.set(name, inside.set(path.slice(slash + 1), file));
    }
  }
  for (const [name, inside] of below) {
    const folder = folderOf(inside);
    if (folder !== null) entries.set(name, folder);
  }
  return entries.size === 0 ? null : { oid: treeOfEntries(entries).oid, entries };
}

const treeOfEntries = (entries: ReadonlyMap<string, GitFolder | GitFile>): GitObject =>
  gitTree([...entries].map(([name, entry]) => ({ name, oid: entry.oid, mode: isFolder(entry) ? '40000' : entry.mode })));

/** The files below a folder, in the order of their paths. */
export function filesBelow(folder: GitFolder | null): Files {
  const files: [string, string][] = [];
  const walk = (at: GitFolder, path: string): void => {
    for (const [name, entry] of at.entries) {
      if (isFolder(entry)) walk(entry, `${path}${name}/`);
      else if (entry.text !== null) files.push([`${path}${name}`, entry.text]);
    }
  };
  if (folder !== null) walk(folder, '');
  return new Map(files.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether a path stands in a folder, whatever it is. */
export function holds(folder: GitFolder | null, path: string): boolean {
  let at: GitFolder | GitFile | undefined = folder ?? undefined;
  for (const name of path.split('/')) at = isFolder(at) ? at.entries.get(name) : undefined;
  return at !== undefined;
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unreadable(path, 'it is not UTF-8 text');
  }
}

const unreadable = (path: string, why: string): Failure =>
  new Failure('LEDGER_CORRUPT', { detail: `The file ${path} of the ledger cannot be used: ${why}. Nothing was written.` });
