import { randomBytes } from 'node:crypto';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { type Clock, systemClock } from '../../../core/clock.ts';
import { isCommitId } from '../../../core/commit-id.ts';
import { Failure } from '../../../core/errors.ts';
import type { Redactor } from '../../../core/redact.ts';
import type { GitAnswer } from '../../../platform/git-system.ts';
import { isWebUrl, secretsInAddress, stripUserinfo } from '../../../platform/git-url.ts';
import { fullRef, isBesideLedgers, isLockBranch } from '../../model/names.ts';
import { wasRemoved } from '../../model/removed.ts';
import { type Change, checkPaths, HeadMoved, HistoryLost, type ReadBranch, type Remembered, type Store, type Tree } from '../store.ts';
import { mustStayReadable } from '../too-large.ts';
import { isAnswer, ledgerFiles } from './git-commits.ts';
import { type GitCredentials, gitCredentials } from './git-credentials.ts';
import { type ObjectFormat, OtherFormat } from './git-format.ts';
import { createHush, type Hush } from './git-hush.ts';
import { type GitObject, gitCommit, gitTree } from './git-object.ts';
import { type Patience, pushUntilKnown, readUntilAnswered } from './git-push.ts';
import { readMany } from './git-read-all.ts';
import { shown } from './git-refusal.ts';
import type { Push } from './git-remote.ts';
import { ledgerFolder, RootFiles } from './git-root-files.ts';
import { type GitSide, openSide } from './git-side.ts';
import { refuseTransport } from './git-transport.ts';
import { changeFolder, commitFacts, type GitFolder, type Making } from './git-tree.ts';

export interface GitStoreOptions {
  /** The remote as the user configured it; user info is used and never stored or shown. */
  readonly url: string;
  /** git looks up its configuration and credential helpers from here. */
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
  /** The top of the checkout. Each folder there that a host may build gets the files that keep the host from building the branch. */
  readonly top?: string;
  /** The header that git's configuration has for this remote, where it was asked for before. */
  readonly extraHeader?: Promise<GitAnswer>;
  /** The run later writes to the branches that it reads, so it asks for heads as a push does: one question serves both. */
  readonly isForWriting?: boolean;
  /** The object format of the checkout: its remote most likely has the same. The remote itself decides. */
  readonly format?: ObjectFormat;
  /** How long each request to the remote waits for trouble to pass. */
  readonly patienceMs?: number | undefined;
  /** After this signal nothing is waited out: a last push gets another attempt or two at once. */
  readonly signal?: AbortSignal | undefined;
}

/** The ledger on branches of a git remote. Commits are made in a cache repository of our own; every push is a compare-and-swap. */
export const openGitStore = (options: GitStoreOptions): Store => new GitStore(options);

class GitStore implements Store {
  readonly kind = 'git-branch';
  readonly location: string;
  readonly stats = { fetches: 0, pushes: 0, lockPushes: 0 };
  readonly #options: GitStoreOptions;
  readonly #clock: Clock;
  readonly #hush: Hush;
  readonly #ownDispatcher: Dispatcher | null;
  readonly #patience: Patience;
  readonly #sideOf: (format: ObjectFormat) => GitSide;
  /** Changes once at most, when the remote turns out to have the other format. */
  #side: GitSide;
  readonly #rootFiles: RootFiles;
  readonly #lost = new Map<string, HistoryLost>();

  constructor(options: GitStoreOptions) {
    const { url, clock = systemClock, patienceMs, signal } = options;
    const isWeb = isWebUrl(url);
    refuseTransport(options);
    this.#hush = createHush(options);
    for (const secret of secretsInAddress(url)) this.#hush.redactor.addIfLong(secret);
    this.location = stripUserinfo(url);
    this.#options = options;
    this.#clock = clock;
    this.#rootFiles = new RootFiles(options);
    this.#patience = { location: this.location, clock, hush: this.#hush, patienceMs, signal };
    this.#ownDispatcher = isWeb && options.dispatcher === undefined ? new EnvHttpProxyAgent({ allowH2: false }) : null;
    const dispatcher = options.dispatcher ?? this.#ownDispatcher;
    const side = {
      ...options,
      url: isWeb ? this.location : url,
      web: isWeb && dispatcher !== null ? { dispatcher, credentials: this.#credentials() } : null,
      hush: this.#hush,
      clock,
      patience: this.#patience,
      isForWriting: options.isForWriting ?? false,
    };
    this.#sideOf = (format) => openSide(side, format);
    this.#side = this.#sideOf(options.format ?? 'sha1');
  }

  read(branch: string): Promise<Tree | null> {
    const ref = fullRef(branch);
    if (!isBesideLedgers(ref)) this.stats.fetches += 1;
    return this.#repairing(async () => {
      const last = await this.#side.commits.remembered(ref);
      const head = await this.#side.commits.bring(ref, last);
      if (head === null) {
        this.#lost.delete(ref);
        // Ask ahead: the first push of this run makes the branch.
        if (this.#options.isForWriting) void this.#rootFiles.ask();
        return null;
      }
      const { root, commit } = await this.#side.commits.load(ref, head);
      const tree = { head, files: ledgerFiles(root), ...commitFacts(commit) };
      this.#lost.delete(ref);
      // A branch may rightly be a new one.
      const isSound =
        last === null || last === head || (await this.#side.commits.leadsBack(ref, head, last)) || (await wasRemoved(this, branch));
      if (isSound) this.#side.commits.remember(ref, head);
      else {
        const known = (await this.#side.memory.of(ref)) ?? { head: last, copy: null, place: '' };
        this.#lost.set(ref, new HistoryLost({ branch, location: this.location, tree, known }));
      }
      return tree;
    });
  }

  append(branch: string, change: Change, expect: string | null, message: string, base?: string): Promise<string> {
    checkPaths(change.keys());
    const ref = fullRef(branch);
    if (isLockBranch(ref)) this.stats.lockPushes += 1;
    else if (!isBesideLedgers(ref)) this.stats.pushes += 1;
    return this.#repairing(async () => {
      const { root: before, lost } = await this.#side.commits.baseOf({ ref, branch, expect, base });
      // Equal texts are one object.
      const made = new Map<string, GitObject>();
      const keep = (object: GitObject): void => void made.set(object.oid, object);
      const into = { made: keep, format: this.#side.format };
      const root = changeFolder(before, await this.#wholeChange(ref, before, new Map([...lost, ...change])), into);
      mustStayReadable(branch, ledgerFiles(root));
      const { oid, content } = this.#commit(root, expect, message, into);
      await this.#push(branch, { ref, expect, to: { oid, objects: [...made.values()] } });
      this.#side.commits.pushed(ref, { head: oid, root, commit: content.toString('latin1') });
      this.#lost.delete(ref);
      return oid;
    });
  }

  readAt(branch: string, head: string): Promise<Tree | null> {
    return this.#repairing(() => this.#side.commits.at(fullRef(branch), head));
  }

  remove(branch: string, expect: string): Promise<void> {
    const ref = fullRef(branch);
    this.stats.pushes += 1;
    return this.#repairing(async () => {
      await this.#push(branch, { ref, expect, to: null });
      await this.#side.commits.forget(ref);
    });
  }

  history(branch: string, most?: number): Promise<readonly string[]> {
    return this.#repairing(() => this.#side.commits.history(fullRef(branch), most));
  }

  past(branch: string, path: string, most: number) {
    return this.#repairing(() => this.#side.commits.past(fullRef(branch), path, most));
  }

  lost(branch: string): HistoryLost | null {
    return this.#lost.get(fullRef(branch)) ?? null;
  }

  remembered(branch: string): Promise<Remembered | null> {
    return this.#side.memory.of(fullRef(branch));
  }

  async message(commit: string): Promise<string | null> {
    if (!isCommitId(commit)) return null;
    const held = await this.#repairing(() => readUntilAnswered(this.#patience, () => this.#side.remote.held(commit)));
    return held === null ? null : (commitFacts(held).message ?? null);
  }

  async recall(commit: string): Promise<Tree | null> {
    return isCommitId(commit) ? await this.#repairing(() => this.#side.commits.recall(commit)) : null;
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

  async *readAll(prefix: string): AsyncGenerator<ReadBranch> {
    const short = prefix.startsWith('refs/') ? 0 : 'refs/heads/'.length;
    const heads = [...(await this.#heads(fullRef(prefix)))].map(([ref, head]) => ({ ref, head }));
    yield* readMany(
      {
        remote: this.#side.remote,
        env: this.#options.env,
        store: this,
        nameOf: (ref) => ref.slice(short),
        persist: (read) => readUntilAnswered(this.#patience, read),
      },
      heads.sort((a, b) => (a.ref < b.ref ? -1 : 1)),
    );
  }

  async close(): Promise<void> {
    this.#side.commits.keep(this.#lost);
    await this.#ownDispatcher?.close();
    await this.#side.cache.close();
  }

  #credentials(): GitCredentials {
    const { url, cwd, env, extraHeader, onSecret: tell } = this.#options;
    const onSecret = (text: string): void => {
      this.#hush.redactor.addIfLong(text);
      tell?.(text);
    };
    return gitCredentials({ url, cwd, env, onSecret, ...(extraHeader && { extraHeader }) });
  }

  #heads(prefix: string): Promise<ReadonlyMap<string, string>> {
    return this.#repairing(() => readUntilAnswered(this.#patience, () => this.#side.remote.heads(prefix, { isForPush: false })));
  }

  async #push(branch: string, push: Push): Promise<void> {
    const isBelow = (oid: string, ref: string): Promise<boolean> => this.#side.commits.isBelow(oid, ref);
    if ((await pushUntilKnown(this.#side.remote, push, { ...this.#patience, isBelow })) === 'moved') throw new HeadMoved(branch);
  }

  /** The change inside the ledger's folder, with the files beside it that the branch lacks. */
  async #wholeChange(ref: string, before: GitFolder | null, change: Change): Promise<Change> {
    const inside = [...change].map(([path, text]) => [`${ledgerFolder}/${path}`, text] as const);
    return new Map([...inside, ...(await this.#rootFiles.missing(ref, before))]);
  }

  #commit(root: GitFolder | null, parent: string | null, message: string, { made, format }: Making): GitObject {
    const by = this.#options.who ?? { name: 'pilotfish', email: 'pilotfish@localhost' };
    const empty = root === null ? gitTree([], format) : null;
    if (empty) made(empty);
    // The nonce keeps two machines that write the same change in the same second from making the same commit: only one of
    // them may believe that it was first.
    const text = `${message.trim()}\n\nAppend ${randomBytes(8).toString('hex')}\n[skip ci]\n`;
    const tree = root?.oid ?? empty?.oid ?? '';
    const commit = gitCommit({ tree, parent, by, at: Math.floor(this.#clock.now() / 1000), message: text, format });
    made(commit);
    return commit;
  }

  /** Does the work again where the remote has the other format. Operations that find this out at once cause one change. */
  async #inOtherFormat<T>(format: ObjectFormat, work: () => Promise<T>): Promise<T> {
    const { format: before, cache } = this.#side;
    if (before !== format) {
      this.#side = this.#sideOf(format);
      await cache.close();
    }
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof OtherFormat)) throw thrown;
      throw new Failure('LEDGER_REFUSED', {
        detail: `The remote ${this.location} says now that it names its objects by SHA-1, now that it does so by SHA-256. Nothing was written.`,
        fix: 'Make sure that one repository answers at this address, then run again.',
        cause: thrown,
      });
    }
  }

  /** Does the work again in a fresh cache when the cache fails. An answer of the remote or of this machine is no such failure. */
  async #repairing<T>(work: () => Promise<T>): Promise<T> {
    const { cache, commits } = this.#side;
    const { count } = cache;
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof OtherFormat) return await this.#inOtherFormat(thrown.format, work);
      if (isAnswer(thrown)) throw thrown;
    }
    if (cache.count === count) commits.drop();
    try {
      await cache.replace(count);
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
