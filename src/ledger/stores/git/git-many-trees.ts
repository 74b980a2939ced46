import { setImmediate as turn } from 'node:timers/promises';
import { bounds } from '../../../core/bounds.ts';
import { readAhead } from '../../../core/read-ahead.ts';
import type { Tree } from '../store.ts';
import type { GitCache } from './git-cache.ts';
import { filesAt, foundOf } from './git-objects.ts';
import { ledgerFolder } from './git-root-files.ts';
import { TextsFile } from './git-texts-file.ts';
import { commitFacts, decode, treeOf } from './git-tree.ts';

/** A branch and its head. */
export interface Head {
  readonly ref: string;
  readonly head: string;
}

/** A branch as far as its commit could be read from here: `null` where somebody must look at it alone. */
interface Seen extends Head {
  readonly tree: Tree | null;
}

const fresh = { isFresh: true } as const;

/** Git starts a few times for each group, whatever its size. A group's folders stand in memory. */
const groupSize = 1_000;
/** Bytes of texts that git writes to one file. */
const atOnce = 64 * 1024 * 1024;
/** Entries of all folders of a group. A larger group is split, and a single branch has the bound of a ledger. */
const mostEntries = 400_000;
/** So many branches are read without a turn for anything else. */
const turnAfter = 16;
/** A ledger has two folders above its files. */
const deepest = 6;

/**
 * Reads the ledgers of many commits that stand in a cache. Git reads each level of folders of all commits at once, so it starts as often for
 * a thousand commits as for one.
 */
export async function* readTrees(cache: GitCache, heads: readonly Head[]): AsyncGenerator<Seen> {
  const groups: (readonly Head[])[] = [];
  for (let at = 0; at < heads.length; at += groupSize) groups.push(heads.slice(at, at + groupSize));
  // Git reads the folders of the next group while the caller works on this one.
  const ahead = readAhead(groups, 2, (group) => listed(cache, group));
  for (const group of groups) yield* ofGroup(cache, group, await ahead(group));
}

async function* ofGroup(cache: GitCache, heads: readonly Head[], branches: readonly Branch[] | null): AsyncGenerator<Seen> {
  if (branches !== null) return yield* withTexts(cache, branches);
  if (heads.length === 1) return yield* heads.map((one) => ({ ...one, tree: null }));
  const half = Math.ceil(heads.length / 2);
  for (const part of [heads.slice(0, half), heads.slice(half)]) yield* ofGroup(cache, part, await listed(cache, part));
}

interface Branch extends Head {
  readonly commit: string;
  readonly files: { readonly path: string; readonly oid: string }[];
  isSound: boolean;
}

/** The files of each branch, without their texts; `null` when all together are too many for one look. */
async function listed(cache: GitCache, heads: readonly Head[]): Promise<readonly Branch[] | null> {
  const commits = await foundOf(
    cache,
    heads.map(({ head }) => head),
    bounds.listing,
    fresh,
  );
  if (commits === null) return null;
  const branches = heads.map((one): Branch => {
    const commit = commits.get(one.head)?.toString('latin1') ?? '';
    return { ...one, commit, files: [], isSound: treeOf(commit) !== null };
  });
  let level = branches.flatMap((branch) => (branch.isSound ? [{ branch, path: '', oid: treeOf(branch.commit) ?? '' }] : []));
  let count = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    const folders = await foundOf(
      cache,
      level.map(({ oid }) => oid),
      bounds.listing,
      fresh,
    );
    if (folders === null) return null;
    const next: typeof level = [];
    for (const { branch, path, oid } of level) {
      const folder = folders.get(oid);
      branch.isSound &&= folder !== undefined && depth <= deepest;
      if (!folder || !branch.isSound) continue;
      for (const { mode, name, oid: entry } of entriesIn(folder)) {
        const at = `${path}${name}`;
        const isFolder = mode === '40000';
        if (depth === 0 ? name !== ledgerFolder || !isFolder : false) continue;
        count += 1;
        if (isFolder) next.push({ branch, path: depth === 0 ? '' : `${at}/`, oid: entry });
        else if (mode.startsWith('100')) branch.files.push({ path: at, oid: entry });
        else branch.isSound = false;
      }
      branch.isSound &&= branch.files.length <= bounds.files;
      if (count > mostEntries) return null;
    }
    level = next;
  }
  return branches;
}

function* entriesIn(folder: Buffer): Generator<{ readonly mode: string; readonly name: string; readonly oid: string }> {
  for (let at = 0; at < folder.length; ) {
    const space = folder.indexOf(0x20, at);
    const end = folder.indexOf(0, space);
    yield {
      mode: folder.toString('latin1', at, space),
      name: folder.toString('utf8', space + 1, end),
      oid: folder.toString('hex', end + 1, end + 21),
    };
    at = end + 21;
  }
}

/** Git writes the texts of a window to a file, and this reads it branch by branch. As answers of git they would stand in memory. */
async function* withTexts(cache: GitCache, branches: readonly Branch[]): AsyncGenerator<Seen> {
  const sizes = await sizesOf(cache, branches);
  for (const window of windowsOf(branches, sizes)) {
    const texts = await TextsFile.of(cache, oidsOf(window));
    try {
      for (const [i, { ref, head, commit, files, isSound }] of window.entries()) {
        // The answers of git for the next group come in between.
        if (i % turnAfter === 0) await turn();
        yield { ref, head, tree: isSound ? treeOfTexts({ head, commit, files }, texts.next(files, sizes)) : null };
      }
    } finally {
      texts.close();
    }
  }
}

const oidsOf = (branches: readonly Branch[]): readonly string[] =>
  branches.flatMap(({ isSound, files }) => (isSound ? files.map(({ oid }) => oid) : []));

async function sizesOf(cache: GitCache, branches: readonly Branch[]): Promise<ReadonlyMap<string, number>> {
  const oids = [...new Set(oidsOf(branches))];
  const found = await filesAt(cache, oids);
  return new Map(oids.map((oid, i) => [oid, found[i]?.size ?? Number.POSITIVE_INFINITY]));
}

/** Parts of the branches whose texts are read together. A branch with more than a ledger has is not read. */
function windowsOf(branches: readonly Branch[], sizes: ReadonlyMap<string, number>): readonly (readonly Branch[])[] {
  const windows: Branch[][] = [];
  let room = 0;
  for (const branch of branches) {
    const lengths = branch.files.map(({ oid }) => sizes.get(oid) ?? 0);
    const length = lengths.reduce((sum, one) => sum + one, 0);
    branch.isSound &&= length <= bounds.ledger && lengths.every((one) => one <= bounds.file);
    room -= branch.isSound ? length : 0;
    if (room >= 0 && windows.length > 0) windows.at(-1)?.push(branch);
    else {
      windows.push([branch]);
      room = atOnce - (branch.isSound ? length : 0);
    }
  }
  return windows;
}

/** `null` texts: git gave others than it was asked for. */
function treeOfTexts({ head, commit, files }: Pick<Branch, 'head' | 'commit' | 'files'>, texts: readonly Buffer[] | null): Tree | null {
  if (texts === null) return null;
  try {
    const read = files.map(({ path }, i) => [path, decode(texts[i] ?? Buffer.alloc(0), path)] as const);
    return { head, files: new Map(read.sort(([a], [b]) => (a < b ? -1 : 1))), ...commitFacts(commit) };
  } catch {
    return null;
  }
}
