import { linkSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../../core/errors.ts';
import { type Ground, makeFolder, truePath } from '../../../platform/safe-files.ts';
import { fullRef, isLockBranch } from '../../model/names.ts';
import { isLedgerDamage } from '../../model/state.ts';
import { Marks } from '../marks.ts';
import { readOne } from '../read-all.ts';
import { checkPaths, HeadMoved, HistoryLost, type ReadBranch, type Store, type Tree } from '../store.ts';
import { mustStayReadable } from '../too-large.ts';
import { type Branch, branchIn, commitAt, commitOn, contentFor, edited, headsOf, type Look, leadsBack, treeOf } from './local-file.ts';
import { lookInFolder } from './local-folder.ts';
import { locked } from './local-lock.ts';
import { contentOf, digest, diskFailure, hasCode, namesIn, syncFolder, writeDurably } from './local-store-files.ts';

/**
 * The ledger in a folder of this machine, for repositories without a remote. A branch is a file. An append writes it whole beside itself,
 * syncs it and renames it over the old one, while a lock keeps other processes from doing the same: a power cut leaves the old file or
 * the new one. The file before stays as `<file>~before`, for a restore when the newest one is damaged.
 */
export const openLocalStore = (place: LocalPlace): Store => new LocalStore(place);

export interface LocalPlace {
  readonly folder: string;
  /** No link below this folder is followed. Without it, `folder` is the ground. */
  readonly ground?: Ground;
}

/** The members are own properties, so that a store with another `append` can be made of this one. */
class LocalStore implements Store {
  readonly kind = 'local';
  readonly location: string;
  readonly stats = { fetches: 0, pushes: 0, lockPushes: 0 };
  readonly #ground: Ground;
  readonly #marks: Marks;
  readonly #lost = new Map<string, HistoryLost>();

  constructor({ folder, ground = folder }: LocalPlace) {
    this.location = folder;
    this.#ground = ground;
    // Beside the ledger, so that they outlive it.
    this.#marks = new Marks(path.join(path.dirname(folder), 'last'), ground);
  }

  readonly read: Store['read'] = (branch) => {
    if (!isLockBranch(branch)) this.stats.fetches += 1;
    return this.#read(branch);
  };

  #read(branch: string): Promise<Tree | null> {
    return this.#onDisk(branch, async (place) => {
      // The mark is read before the file: another process may append meanwhile and write a newer mark.
      const known = isLockBranch(branch) ? null : this.#marks.of(place.name);
      const look = await lookAt(place);
      if (look?.damage) throw look.damage;
      this.#lost.delete(place.name);
      if (!look?.newest) return null;
      const { newest } = look;
      const tree = treeOf(commitAt(newest, newest.head) ?? newest);
      if (known && !leadsBack(newest, known)) this.#lost.set(place.name, new HistoryLost({ branch, location: this.location, tree, known }));
      return tree;
    });
  }

  async *#readAll(prefix: string): AsyncGenerator<ReadBranch> {
    this.stats.fetches += 1;
    const short = prefix.startsWith('refs/') ? 0 : 'refs/heads/'.length;
    for (const ref of await this.#refs(prefix)) {
      const found = await readOne({ read: (branch) => this.#read(branch) }, ref.slice(short));
      if (found !== null) yield found;
    }
  }

  /** The refs that start with a prefix, also such as hold nothing that can be read. */
  #refs(prefix: string): Promise<readonly string[]> {
    return this.#onDisk(prefix, async () => {
      const refs = new Set((await namesIn(this.location)).map(refIn));
      return [...refs]
        .filter((ref) => ref !== null)
        .filter((ref) => ref.startsWith(fullRef(prefix)))
        .sort();
    });
  }

  readonly append: Store['append'] = (branch, change, expect, message, base) => {
    checkPaths(change.keys());
    if (isLockBranch(branch)) this.stats.lockPushes += 1;
    else this.stats.pushes += 1;
    return this.#onDisk(branch, async (place) => {
      makeFolder(this.location, this.#ground);
      const { head, number } = await locked(place.file, this.#ground, async (turn) => {
        const look = await lookAt(place);
        // Only an older commit can replace a damaged one.
        if (base === undefined && look?.damage) throw look.damage;
        const newest = look?.newest ?? null;
        const from = base === undefined || newest === null ? newest : commitAt(newest, base);
        if ((look?.head ?? null) !== expect || (base !== undefined && from === null)) throw new HeadMoved(branch);
        const edit = [...change].map(([file, text]) => [file, text === null ? null : Buffer.from(text)] as const);
        const next = commitOn(newest, edited(from?.files ?? new Map(), new Map(edit)), message);
        mustStayReadable(branch, next.files);
        await writeDurably(turn.draft, contentFor(place.ref, next), this.#ground);
        if (!turn.isMine()) throw new HeadMoved(branch);
        replace(place, turn.draft);
        return next;
      });
      await syncFolder(this.location);
      this.#lost.delete(place.name);
      if (!isLockBranch(branch)) this.#marks.set(place.name, head, number);
      return head;
    });
  };

  readonly readAt: Required<Store>['readAt'] = (branch, head) => {
    return this.#onDisk(branch, async (place) => {
      const newest = (await lookAt(place))?.newest;
      const found = newest && commitAt(newest, head);
      return found ? treeOf(found) : null;
    });
  };

  readonly remove: Store['remove'] = (branch, expect) => {
    this.stats.pushes += 1;
    return this.#onDisk(branch, async (place) => {
      makeFolder(this.location, this.#ground);
      await locked(place.file, this.#ground, async ({ draft, isMine }) => {
        if ((await lookAt(place))?.head !== expect || !isMine()) throw new HeadMoved(branch);
        // The file hides the folder of an earlier version, so the file goes last.
        ifThere(() => renameSync(place.home, draft));
        for (const one of [place.before, place.file]) rmSync(one, { force: true });
      });
      await syncFolder(this.location);
      this.#marks.remove(place.name);
    });
  };

  readonly history: Required<Store>['history'] = (branch) => {
    return this.#onDisk(branch, async (place) => {
      const newest = (await lookAt(place))?.newest;
      return newest ? headsOf(newest) : [];
    });
  };

  readonly lost: Required<Store>['lost'] = (branch) => {
    return this.#lost.get(nameOf(branch)) ?? null;
  };

  readonly remembered: Required<Store>['remembered'] = async (branch) => {
    return this.#marks.of(nameOf(branch));
  };

  readonly head: Store['head'] = (branch) => {
    return this.#onDisk(branch, async (place) => (await lookAt(place))?.head ?? null);
  };

  readonly list: Store['list'] = (prefix) => {
    return this.#onDisk(prefix, async () => {
      const short = prefix.startsWith('refs/') ? 0 : 'refs/heads/'.length;
      const found: { readonly branch: string; readonly head: string }[] = [];
      for (const ref of await this.#refs(prefix)) {
        const head = (await lookAt(placeOf(this.location, ref)))?.head;
        if (head) found.push({ branch: ref.slice(short), head });
      }
      return found;
    });
  };

  readonly readAll: Required<Store>['readAll'] = (prefix) => this.#readAll(prefix);

  readonly close: Store['close'] = async () => {};

  async #onDisk<T>(branch: string, work: (place: Place) => Promise<T>): Promise<T> {
    try {
      truePath(this.location, this.#ground);
      return await work(placeOf(this.location, branch));
    } catch (thrown) {
      throw diskFailure(thrown, this.location);
    }
  }
}

/** The paths of a branch. */
interface Place {
  readonly ref: string;
  readonly name: string;
  readonly file: string;
  readonly before: string;
  /** The folder in which earlier versions kept the branch. */
  readonly home: string;
}

function placeOf(folder: string, branch: string): Place {
  const name = nameOf(branch);
  const file = path.join(folder, name.slice('refs,'.length));
  return { ref: fullRef(branch), name, file, before: `${file}~before`, home: path.join(folder, name) };
}

/** A ref as one name: `refs,heads,pilotfish-receipts,preview,pr-12`. Names of `names.ts` stay readable; `=` escapes the rest, `~` too. */
const nameOf = (branch: string): string =>
  fullRef(branch)
    .replace(/[^a-z0-9._%/-]/gu, (c) => [...Buffer.from(c)].map((byte) => `=${byte.toString(16).padStart(2, '0')}`).join(''))
    .replaceAll('/', ',');

/** The ref whose file, or folder of an earlier version, has this name; `null` for every other name. */
function refIn(name: string): string | null {
  if (name.includes('~')) return null;
  const bytes = name
    .replace(/^(refs,)?/, 'refs,')
    .replaceAll(',', '/')
    .replace(/%/g, '%25')
    .replace(/=/g, '%');
  try {
    return decodeURIComponent(bytes);
  } catch {
    return null;
  }
}

async function lookAt(place: Place): Promise<Look | null> {
  const { ref, file, before, home } = place;
  const content = boundedContent(file);
  if (content instanceof Failure) return { head: `damaged-${digest(content.detail)}`, newest: soundIn(before, ref), damage: content };
  if (content === null) {
    const look = await lookInFolder(home, ref);
    // Another process may meanwhile have replaced the folder by a file.
    return boundedContent(file) === null ? look : lookAt(place);
  }
  try {
    const newest = branchIn(content, ref, file);
    return { head: newest.head, newest, damage: null };
  } catch (error) {
    if (!isLedgerDamage(error)) throw error;
    return { head: `damaged-${digest(content)}`, newest: soundIn(before, ref), damage: error };
  }
}

/** A file that is larger than any of ours is damage of its own branch, and of no other. */
function boundedContent(file: string): Buffer | Failure | null {
  try {
    return contentOf(file);
  } catch (error) {
    if (!isLedgerDamage(error)) throw error;
    return error;
  }
}

function soundIn(file: string, ref: string): Branch | null {
  try {
    const content = contentOf(file);
    return content && branchIn(content, ref, file);
  } catch (error) {
    if (!isLedgerDamage(error)) throw error;
    return null;
  }
}

function replace({ file, before, home }: Place, draft: string): void {
  rmSync(before, { force: true });
  try {
    linkSync(file, before);
  } catch {
    // The branch is new, or the file system has no links. Without the link a damaged file has no older commits.
  }
  renameSync(draft, file);
  // The file now stands for the folder of an earlier version.
  ifThere(() => renameSync(home, draft));
}

function ifThere(work: () => void): void {
  try {
    work();
  } catch (thrown) {
    if (!hasCode(thrown, 'ENOENT')) throw thrown;
  }
}
