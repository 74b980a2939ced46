import { setImmediate as turn } from 'node:timers/promises';
import { bounds } from '../../../core/bounds.ts';
import { readAhead } from '../../../core/read-ahead.ts';
import type { Tree } from '../store.ts';
import type { GitCache } from './git-cache.ts';
import { formatOf, oidBytes } from './git-format.ts';
import { GitReader } from './git-reader.ts';
import { ledgerFolder } from './git-root-files.ts';
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

/** Branches whose folders are read together. They stand in memory for a moment only. */
const groupSize = 64;
/** Groups whose folders git reads while the caller works on an earlier one. */
const groupsAhead = 3;
/** Bytes of texts that stand in memory together. A branch with more is read alone. */
const atOnce = 8 * 1024 * 1024;
/** Entries of all folders of a group. A larger group is split, and a single branch has the bound of a ledger. */
const mostEntries = 400_000;
/** So many branches are read without a turn for anything else. */
const turnAfter = 16;
/** A ledger has two folders above its files. */
const deepest = 6;

/** Reads the ledgers of many commits that stand in a cache. Git reads each level of folders of a group of commits at once. */
export async function* readTrees(cache: GitCache, heads: readonly Head[]): AsyncGenerator<Seen> {
  const groups: (readonly Head[])[] = [];
  for (let at = 0; at < heads.length; at += groupSize) groups.push(heads.slice(at, at + groupSize));
  const reader = new GitReader(cache);
  try {
    const ahead = readAhead(groups, groupsAhead, (group) => listed(reader, group));
    for (const group of groups) yield* ofGroup(reader, group, await ahead(group));
  } finally {
    await reader.close();
  }
}

async function* ofGroup(reader: GitReader, heads: readonly Head[], branches: readonly Branch[] | null): AsyncGenerator<Seen> {
  if (branches !== null) return yield* withTexts(reader, branches);
  if (heads.length === 1) return yield* heads.map((one) => ({ ...one, tree: null }));
  const half = Math.ceil(heads.length / 2);
  for (const part of [heads.slice(0, half), heads.slice(half)]) yield* ofGroup(reader, part, await listed(reader, part));
}

interface Branch extends Head {
  readonly commit: string;
  readonly files: { readonly path: string; readonly oid: string }[];
  isSound: boolean;
}

/** The files of each branch, without their texts; `null` when all together are too many for one look. */
async function listed(reader: GitReader, heads: readonly Head[]): Promise<readonly Branch[] | null> {
  const commits = await reader.contents(
    heads.map(({ head }) => head),
    bounds.listing,
  );
  if (commits === null) return null;
  const branches = heads.map((one): Branch => {
    const commit = commits.get(one.head)?.toString('latin1') ?? '';
    return { ...one, commit, files: [], isSound: treeOf(commit) !== null };
  });
  let level = branches.flatMap((branch) => (branch.isSound ? [{ branch, path: '', oid: treeOf(branch.commit) ?? '' }] : []));
  let count = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    const folders = await reader.contents(
      level.map(({ oid }) => oid),
      bounds.listing,
    );
    if (folders === null) return null;
    const next: typeof level = [];
    for (const { branch, path, oid } of level) {
      const folder = folders.get(oid);
      const width = oidBytes(formatOf(oid));
      branch.isSound &&= folder !== undefined && depth <= deepest;
      if (!folder || !branch.isSound) continue;
      for (const { mode, name, oid: entry } of entriesIn(folder, width)) {
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

/** `width`: the bytes of an id. */
function* entriesIn(folder: Buffer, width: number): Generator<{ readonly mode: string; readonly name: string; readonly oid: string }> {
  for (let at = 0; at < folder.length; ) {
    const space = folder.indexOf(0x20, at);
    const end = folder.indexOf(0, space);
    yield {
      mode: folder.toString('latin1', at, space),
      name: folder.toString('utf8', space + 1, end),
      oid: folder.toString('hex', end + 1, end + 1 + width),
    };
    at = end + 1 + width;
  }
}

async function* withTexts(reader: GitReader, branches: readonly Branch[]): AsyncGenerator<Seen> {
  const sizes = await reader.sizes(oidsOf(branches));
  for (const window of windowsOf(branches, sizes)) {
    const texts = await reader.contents(oidsOf(window), bounds.ledger);
    for (const [i, branch] of window.entries()) {
      // The answers of git for the next group come in between.
      if (i % turnAfter === 0) await turn();
      const { ref, head, isSound } = branch;
      yield { ref, head, tree: isSound && texts ? treeOfTexts(branch, texts) : null };
    }
  }
}

const oidsOf = (branches: readonly Branch[]): readonly string[] =>
  branches.flatMap(({ isSound, files }) => (isSound ? files.map(({ oid }) => oid) : []));

/** Parts of the branches whose texts are read together. A branch with more than a ledger has is not read. */
function windowsOf(branches: readonly Branch[], sizes: ReadonlyMap<string, number>): readonly (readonly Branch[])[] {
  const windows: Branch[][] = [];
  let room = 0;
  for (const branch of branches) {
    const lengths = branch.files.map(({ oid }) => sizes.get(oid) ?? Number.POSITIVE_INFINITY);
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

function treeOfTexts({ head, commit, files }: Branch, texts: ReadonlyMap<string, Buffer>): Tree | null {
  try {
    const read = files.map(({ path, oid }) => {
      const text = texts.get(oid);
      if (!text) throw new Error(`the object ${oid} is missing`);
      return [path, decode(text, path)] as const;
    });
    return { head, files: new Map(read.sort(([a], [b]) => (a < b ? -1 : 1))), ...commitFacts(commit) };
  } catch {
    return null;
  }
}
