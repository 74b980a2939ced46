import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { bounds, inMb } from '../../../core/bounds.ts';
import { tooLarge } from '../too-large.ts';
import type { GitCache } from './git-cache.ts';
import { anyOid, formatOf } from './git-format.ts';
import { type GitObject, gitObject } from './git-object.ts';

/** An entry of a commit as git lists it, with the bytes of a file. */
export interface Listed {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly oid: string;
  readonly size: number;
}

const listedLine = new RegExp(`^(\\d+) (\\w+) (${anyOid}) +(\\d+|-)\\t([\\s\\S]+)$`);
const objectLine = new RegExp(`^(${anyOid}) (commit|tree|blob) (\\d+)$`);

/** All files and folders of a commit, each folder before what is in it. Git knows the sizes without a look at the texts. */
export async function entriesOf(cache: GitCache, commit: string): Promise<readonly Listed[]> {
  const out = await ask(cache, ['ls-tree', '-r', '-t', '-l', '-z', '--full-tree', commit], { most: bounds.listing });
  if (out === null) throw tooLarge('the list of its files is longer', `${inMb(bounds.listing)} for that list`);
  const entries: Listed[] = [];
  for (const line of out.toString('utf8').split('\0')) {
    const [, mode, type, oid, size, at] = listedLine.exec(line) ?? [];
    if (mode && type && oid && at) entries.push({ path: at, mode, type, oid, size: Number(size === '-' ? 0 : size) });
  }
  return entries;
}

/** The bytes of objects, by their ids; `null` when their sizes add up to more than `most`. Throws for one that is not here. */
export async function bytesOf(cache: GitCache, oids: readonly string[], most: number): Promise<ReadonlyMap<string, Buffer> | null> {
  const found = new Map<string, Buffer>();
  const wanted = [...new Set(oids)];
  if (wanted.length === 0) return found;
  const input = wanted.map((oid) => `${oid}\n`).join('');
  const out = await ask(cache, ['cat-file', '--batch', '--buffer'], { input, most: most + wanted.length * headLength });
  if (out === null) return null;
  for (let at = 0; at < out.length; ) {
    const end = out.indexOf('\n', at);
    const head = out.toString('latin1', at, end);
    const [, oid, type, size] = objectLine.exec(head) ?? [];
    if (oid === undefined) throw new Error(`an object of the cache is missing: ${head}`);
    const content = out.subarray(end + 1, end + 1 + Number(size));
    // Git hashes what it fetches, but not what it later finds on a disk.
    if (gitObject(type as GitObject['type'], content, formatOf(oid)).oid !== oid)
      throw new Error(`the object ${oid} of the cache is damaged`);
    found.set(oid, content);
    at = end + 1 + Number(size) + 1;
  }
  return found;
}

/** The files at these places (`<commit>:<path>`), in this order; `null` where there is none. */
export async function filesAt(cache: GitCache, places: readonly string[]): Promise<readonly (Pick<Listed, 'oid' | 'size'> | null)[]> {
  if (places.length === 0) return [];
  const input = places.map((place) => `${place}\n`).join('');
  const out = await ask(cache, ['cat-file', '--batch-check', '--buffer'], { input, most: bounds.listing });
  const lines = out?.toString('utf8').split('\n') ?? [];
  return places.map((_, i) => {
    const [, oid, type, size] = objectLine.exec(lines[i] ?? '') ?? [];
    return oid === undefined || type !== 'blob' ? null : { oid, size: Number(size) };
  });
}

/** More than `<oid> <type> <size>` and two ends of lines take. */
const headLength = 100;

/** A commit as git keeps it, a character to a byte. */
export async function commitOf(cache: GitCache, oid: string): Promise<string> {
  const bytes = (await bytesOf(cache, [oid], bounds.commit))?.get(oid);
  if (bytes === undefined) throw tooLarge(`the commit ${oid} is longer`, `${inMb(bounds.commit)} for a commit without its files`);
  return bytes.toString('latin1');
}

/** Commits from `head` back along first parents, the newest first, as far as they are here. `isCut`: more of them may stand on the remote. */
export async function commitsBack(
  cache: GitCache,
  head: string,
  most: number,
): Promise<{ readonly commits: readonly string[]; readonly isCut: boolean }> {
  const end = await cache.git(['rev-list', '--first-parent', `--max-count=${most}`, head], { outLimit: bounds.listing });
  // Where a commit is missing, git still tells those before it.
  const commits = end.stdout.toString('latin1').split('\n').filter(Boolean);
  const shallow = await readFile(path.join(cache.gitdir, 'shallow'), 'latin1').catch(() => '');
  return { commits, isCut: end.code !== 0 || commits.length >= most || shallow.includes(commits.at(-1) ?? '') };
}

/** Gives what git prints; `null` when that is more than `most`. */
async function ask(
  cache: GitCache,
  args: readonly string[],
  { input, most }: { readonly input?: string; readonly most: number },
): Promise<Buffer | null> {
  const end = await cache.git(args, { outLimit: most, ...(input !== undefined && { input }) });
  if (end.code === 0) return end.stdout;
  if (end.code === null && end.why === 'too-much-output') return null;
  if (end.code === null && end.why === 'timed-out')
    throw tooLarge('git needs longer to read it than it needs for any ledger', `${inMb(bounds.ledger)} in ${bounds.files} files`);
  throw new Error(end.stderr.toString('utf8'));
}
