import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { type Clock, systemClock } from '../../../core/clock.ts';
import { Failure } from '../../../core/errors.ts';
import type { Redactor } from '../../../core/redact.ts';
import type { GitAnswer } from '../../../platform/git-system.ts';
import { isWebUrl, secretsInAddress, stripUserinfo } from '../../../platform/git-url.ts';
import { fullRef, isLockBranch } from '../../model/names.ts';
import { wasRemoved } from '../../model/removed.ts';
import { type Change, checkPaths, type Files, HeadMoved, HistoryLost, type Remembered, type Store, type Tree } from '../store.ts';
import { cachePlace, openGitCache } from './git-cache.ts';
import { GitCacheInUse } from './git-cache-in-use.ts';
import { gitCredentials } from './git-credentials.ts';
import { lastCommits, leadsBack, olderCommit } from './git-history.ts';
import { createHush, type Hush } from './git-hush.ts';
import { GitKnown, type KnownCommit, treeOf } from './git-known.ts';
import { gitLibrary } from './git-library.ts';
import { type GitObject, gitCommit, gitTree } from './git-object.ts';
import { type Patience, pushUntilKnown, readUntilAnswered, removeUntilKnown } from './git-push.ts';
import { shown } from './git-refusal.ts';
import { RemoteTrouble, seenRef } from './git-remote.ts';
import { httpRemote } from './git-remote-http.ts';
import { systemRemote } from './git-remote-system.ts';
import { ledgerFolder, RootFiles } from './git-root-files.ts';
import { changeFolder, filesBelow, type GitFolder, isFolder, readFolder } from './git-tree.ts';

export interface GitStoreOptions {
  /** The remote as the user configured it; user info is used and never stored or shown. */
  readonly url: string;
  /** Where git's configuration and credential helpers are looked up. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Learns every credential before it is used. */
  readonly onSecret?: (text: string) => void;
  /** Masks the words of the remote; it learns the same. */
  readonly redactor?: Redactor;
  readonly cacheDir?: string;
  readonly dispatcher?: Dispatcher;
  readonly clock?: Clock;
  readonly who?: { readonly name: string; readonly email: string };
  /** The top of the checkout: what keeps hosts from building a branch stands in each folder of it that they may build. */
  readonly top?: string;
  /** The header that git's configuration has for this remote, where it was asked for before. */
  readonly extraHeader?: Promise<GitAnswer>;
  /** What is read is written to afterwards, so a remote is asked for heads as who pushes asks: once for both. */
  readonly isForWriting?: boolean;
  /** How long trouble of the remote is waited out at most, for each thing that is asked of it. */
  readonly patienceMs?: number | undefined;
  /** From then on nothing is waited out: a last push gets another attempt or two at once. */
  readonly signal?: AbortSignal | undefined;
}

/** How far below a remote's head a commit is looked for that should be there. */
const searchDepth = 50;
/** Others wrote about so much since this machine last read a branch. */
const usualDepth = 16;
/** So often a head is asked for that does not lead back. */
const looks = 3;

/** The ledger on branches of a git remote. Commits are made in a cache repository of our own; every push is a compare-and-swap. */
export const openGitStore = (options: GitStoreOptions): Store => new GitStore(options);

class GitStore implements Store {
  readonly kind = 'git-branch';
  readonly location: string;
  readonly stats = { fetches: 0, pushes: 0, lockPushes: 0 };
  readonly #clock: Clock;
  readonly #options: GitStoreOptions;
  readonly #remote: ReturnType<typeof httpRemote>;
  readonly #ownDispatcher: Dispatcher | null;
  readonly #known = new Map<string, KnownCommit>();
  readonly #lost = new Map<string, HistoryLost>();
  readonly #memory: GitKnown;
  readonly #cache: GitCacheInUse;
  readonly #rootFiles: RootFiles;
  readonly #hush: Hush;

  constructor(options: GitStoreOptions) {
    const { url, cwd, env } = options;
    this.#hush = createHush(options);
    const onSecret = (text: string): void => {
      this.#hush.redactor.addIfLong(text);
      options.onSecret?.(text);
    };
    for (const secret of secretsInAddress(url)) this.#hush.redactor.addIfLong(secret);
    this.location = stripUserinfo(url);
    this.#options = options;
    this.#rootFiles = new RootFiles(options);
    this.#clock = options.clock ?? systemClock;
    this.#cache = new GitCacheInUse(() => openGitCache(url, env, options.cacheDir));
    this.#memory = new GitKnown(`${cachePlace(url, env, options.cacheDir)}.known`);
    const isWeb = isWebUrl(url);
    this.#ownDispatcher = isWeb && options.dispatcher === undefined ? new EnvHttpProxyAgent({ allowH2: false }) : null;
    const dispatcher = options.dispatcher ?? this.#ownDispatcher;
    const shared = { clock: this.#clock, hush: this.#hush, cache: () => this.#cache.now() };
    this.#remote =
      isWeb && dispatcher !== null
        ? httpRemote({
            ...shared,
            url: this.location,
            dispatcher,
            credentials: gitCredentials({ url, cwd, env, onSecret, ...(options.extraHeader && { extraHeader: options.extraHeader }) }),
          })
        : systemRemote({ ...shared, url, cwd, env });
  }

  read(branch: string): Promise<Tree | null> {
    const ref = fullRef(branch);
    if (!isLockBranch(ref)) this.stats.fetches += 1;
    return this.#repairing(async () => {
      // Before the remote is asked: another process of this machine may push meanwhile, and remember it.
      const last = isReceipts(ref) ? await this.#memory.last(ref) : null;
      const head = await this.#bring(ref, last === null ? 1 : usualDepth);
      if (head === null) {
        // Asked ahead: what a run reads to write to is made by its first push.
        if (this.#options.isForWriting) void this.#rootFiles.ask();
        this.#lost.delete(ref);
        return null;
      }
      const { root } = await this.#load(ref, head);
      const tree = { head, files: filesBelow(ledgerOf(root)) };
      this.#lost.delete(ref);
      if (last !== null && last !== head && !(await this.#leadsBack(branch, head, last))) {
        const known = (await this.#memory.of(ref)) ?? { head: last, copy: null, place: '' };
        this.#lost.set(ref, new HistoryLost({ branch, location: this.location, tree, known }));
        return tree;
      }
      this.#remember(ref, head);
      return tree;
    });
  }

  append(branch: string, change: Change, expect: string | null, message: string, base?: string): Promise<string> {
    checkPaths(change.keys());
    const ref = fullRef(branch);
    if (isLockBranch(ref)) this.stats.lockPushes += 1;
    else this.stats.pushes += 1;
    return this.#repairing(async () => {
      const older = base === undefined ? null : await this.#olderRoot(ref, branch, base);
      const before = older === null ? await this.#rootOf(ref, branch, expect) : older.root;
      // Equal texts are one object.
      const made = new Map<string, GitObject>();
      const keep = (object: GitObject): void => void made.set(object.oid, object);
      const whole = older === null ? change : new Map([...older.files, ...change]);
      const root = changeFolder(before, await this.#wholeChange(ref, before, whole), keep);
      const commit = this.#commit(root, expect, message, keep);
      const { oid } = commit;
      const outcome = await pushUntilKnown(
        this.#remote,
        { oid, ref, expect, objects: [...made.values()] },
        { ...this.#waiting(), isBelow: (commit, at) => this.#isBelow(commit, at) },
      );
      if (outcome === 'moved') throw new HeadMoved(branch);
      this.#known.set(ref, { head: oid, root, commit: commit.content.toString('latin1') });
      this.#lost.delete(ref);
      this.#remember(ref, oid);
      return oid;
    });
  }

  readAt(branch: string, head: string): Promise<Tree | null> {
    const ref = fullRef(branch);
    return this.#repairing(async () => {
      const cache = await this.#cache.now();
      const found = await olderCommit(cache, head, (depth) => this.#fetch(ref, depth));
      if (found === null) return await this.#keptCopy(ref, head);
      const root = await readFolder(cache, found.tree, isLedger);
      return { head: found.oid, files: filesBelow(ledgerOf(root)) };
    });
  }

  remove(branch: string, expect: string): Promise<void> {
    const ref = fullRef(branch);
    this.stats.pushes += 1;
    return this.#repairing(async () => {
      const outcome = await removeUntilKnown(this.#remote, { ref, expect, ...this.#waiting() });
      if (outcome === 'moved') throw new HeadMoved(branch);
      this.#known.delete(ref);
      await this.#memory.forget(ref);
      const { default: git } = await gitLibrary();
      await git.deleteRef({ ...(await this.#cache.now()), ref: seenRef(ref) });
    });
  }

  history(branch: string, most?: number): Promise<readonly string[]> {
    return this.#repairing(async () => lastCommits(await this.#cache.now(), (depth) => this.#fetch(fullRef(branch), depth), most));
  }

  lost(branch: string): HistoryLost | null {
    return this.#lost.get(fullRef(branch)) ?? null;
  }

  remembered(branch: string): Promise<Remembered | null> {
    return this.#memory.of(fullRef(branch));
  }

  async head(branch: string): Promise<string | null> {
    const ref = fullRef(branch);
    return (await this.#heads(ref)).get(ref) ?? null;
  }

  async list(prefix: string): Promise<readonly { readonly branch: string; readonly head: string }[]> {
    const short = prefix.startsWith('refs/') ? 0 : 'refs/heads/'.length;
    const found = await this.#heads(fullRef(prefix));
    return [...found].map(([ref, head]) => ({ branch: ref.slice(short), head })).sort((a, b) => (a.branch < b.branch ? -1 : 1));
  }

  async close(): Promise<void> {
    // Of a branch that lost its history, the copy is all that names what was lost.
    for (const [ref, known] of this.#known) if (isReceipts(ref) && !this.#lost.has(ref)) this.#memory.keep(ref, known);
    await this.#remote.close();
    await this.#ownDispatcher?.close();
    await this.#cache.close();
  }

  #heads(prefix: string): Promise<ReadonlyMap<string, string>> {
    return this.#repairing(() => readUntilAnswered(this.#waiting(), () => this.#remote.refs(prefix)));
  }

  /** Asks for the head, and brings its objects unless they are here: after an append of our own they are, and where a copy is of it. */
  async #bring(ref: string, depth: number): Promise<string | null> {
    // The system's git needs in the cache what a push is built on; a push of our own holds all that the remote lacks.
    const isWeb = isWebUrl(this.#options.url);
    if (isWeb && isReceipts(ref) && !this.#known.has(ref)) {
      const copy = await this.#memory.copy(ref);
      if (copy !== null) this.#known.set(ref, copy);
    }
    const isHere = async (head: string): Promise<boolean> => head === (this.#known.get(ref)?.head ?? (await this.#seen(ref)));
    if (isWeb && this.#options.isForWriting) {
      const head = await readUntilAnswered(this.#waiting(), () => this.#remote.headForPush(ref));
      return head === null || (await isHere(head)) ? head : await this.#fetch(ref, depth);
    }
    // Who has nothing of it yet asks for all at once.
    if (!this.#known.has(ref) && (await this.#seen(ref)) === null) return await this.#fetch(ref, depth);
    const head = (await readUntilAnswered(this.#waiting(), () => this.#remote.refs(ref))).get(ref) ?? null;
    return head === null || (await isHere(head)) ? head : await this.#fetch(ref, depth);
  }

  #fetch(ref: string, depth: number): Promise<string | null> {
    return readUntilAnswered(this.#waiting(), () => this.#remote.fetch(ref, depth));
  }

  /** The head that was last fetched. Nobody packs the refs of a cache. */
  async #seen(ref: string): Promise<string | null> {
    const { gitdir } = await this.#cache.now();
    const text = await readFile(path.join(gitdir, seenRef(ref)), 'utf8').catch(() => '');
    return /^[0-9a-f]{40}$/.test(text.trim()) ? text.trim() : null;
  }

  /** The commit that a change was made from: in memory, in the cache, or still the head of the remote. */
  async #base(ref: string, branch: string, expect: string): Promise<KnownCommit> {
    const known = this.#known.get(ref);
    if (known?.head === expect) return known;
    if ((await this.#seen(ref)) === expect) return this.#load(ref, expect);
    const head = await this.#fetch(ref, 1);
    if (head !== expect) throw new HeadMoved(branch);
    return this.#load(ref, head);
  }

  async #rootOf(ref: string, branch: string, expect: string | null): Promise<GitFolder | null> {
    return expect === null ? null : (await this.#base(ref, branch, expect)).root;
  }

  /** An older commit to build on. Of a copy that the branch has lost the remote may lack everything, so its files are written anew. */
  async #olderRoot(ref: string, branch: string, base: string): Promise<{ readonly root: GitFolder | null; readonly files: Files }> {
    const cache = await this.#cache.now();
    const found = await olderCommit(cache, base, (depth) => this.#fetch(ref, depth));
    if (found !== null) return { root: await readFolder(cache, found.tree, isLedger), files: new Map() };
    const copy = await this.#keptCopy(ref, base);
    if (copy === null) throw new HeadMoved(branch);
    return { root: null, files: copy.files };
  }

  /** Whether the branch still has the commit `last` of it. A host may show an older head for a moment, and a branch may be a new one by right. */
  async #leadsBack(branch: string, head: string, last: string): Promise<boolean> {
    const ref = fullRef(branch);
    const cache = await this.#cache.now();
    for (let look = 1, at: string | null = head; at !== null; look += 1) {
      if (await leadsBack(cache, { head: at, older: last }, (depth) => this.#fetch(ref, depth))) return true;
      if (look === looks) break;
      await this.#clock.sleep(look * 1_000);
      at = await this.#fetch(ref, usualDepth);
    }
    return await wasRemoved(this, branch);
  }

  #remember(ref: string, head: string): void {
    if (isReceipts(ref)) this.#memory.note(ref, head);
  }

  /** What this machine has of a commit that the branch had once. */
  async #keptCopy(ref: string, head: string): Promise<Tree | null> {
    const copy = await this.#memory.copy(ref);
    return copy?.head.startsWith(head) ? { head: copy.head, files: filesBelow(ledgerOf(copy.root)) } : null;
  }

  async #load(ref: string, head: string): Promise<KnownCommit> {
    const before = this.#known.get(ref);
    if (before?.head === head) return before;
    const { default: git } = await gitLibrary();
    const cache = await this.#cache.now();
    const { object } = await git.readObject({ ...cache, oid: head, format: 'content' });
    const commit = Buffer.from(object instanceof Uint8Array ? object : []).toString('latin1');
    const tree = treeOf(commit);
    if (tree === null) throw new Error(`${head} is no commit`);
    const known = { head, commit, root: await readFolder(cache, tree, isLedger, before?.root ?? undefined) };
    this.#known.set(ref, known);
    return known;
  }

  /** The change inside the ledger's folder, with the files beside it that the branch lacks. */
  async #wholeChange(ref: string, before: GitFolder | null, change: Change): Promise<Change> {
    const inside = [...change].map(([path, text]) => [`${ledgerFolder}/${path}`, text] as const);
    return new Map([...inside, ...(await this.#rootFiles.missing(ref, before))]);
  }

  #commit(root: GitFolder | null, parent: string | null, message: string, made: (object: GitObject) => void): GitObject {
    const by = this.#options.who ?? { name: 'pilotfish', email: 'pilotfish@localhost' };
    const empty = root === null ? gitTree([]) : null;
    if (empty) made(empty);
    // The nonce keeps two machines that write the same change in the same second from making the same commit: only one of
    // them may believe that it was first.
    const text = `${message.trim()}\n\nAppend ${randomBytes(8).toString('hex')}\n[skip ci]\n`;
    const tree = root?.oid ?? empty?.oid ?? '';
    const commit = gitCommit({ tree, parent, by, at: Math.floor(this.#clock.now() / 1000), message: text });
    made(commit);
    return commit;
  }

  /** Whether the remote's branch holds our commit, below commits that others made since. */
  async #isBelow(oid: string, ref: string): Promise<boolean> {
    let at = await this.#remote.fetch(ref, searchDepth).catch((thrown: unknown) => {
      if (isAnswer(thrown)) throw thrown;
      throw new RemoteTrouble(String(thrown), { wasSent: true, cause: thrown });
    });
    const { default: git } = await gitLibrary();
    const cache = await this.#cache.now();
    for (let steps = 0; at !== null && at !== oid && steps < searchDepth; steps += 1) {
      const found = await git.readCommit({ ...cache, oid: at }).catch(() => null);
      at = found?.commit.parent[0] ?? null;
    }
    return at === oid;
  }

  #waiting(): Patience {
    const { patienceMs, signal } = this.#options;
    return { location: this.location, clock: this.#clock, hush: this.#hush, patienceMs, signal };
  }

  /** The cache is only a cache: when it fails in a way that is nobody's answer, the work is done again in a fresh one. */
  async #repairing<T>(work: () => Promise<T>): Promise<T> {
    const { count } = this.#cache;
    try {
      return await work();
    } catch (thrown) {
      if (isAnswer(thrown)) throw thrown;
    }
    if (this.#cache.count === count) this.#known.clear();
    try {
      await this.#cache.replace(count);
      return await work();
    } catch (thrown) {
      if (isAnswer(thrown)) throw thrown;
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw new Failure('LEDGER_REFUSED', {
        detail: `The ledger on ${this.location} could not be read or written: ${await shown(why, this.#hush)}.`,
        fix: 'Make sure that the cache folder and the temporary folder are writable and have free space, then run again.',
        cause: thrown,
      });
    }
  }
}

const isAnswer = (thrown: unknown): boolean => thrown instanceof Failure || thrown instanceof HeadMoved || thrown instanceof RemoteTrouble;

const isReceipts = (ref: string): boolean => ref.startsWith('refs/heads/') && !isLockBranch(ref);

const isLedger = (path: string): boolean => path.startsWith(`${ledgerFolder}/`);

function ledgerOf(root: GitFolder | null): GitFolder | null {
  const folder = root?.entries.get(ledgerFolder);
  return isFolder(folder) ? folder : null;
}
