import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../../core/clock.ts';
import { isCommitId } from '../../../core/commit-id.ts';
import { Failure } from '../../../core/errors.ts';
import { fullRef, isLockBranch, placeBranch } from '../../model/names.ts';
import { RemoteTrouble } from '../patience.ts';
import { type Files, HeadMoved, type Tree } from '../store.ts';
import type { GitCacheInUse } from './git-cache-in-use.ts';
import { OtherFormat } from './git-format.ts';
import { fileBack, lastCommits, leadsBack, olderCommit } from './git-history.ts';
import type { GitKnown, KnownCommit } from './git-known.ts';
import { commitsBack } from './git-objects.ts';
import { type Patience, readUntilAnswered } from './git-push.ts';
import { type GitRemote, seenRef } from './git-remote.ts';
import { ledgerFolder } from './git-root-files.ts';
import { commitFacts, filesBelow, type GitFolder, isFolder, readCommit } from './git-tree.ts';

/** A search for our own commit goes this far below a remote's head. */
const searchDepth = 50;
/** Others usually wrote no more commits since this machine last read a branch. */
const usualDepth = 16;
/** A head that does not lead back is asked for this often. */
const looks = 3;

export interface GitCommitsOptions {
  readonly remote: GitRemote;
  readonly cache: GitCacheInUse;
  readonly memory: GitKnown;
  readonly patience: Patience;
  readonly clock: Clock;
  /** Our own wire: a push holds all that the remote lacks. The system's git needs the base of a push in the cache. */
  readonly isOwnWire: boolean;
  readonly isForWriting: boolean;
}

/** The commits of a remote's branches as far as this machine has them: in memory, in the cache repository, as a copy. It fetches the others. */
export class GitCommits {
  readonly #o: GitCommitsOptions;
  readonly #known = new Map<string, KnownCommit>();

  constructor(options: GitCommitsOptions) {
    this.#o = options;
  }

  /** The head of the branch when this machine last saw it. Ask before `bring`: meanwhile another process here may push and remember its head. */
  async remembered(ref: string): Promise<string | null> {
    return isReceipts(ref) ? await this.#o.memory.last(ref) : null;
  }

  /** Asks for the head, and fetches its objects unless they are here. After our own append, and with a copy of that head, they are. */
  async bring(ref: string, last: string | null): Promise<string | null> {
    const { remote, patience, memory, isOwnWire, isForWriting } = this.#o;
    if (isOwnWire && isReceipts(ref) && !this.#known.has(ref)) {
      const copy = await memory.copy(ref);
      if (copy !== null) this.#known.set(ref, copy);
    }
    const isForPush = isOwnWire && isForWriting;
    const depth = last === null ? 1 : usualDepth;
    // Nothing of the branch is here, so one request asks for all. The branch of the place is seldom there, and is asked for by its head.
    const isPlace = ref === fullRef(placeBranch);
    if (!isPlace && !isForPush && !this.#known.has(ref) && (await this.#seen(ref)) === null) return await this.fetch(ref, depth);
    const shown = (isPlace && remote.shown?.()) || null;
    // A scope is noted in the history before its branch goes. So where one answer shows neither, no run packed the scope.
    if (isHistory(ref) && remote.shown?.()?.has(ref) === false) return null;
    const head = (shown ?? (await readUntilAnswered(patience, () => remote.heads(ref, { isForPush })))).get(ref) ?? null;
    const isHere = head === null || head === (this.#known.get(ref)?.head ?? (await this.#seen(ref)));
    return isHere ? head : await this.fetch(ref, depth);
  }

  fetch(ref: string, depth: number): Promise<string | null> {
    return readUntilAnswered(this.#o.patience, () => this.#o.remote.fetch(ref, depth));
  }

  /** Reads the commit with all its files of the ledger. Its objects must be here. */
  async load(ref: string, head: string): Promise<KnownCommit> {
    const before = this.#known.get(ref);
    if (before?.head === head) return before;
    const known = { head, ...(await readCommit(await this.#o.cache.now(), head, isLedger, before?.root)) };
    this.#known.set(ref, known);
    return known;
  }

  /**
   * The files that a change is made on: those of `expect`, or of the older commit `base`. The remote may lack every object of a copy that the
   * branch has lost, so the change writes its files anew.
   */
  async baseOf(o: { ref: string; branch: string; expect: string | null; base: string | undefined }): Promise<Base> {
    const { ref, branch, expect, base } = o;
    if (base === undefined) return { root: expect === null ? null : (await this.#expected(ref, branch, expect)).root, lost: new Map() };
    const older = await this.#older(ref, base);
    if (older !== null) return { root: older.root, lost: new Map() };
    const copy = await this.#copy(ref, base);
    if (copy === null) throw new HeadMoved(branch);
    return { root: null, lost: copy.files };
  }

  /** An older commit of the branch, or the copy of one that the branch has lost. */
  async at(ref: string, head: string): Promise<Tree | null> {
    const older = await this.#older(ref, head);
    return older === null ? await this.#copy(ref, head) : { head: older.head, files: ledgerFiles(older.root) };
  }

  /** Reads a commit even if no branch leads to it. */
  async recall(head: string): Promise<Tree | null> {
    if (!(await readUntilAnswered(this.#o.patience, () => this.#o.remote.bring(head)))) return null;
    const { root, commit } = await readCommit(await this.#o.cache.now(), head, isLedger);
    return { head, files: ledgerFiles(root), ...commitFacts(commit) };
  }

  async history(ref: string, most?: number): Promise<readonly string[]> {
    return lastCommits(await this.#o.cache.now(), (depth) => this.fetch(ref, depth), most);
  }

  async past(ref: string, path: string, most: number) {
    const cache = await this.#o.cache.now();
    return fileBack(cache, (depth) => this.fetch(ref, depth), { path: `${ledgerFolder}/${path}`, most });
  }

  /** Whether the branch still holds its commit `last`. A host may show an older head for a moment, so this asks several times. */
  async leadsBack(ref: string, head: string, last: string): Promise<boolean> {
    const cache = await this.#o.cache.now();
    for (let look = 1, at: string | null = head; at !== null; look += 1) {
      if (await leadsBack(cache, { head: at, older: last }, (depth) => this.fetch(ref, depth))) return true;
      if (look === looks) return false;
      await this.#o.clock.sleep(look * 1_000);
      at = await this.fetch(ref, usualDepth);
    }
    return false;
  }

  /** Whether the remote's branch holds our commit, below commits that others made since. */
  async isBelow(oid: string, ref: string): Promise<boolean> {
    const head = await this.#o.remote.fetch(ref, searchDepth).catch((thrown: unknown) => {
      if (isAnswer(thrown)) throw thrown;
      throw new RemoteTrouble(String(thrown), { wasSent: true, cause: thrown });
    });
    return head !== null && (await commitsBack(await this.#o.cache.now(), head, searchDepth)).commits.includes(oid);
  }

  /** Our own push brought the branch to this commit. */
  pushed(ref: string, commit: KnownCommit): void {
    this.#known.set(ref, commit);
    this.remember(ref, commit.head);
  }

  remember(ref: string, head: string): void {
    if (isReceipts(ref)) this.#o.memory.note(ref, head);
  }

  /** The branch is gone. */
  async forget(ref: string): Promise<void> {
    this.#known.delete(ref);
    await this.#o.memory.forget(ref);
    await rm(path.join((await this.#o.cache.now()).gitdir, seenRef(ref)), { force: true });
  }

  /** Drops commits that were read through a damaged cache. */
  drop(): void {
    this.#known.clear();
  }

  /** Copies all branches but `lost` ones: only their older copy still names what was lost. */
  keep(lost: ReadonlyMap<string, unknown>): void {
    for (const [ref, known] of this.#known) if (isReceipts(ref) && !lost.has(ref)) this.#o.memory.keep(ref, known);
  }

  /** The head that was last fetched. Nobody packs the refs of a cache. */
  async #seen(ref: string): Promise<string | null> {
    const { gitdir } = await this.#o.cache.now();
    const text = await readFile(path.join(gitdir, seenRef(ref)), 'utf8').catch(() => '');
    return isCommitId(text.trim()) ? text.trim() : null;
  }

  /** The commit that a change was made from: in memory, in the cache, or still the head of the remote. */
  async #expected(ref: string, branch: string, expect: string): Promise<KnownCommit> {
    const known = this.#known.get(ref);
    if (known?.head === expect) return known;
    if ((await this.#seen(ref)) !== expect && (await this.fetch(ref, 1)) !== expect) throw new HeadMoved(branch);
    return this.load(ref, expect);
  }

  async #older(ref: string, head: string): Promise<{ readonly head: string; readonly root: GitFolder } | null> {
    const cache = await this.#o.cache.now();
    const seen = await this.#seen(ref);
    const found = await olderCommit(cache, { wanted: head, seen }, (depth) => this.fetch(ref, depth));
    return found === null ? null : { head: found, root: (await readCommit(cache, found, isLedger, this.#known.get(ref)?.root)).root };
  }

  async #copy(ref: string, head: string): Promise<Tree | null> {
    const copy = await this.#o.memory.copy(ref);
    return copy?.head.startsWith(head) ? { head: copy.head, files: ledgerFiles(copy.root) } : null;
  }
}

/** `lost`: files that the remote may lack, so the change writes them. */
export interface Base {
  readonly root: GitFolder | null;
  readonly lost: Files;
}

/** An answer of the remote or of this machine, and no fault of the cache. */
export const isAnswer = (thrown: unknown): boolean =>
  [Failure, HeadMoved, RemoteTrouble, OtherFormat].some((kind) => thrown instanceof kind);

const isHistory = (ref: string): boolean => ref.endsWith('/_history');

const isReceipts = (ref: string): boolean => ref.startsWith('refs/heads/') && !isLockBranch(ref);

const isLedger = (file: string): boolean => file.startsWith(`${ledgerFolder}/`);

/** The files of the ledger, without those that stand beside its folder. */
export function ledgerFiles(root: GitFolder | null): Files {
  const folder = root?.entries.get(ledgerFolder);
  return filesBelow(isFolder(folder) ? folder : null);
}
