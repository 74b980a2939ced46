import { bounds, inMb } from '../../../core/bounds.ts';
import { Failure } from '../../../core/errors.ts';
import type { Change, CommitFacts, Files } from '../store.ts';
import { tooLarge } from '../too-large.ts';
import type { GitCache } from './git-cache.ts';
import { anyOid, type ObjectFormat } from './git-format.ts';
import { type GitObject, gitObject, gitTree } from './git-object.ts';
import { bytesOf, commitOf, entriesOf, type Listed } from './git-objects.ts';

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

/** Reads a commit with all that is in it. Texts of an earlier read are not read again. Throws `LEDGER_CORRUPT` for more than any ledger has. */
export async function readCommit(
  cache: GitCache,
  oid: string,
  withTexts: (path: string) => boolean,
  known: GitFolder | null = null,
): Promise<{ readonly commit: string; readonly root: GitFolder }> {
  const commit = await commitOf(cache, oid);
  const tree = treeOf(commit);
  if (tree === null) throw new Error(`${oid} is no commit`);
  const listed = await entriesOf(cache, oid);
  const inside = listed.filter(({ path, type }) => type !== 'tree' && withTexts(path));
  for (const { path, type, mode, size } of inside) {
    if (type !== 'blob' || mode === '120000') throw unreadable(path, 'it is not a file');
    if (size > bounds.file) throw tooLarge(`the file ${path} has ${inMb(size)}`, `${inMb(bounds.file)} for a file`);
  }
  if (inside.length > bounds.files) throw tooLarge(`it has ${inside.length} files`, `${bounds.files} files`);
  const sizes = new Map(inside.map(({ oid: blob, size }) => [blob, size]));
  const total = inside.reduce((sum, { size }) => sum + size, 0);
  if (total > bounds.ledger)
    throw tooLarge(`its ${inside.length} files have ${inMb(total)}`, `${inMb(bounds.ledger)} for all files together`);
  const texts = textsIn(known);
  const missing = inside.filter(({ oid: blob }) => !texts.has(blob));
  await readTexts(cache, sizes, missing, texts);
  return { commit, root: folderIn(listed, tree, (path, blob) => (withTexts(path) ? (texts.get(blob) ?? null) : null)) };
}

/** One question asks for at most this many bytes, because git's output stands in memory beside the texts that are made of it. */
const atOnce = 16 * 1024 * 1024;

async function readTexts(
  cache: GitCache,
  sizes: ReadonlyMap<string, number>,
  missing: readonly Listed[],
  texts: Map<string, string>,
): Promise<void> {
  const paths = new Map(missing.map(({ oid, path }) => [oid, path]));
  let batch: string[] = [];
  let length = 0;
  const read = async (): Promise<void> => {
    const found = await bytesOf(cache, batch, length);
    // Git told the sizes a moment ago.
    if (found === null) throw new Error('objects of the cache changed while they were read');
    for (const [oid, bytes] of found) texts.set(oid, decode(bytes, paths.get(oid) ?? oid));
    batch = [];
    length = 0;
  };
  for (const oid of paths.keys()) {
    batch.push(oid);
    length += sizes.get(oid) ?? 0;
    if (length >= atOnce) await read();
  }
  if (batch.length > 0) await read();
}

function textsIn(folder: GitFolder | null, texts = new Map<string, string>()): Map<string, string> {
  for (const entry of folder?.entries.values() ?? []) {
    if (isFolder(entry)) textsIn(entry, texts);
    else if (entry.text !== null) texts.set(entry.oid, entry.text);
  }
  return texts;
}

/** The folder of a list that has each folder before what is in it. Git itself makes no folder with one name twice; a push can hold one. */
function folderIn(listed: readonly Listed[], oid: string, textOf: (path: string, oid: string) => string | null): GitFolder {
  const top = new Map<string, GitFolder | GitFile>();
  const folders = new Map([['', top]]);
  for (const one of listed) {
    const slash = one.path.lastIndexOf('/');
    const folder = folders.get(one.path.slice(0, Math.max(slash, 0)));
    const name = one.path.slice(slash + 1);
    if (folder === undefined || folder.has(name)) throw unreadable(one.path, folder ? 'its folder has it twice' : 'it stands in no folder');
    if (one.type === 'tree') {
      const entries = new Map<string, GitFolder | GitFile>();
      folders.set(one.path, entries);
      folder.set(name, { oid: one.oid, entries });
    } else folder.set(name, { oid: one.oid, mode: one.mode, text: textOf(one.path, one.oid) });
  }
  return { oid, entries: top };
}

const treeLine = new RegExp(`^tree (${anyOid})\\n`);
const headLines = new RegExp(`^tree ${anyOid}\\n(?:parent (${anyOid})\\n)?(parent )?`);

/** The id of a commit's tree. */
export const treeOf = (commit: string): string | null => treeLine.exec(commit)?.[1] ?? null;

/** The parents and the message of a commit, from the text that git keeps. */
export function commitFacts(commit: string): CommitFacts {
  const end = commit.indexOf('\n\n');
  const [, parent = null, second] = headLines.exec(commit) ?? [];
  return { parent, ...(second && { isMerge: true }), ...(end >= 0 && { message: commit.slice(end + 2) }) };
}

/** Where new objects go, and the hash that names them. */
export interface Making {
  readonly format: ObjectFormat;
  readonly made: (object: GitObject) => void;
}

/** Changes a folder: `made` hears of new texts, and of the folders above them. `null` when nothing is left. */
export function changeFolder(before: GitFolder | null, change: Change, into: Making): GitFolder | null {
  const { format, made } = into;
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
      const blob = gitObject('blob', Buffer.from(text, 'utf8'), format);
      made(blob);
      entries.set(path, { oid: blob.oid, mode: '100644', text });
    }
  }
  for (const [name, inside] of below) {
    const old = before?.entries.get(name);
    const folder = changeFolder(isFolder(old) ? old : null, inside, into);
    if (folder !== null) entries.set(name, folder);
    else if (isFolder(old)) entries.delete(name);
  }
  if (entries.size === 0) return null;
  const tree = treeOfEntries(entries, format);
  made(tree);
  return { oid: tree.oid, entries };
}

/** The folder of files that are all known, by their paths; `null` when there is none. */
export function folderOf(files: ReadonlyMap<string, GitFile>, format: ObjectFormat): GitFolder | null {
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
    const folder = folderOf(inside, format);
    if (folder !== null) entries.set(name, folder);
  }
  return entries.size === 0 ? null : { oid: treeOfEntries(entries, format).oid, entries };
}

const treeOfEntries = (entries: ReadonlyMap<string, GitFolder | GitFile>, format: ObjectFormat): GitObject =>
  gitTree(
    [...entries].map(([name, entry]) => ({ name, oid: entry.oid, mode: isFolder(entry) ? '40000' : entry.mode })),
    format,
  );

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

/** The text of a file. Throws `LEDGER_CORRUPT` for bytes that are none. */
export function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unreadable(path, 'it is not UTF-8 text');
  }
}

const unreadable = (path: string, why: string): Failure =>
  new Failure('LEDGER_CORRUPT', { detail: `The file ${path} of the ledger cannot be used: ${why}. Nothing was written.` });
