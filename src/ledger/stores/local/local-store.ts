import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fullRef, isLockBranch } from '../../model/names.ts';
import { type Change, checkPaths, HeadMoved, HistoryLost, type Store } from '../store.ts';
import {
  type Commit,
  clear,
  commitName,
  hasMarked,
  headOf,
  keptCommit,
  keptHeads,
  type Last,
  lastOrDamaged,
  numbers,
  numbersIn,
  readOlder,
  readTree,
  textsOf,
  tidy,
} from './local-commits.ts';
import { localMarks } from './local-marks.ts';
import { contentsOf, filesIn, makePack, storePack } from './local-packs.ts';
import { digest, diskFailure, forget, hasCode, namesIn, syncFolder, together, writeDurably } from './local-store-files.ts';

/**
 * The ledger in a folder of this machine, for repositories without a remote.
 *
 * A branch is a folder, a commit is `commits/<number>/commit.json` in it, the texts are beside, in packs. The commit is written
 * elsewhere and renamed to its number. A rename never replaces a folder that holds something, on any file system: of two
 * processes that write commit 7, one wins, without a lock file that a killed process would leave behind.
 */
export function openLocalStore(options: { readonly folder: string }): Store {
  const { folder } = options;
  const marks = localMarks(folder);
  /** The newest commit of each branch as this store last read or wrote it: who builds on another one reads it first. */
  const lasts = new Map<string, Last>();
  const lost = new Map<string, HistoryLost>();
  const stats = { fetches: 0, pushes: 0, lockPushes: 0 };
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (thrown) {
      throw diskFailure(thrown, folder);
    }
  };
  return {
    kind: 'local',
    location: folder,
    stats,
    read: (branch) => {
      if (!isLockBranch(branch)) stats.fetches += 1;
      const home = branchFolder(folder, branch);
      return guarded(async () => {
        lasts.delete(home);
        const known = isLockBranch(branch) ? null : await marks.of(home);
        const read = await readTree(home, branch);
        lost.delete(home);
        if (read && known && known.head !== read.tree.head && !(await hasMarked(home, branch, known)))
          lost.set(home, new HistoryLost({ branch, location: folder, tree: read.tree, known }));
        if (read) lasts.set(home, read.last);
        return read?.tree ?? null;
      });
    },
    append: async (branch, change, expect, message, base) => {
      checkPaths(change.keys());
      if (isLockBranch(branch)) stats.lockPushes += 1;
      else stats.pushes += 1;
      const home = branchFolder(folder, branch);
      const last = lasts.get(home);
      lasts.delete(home);
      const made = await guarded(() => append({ home, branch, change, expect, message, base, last }));
      lasts.set(home, made.last);
      lost.delete(home);
      if (!isLockBranch(branch)) marks.set(home, made.head, made.last.number);
      return made.head;
    },
    lost: (branch) => lost.get(branchFolder(folder, branch)) ?? null,
    readAt: (branch, head) => guarded(() => readOlder(branchFolder(folder, branch), branch, head)),
    remove: (branch, expect) => {
      stats.pushes += 1;
      const home = branchFolder(folder, branch);
      return guarded(async () => {
        lasts.delete(home);
        await remove(home, branch, expect);
        await marks.remove(home);
      });
    },
    history: (branch) => guarded(() => keptHeads(branchFolder(folder, branch), branch)),
    remembered: (branch) => marks.of(branchFolder(folder, branch)),
    head: (branch) => guarded(() => headOf(branchFolder(folder, branch), branch)),
    list: (prefix) => guarded(() => list(folder, prefix)),
    close: async () => undefined,
  };
}

interface Append {
  readonly home: string;
  readonly branch: string;
  readonly change: Change;
  readonly expect: string | null;
  readonly message: string;
  readonly base: string | undefined;
  /** What is known of the newest commit without a look. Who wrote since stands in the way of the next number. */
  readonly last: Last | undefined;
}

async function append({ home, branch, change, expect, message, base, last: known }: Append): Promise<Placed> {
  const isEnough = base === undefined && expect !== null && known?.head === expect;
  const last = isEnough ? known : await lastOrDamaged(home, branch);
  // Damage can be built on only by putting an older commit in its place.
  if (base === undefined && last?.damage) throw last.damage;
  if ((last?.head ?? null) !== expect) throw new HeadMoved(branch);
  const older = base === undefined ? null : await keptCommit(home, branch, base);
  if (base !== undefined && older === null) throw new HeadMoved(branch);
  const texts = path.join(home, 'texts');
  const number = (last?.number ?? 0) + 1;
  // What an older commit names goes with it: put in its place again, it is written again.
  const { packs, fresh } =
    older === null
      ? await makePack(texts, last ?? { packs: [], known: new Map() }, change)
      : await makePack(texts, { packs: [], known: new Map() }, new Map([...filesIn(await textsOf(home, older)), ...change]));
  try {
    const content = { v: 1 as const, branch: fullRef(branch), parent: expect, message, packs };
    const head = await commit(home, number, content, async () => {
      if (fresh === null) return;
      mkdirSync(texts, { recursive: true });
      await storePack(texts, fresh);
    });
    if (head === null) throw new HeadMoved(branch);
    await tidy(home, branch, number).catch(() => undefined);
    const names = new Set(packs.map(({ name }) => name));
    const own = contentsOf(packs, new Map(fresh ? [[fresh.name, fresh.entries]] : []));
    const held = [...(last?.known ?? []), ...own].filter(([name]) => names.has(name));
    return { head, last: { head, number, packs, known: new Map(held) } };
  } catch (error) {
    // Also when the disk is full: what stays behind would fill it for good. A commit that was placed needs its texts.
    const isPlaced = async (): Promise<boolean> => (await numbers(home).catch(() => [number])).includes(number);
    if (fresh !== null && (error instanceof HeadMoved || !(await isPlaced()))) await forget(texts, [fresh.name]);
    throw error;
  }
}

/** A commit that stands, as what the next one is built on. */
interface Placed {
  readonly head: string;
  readonly last: Last;
}

/** A removal is a commit as well: of two processes, one that appends and one that removes, one wins. */
async function remove(home: string, branch: string, expect: string): Promise<void> {
  const before = await lastOrDamaged(home, branch);
  if (before?.head !== expect) throw new HeadMoved(branch);
  const number = before.number + 1;
  const content = { v: 1 as const, branch: fullRef(branch), parent: expect, message: 'removed', packs: [], removed: true as const };
  if ((await commit(home, number, content, () => Promise.resolve())) === null) throw new HeadMoved(branch);
  await clear(home, number).catch(() => undefined);
}

/**
 * Writes commit `number` and gives its head; `null` when another process was first. `texts` stores what the commit names: the draft is
 * written meanwhile, and the commit is placed when both are durable.
 */
async function commit(home: string, number: number, content: Omit<Commit, 'head'>, texts: () => Promise<void>): Promise<string | null> {
  const head = digest(JSON.stringify([content, randomBytes(8).toString('hex')]));
  const draft = path.join(home, `draft-${randomBytes(8).toString('hex')}`);
  const drafting = async (): Promise<void> => {
    mkdirSync(path.join(home, 'commits'), { recursive: true });
    mkdirSync(draft);
    await together(
      writeDurably(path.join(draft, 'commit.json'), [JSON.stringify({ ...content, head } satisfies Commit)]),
      syncFolder(draft),
    );
  };
  let isPlaced = false;
  try {
    await together(texts(), drafting());
    isPlaced = await place(home, draft, number);
    return isPlaced ? head : null;
  } finally {
    // Nothing stands there any more once the commit was placed.
    if (!isPlaced) await rm(draft, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Puts the draft where commit `number` stands; `false` when another process was first. */
async function place(home: string, draft: string, number: number): Promise<boolean> {
  const target = path.join(home, 'commits', commitName(number));
  try {
    renameSync(draft, target);
  } catch (thrown) {
    if (hasCode(thrown, 'ENOTEMPTY', 'EEXIST')) return false;
    // Windows reports a folder in the way as EPERM or EACCES.
    if (hasCode(thrown, 'EPERM', 'EACCES') && (await numbers(home)).includes(number)) return false;
    throw thrown;
  }
  // Old commits are removed lowest first. So when this number was free only because it had been removed, the one before is gone too.
  const present = numbersIn(readdirSync(path.join(home, 'commits')));
  const follows = number === 1 ? present.length === 1 || present.includes(2) : present.includes(number - 1);
  if (!follows) {
    await rm(target, { recursive: true, force: true });
    return false;
  }
  await together(syncFolder(path.join(home, 'commits')), syncFolder(home));
  return true;
}

async function list(folder: string, prefix: string): Promise<readonly { readonly branch: string; readonly head: string }[]> {
  const short = prefix.startsWith('refs/') ? 0 : 'refs/heads/'.length;
  const found: { readonly branch: string; readonly head: string }[] = [];
  for (const name of await namesIn(folder)) {
    const branch = decodeFolder(name);
    if (!branch?.startsWith(fullRef(prefix))) continue;
    const head = await headOf(path.join(folder, name), branch);
    if (head !== null) found.push({ branch: branch.slice(short), head });
  }
  return found.sort((a, b) => (a.branch < b.branch ? -1 : 1));
}

/** A ref as one folder name: `refs,heads,pilotfish-receipts,preview,pr-12`. Names of `names.ts` stay readable; `=` escapes the rest. */
function branchFolder(folder: string, branch: string): string {
  const name = fullRef(branch).replace(/[^a-z0-9._%/-]/gu, (c) =>
    [...Buffer.from(c)].map((b) => `=${b.toString(16).padStart(2, '0')}`).join(''),
  );
  return path.join(folder, name.replaceAll('/', ','));
}

function decodeFolder(name: string): string | null {
  if (!name.startsWith('refs,')) return null;
  const bytes = name.replaceAll(',', '/').replace(/%/g, '%25').replace(/=/g, '%');
  try {
    return decodeURIComponent(bytes);
  } catch {
    return null;
  }
}
