import type { Dispatcher } from 'undici';
import { systemClock } from '../../../core/clock.ts';
import { fullRef, isLockBranch } from '../../model/names.ts';
import { wasRemoved } from '../../model/removed.ts';
import { commitAt, commitOn, edited, headsOf, leadsBack, treeOf } from '../local/local-file.ts';
import { readOne } from '../read-all.ts';
import { RefMarks, type ServerStoreOptions } from '../ref-marks.ts';
import { type Change, checkPaths, HeadMoved, HistoryLost, type ReadBranch, type Remembered, type Store, type Tree } from '../store.ts';
import { mustStayReadable } from '../too-large.ts';
import { s3Address } from './s3-address.ts';
import { S3Link } from './s3-link.ts';
import { type Look, nothing, S3Objects } from './s3-objects.ts';
import { S3Owner } from './s3-owner.ts';

/** `url`: `s3://<bucket>/<prefix>?…`; the keys stand in the variables of AWS. */
export interface S3StoreOptions extends ServerStoreOptions {
  readonly dispatcher?: Dispatcher;
  readonly isForWriting?: boolean;
}

/**
 * The ledger in objects of a bucket. A branch is one object, in the form of a file of a local ledger: the newest texts and the edits that lead back
 * to the last commits. An append is one PUT under a condition, so one of two writers wins and the other one learns of it.
 */
export const openS3Store = (options: S3StoreOptions): Store => new S3Store(options);

/** A run reads one branch and writes it many times. */
const looksKept = 8;

class S3Store implements Store {
  readonly kind = 's3';
  readonly location: string;
  readonly stats = { fetches: 0, pushes: 0, lockPushes: 0 };
  readonly #objects: S3Objects;
  readonly #owner: S3Owner;
  readonly #isForWriting: boolean;
  readonly #marks: RefMarks;
  readonly #lost = new Map<string, HistoryLost>();
  readonly #looks = new Map<string, Look>();

  constructor({
    url,
    cwd,
    env,
    repository,
    cacheDir,
    clock = systemClock,
    patienceMs,
    signal,
    isForWriting = false,
    ...rest
  }: S3StoreOptions) {
    const address = s3Address(url, env);
    this.location = address.location;
    this.#objects = new S3Objects(new S3Link({ address, env, clock, ...rest }), { clock, patienceMs, signal });
    this.#owner = new S3Owner(this.#objects, repository?.toLowerCase() ?? null);
    this.#isForWriting = isForWriting;
    this.#marks = new RefMarks(this.location, { env, cwd, ...(cacheDir !== undefined && { cacheDir }) });
  }

  async read(branch: string): Promise<Tree | null> {
    const ref = fullRef(branch);
    if (!isLockBranch(ref)) this.stats.fetches += 1;
    // The probe takes a few requests, and the first write waits for it.
    if (this.#isForWriting) void this.#owner.prepare();
    // The mark is read before the branch, because another run may append and set the mark meanwhile.
    const known = this.#marks.of(ref);
    const [look] = await Promise.all([this.#objects.look(ref), this.#owner.check()]);
    if (look.damage) throw look.damage;
    this.#keep(ref, look);
    this.#lost.delete(ref);
    if (look.branch === null) return null;
    const tree = treeOf(commitAt(look.branch, look.branch.head) ?? look.branch);
    // A removed branch may rightly begin anew.
    if (known === null || leadsBack(look.branch, known) || (await wasRemoved(this, branch))) this.#mark(ref, look);
    else this.#lost.set(ref, new HistoryLost({ branch, location: this.location, tree, known }));
    return tree;
  }

  async append(branch: string, change: Change, expect: string | null, message: string, base?: string): Promise<string> {
    checkPaths(change.keys());
    const ref = fullRef(branch);
    if (isLockBranch(ref)) this.stats.lockPushes += 1;
    else this.stats.pushes += 1;
    const kept = this.#looks.get(ref);
    await this.#owner.prepare();
    const look = kept?.head === expect ? kept : expect === null ? nothing : await this.#objects.look(ref);
    if (look.head !== expect) throw new HeadMoved(branch);
    if (look.damage) throw look.damage;
    const from = base === undefined || look.branch === null ? look.branch : commitAt(look.branch, base);
    if (base !== undefined && from === null) throw new HeadMoved(branch);
    const edit = [...change].map(([file, text]) => [file, text === null ? null : Buffer.from(text)] as const);
    const next = commitOn(look.branch, edited(from?.files ?? new Map(), new Map(edit)), message);
    mustStayReadable(branch, next.files);
    const now = await this.#objects.put(ref, next, look);
    if (now?.head == null) {
      this.#looks.delete(ref);
      throw new HeadMoved(branch);
    }
    this.#lost.delete(ref);
    if (now.branch === null) this.#looks.delete(ref);
    else this.#keep(ref, now);
    this.#marks.set(ref, now.head, next.number);
    return now.head;
  }

  async readAt(branch: string, head: string): Promise<Tree | null> {
    const ref = fullRef(branch);
    const kept = this.#looks.get(ref)?.branch;
    // Older commits never change.
    const found = (kept && commitAt(kept, head)) ?? this.#commitIn(await this.#sound(ref), head);
    return found && treeOf(found);
  }

  async remove(branch: string, expect: string): Promise<void> {
    const ref = fullRef(branch);
    this.stats.pushes += 1;
    await this.#owner.prepare();
    const look = await this.#objects.look(ref);
    this.#looks.delete(ref);
    if (look.head !== expect || !(await this.#objects.remove(ref, look))) throw new HeadMoved(branch);
    this.#lost.delete(ref);
    this.#marks.remove(ref);
  }

  async history(branch: string, most = 50): Promise<readonly string[]> {
    const { branch: found } = await this.#sound(fullRef(branch));
    return found === null ? [] : headsOf(found).slice(0, most);
  }

  async past(branch: string, file: string, most: number) {
    const { branch: found } = await this.#sound(fullRef(branch));
    const commits = (found === null ? [] : headsOf(found)).slice(0, most).flatMap((head) => {
      const commit = found && commitAt(found, head);
      return commit ? [{ ...treeOf({ ...commit, files: new Map() }), text: commit.files.get(file)?.toString('utf8') }] : [];
    });
    return { commits, isAll: (commits.at(-1)?.parent ?? null) === null && commits.length === (found?.number ?? 0) };
  }

  lost(branch: string): HistoryLost | null {
    return this.#lost.get(fullRef(branch)) ?? null;
  }

  async remembered(branch: string): Promise<Remembered | null> {
    return this.#marks.of(fullRef(branch));
  }

  head(branch: string): Promise<string | null> {
    return this.#objects.head(fullRef(branch));
  }

  async list(prefix: string): Promise<readonly { readonly branch: string; readonly head: string }[]> {
    const found: { readonly branch: string; readonly head: string }[] = [];
    for await (const page of this.#objects.pages(fullRef(prefix))) {
      for (const { ref, head } of page) found.push({ branch: ref.slice(lengthBefore(prefix)), head });
    }
    return found;
  }

  async *readAll(prefix: string): AsyncGenerator<ReadBranch> {
    this.stats.fetches += 1;
    await this.#owner.check();
    const read = async (ref: string): Promise<Tree | null> => {
      const { damage, branch } = await this.#objects.look(ref);
      if (damage) throw damage;
      return branch && treeOf(commitAt(branch, branch.head) ?? branch);
    };
    for await (const page of this.#objects.pages(fullRef(prefix))) {
      for (let at = 0; at < page.length; at += atOnce) {
        const some = await Promise.all(page.slice(at, at + atOnce).map(({ ref }) => readOne({ read }, ref)));
        for (const one of some) if (one !== null) yield { ...one, branch: one.branch.slice(lengthBefore(prefix)) };
      }
    }
  }

  async close(): Promise<void> {
    await this.#owner.settled();
    await this.#objects.link.close();
  }

  async #sound(ref: string): Promise<Look> {
    const look = await this.#objects.look(ref);
    if (look.damage) throw look.damage;
    return look;
  }

  #commitIn({ branch }: Look, head: string) {
    return branch && commitAt(branch, head);
  }

  /** Keeps the looks of a few branches, because a look may be large. */
  #keep(ref: string, look: Look): void {
    this.#looks.delete(ref);
    this.#looks.set(ref, look);
    for (const oldest of this.#looks.keys()) if (this.#looks.size > looksKept) this.#looks.delete(oldest);
  }

  #mark(ref: string, { branch }: Look): void {
    if (branch !== null) this.#marks.set(ref, branch.head, branch.number);
  }
}

/** Branches that are read side by side. */
const atOnce = 16;

const lengthBefore = (prefix: string): number => (prefix.startsWith('refs/') ? 0 : 'refs/heads/'.length);
