import { bounds } from '../../../core/bounds.ts';
import { systemClock } from '../../../core/clock.ts';
import { Failure } from '../../../core/errors.ts';
import { Redactor } from '../../../core/redact.ts';
import { secretsInAddress } from '../../../platform/git-url.ts';
import { fullRef, isBesideLedgers, isLockBranch } from '../../model/names.ts';
import { wasRemoved } from '../../model/removed.ts';
import { type Meaning, type Patience, persist, RemoteTrouble } from '../patience.ts';
import { RefMarks, type ServerStoreOptions } from '../ref-marks.ts';
import { type Change, checkPaths, HeadMoved, HistoryLost, type ReadBranch, type Remembered, type Store, type Tree } from '../store.ts';
import { mustStayReadable } from '../too-large.ts';
import { type PostgresAddress, postgresAddress } from './postgres-address.ts';
import { connect, type Link } from './postgres-link.ts';
import { readPages } from './postgres-read-all.ts';
import { fileBack, lastHeads, type Read, readCommit } from './postgres-reads.ts';
import {
  isServerWord,
  isUnproven,
  leftOpen,
  mayPass,
  pauseFor,
  type Refuser,
  refusal,
  unproven,
  unreachable,
  wordsOf,
} from './postgres-refusal.ts';
import { openSchema, quoted } from './postgres-schema.ts';
import { append, newCommit, remove, type Writing } from './postgres-writes.ts';

/** `url`: `postgres://…`. */
export type PostgresStoreOptions = ServerStoreOptions;

/** The ledger in tables of a PostgreSQL database. An append is one transaction, whose first statement is the compare-and-swap. */
export const openPostgresStore = (options: PostgresStoreOptions): Store => new PostgresStore(options);

const usualHistory = 50;
const oneHead = /^[0-9a-f]{40}$/;

class PostgresStore implements Store {
  readonly kind = 'postgres';
  readonly location: string;
  readonly stats = { fetches: 0, pushes: 0, lockPushes: 0 };
  readonly #address: PostgresAddress;
  readonly #repository: string | null;
  readonly #patience: Patience;
  readonly #refuser: Refuser;
  readonly #marks: RefMarks;
  readonly #lost = new Map<string, HistoryLost>();
  #link: Link | null = null;
  /** Holds `false` once the tables were found for a read, and `true` once they were found for a write. */
  readonly #opened = new Set<boolean>();
  /** A server that let this run in exists. If it takes no connection later, it is coming back. */
  #wasLetIn = false;
  /** Ends with the last question, because a connection serves one question at a time. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor({
    url,
    cwd,
    env,
    repository,
    redactor = new Redactor(),
    cacheDir,
    clock = systemClock,
    patienceMs,
    signal,
  }: PostgresStoreOptions) {
    for (const secret of secretsInAddress(url)) redactor.addIfLong(secret);
    this.#address = postgresAddress(url);
    this.location = this.#address.location;
    this.#repository = repository?.toLowerCase() ?? null;
    this.#patience = { clock, patienceMs, signal };
    this.#refuser = { location: this.location, redactor };
    this.#marks = new RefMarks(this.location, { env, cwd, ...(cacheDir !== undefined && { cacheDir }) });
  }

  async read(branch: string): Promise<Tree | null> {
    const ref = fullRef(branch);
    if (!isBesideLedgers(ref)) this.stats.fetches += 1;
    // The mark is read before the branch, because another run may append and set the mark meanwhile.
    const known = this.#marks.of(ref);
    const found = await this.#ask((link, schema) => readCommit(link, schema, { ref, known: known?.head ?? null }), null);
    this.#lost.delete(ref);
    if (found === null) return null;
    const tree = treeOf(found);
    // A removed branch may rightly begin anew.
    if (known === null || found.hasKnown || (await wasRemoved(this, branch))) this.#marks.set(ref, found.head, found.number);
    else this.#lost.set(ref, new HistoryLost({ branch, location: this.location, tree, known }));
    return tree;
  }

  async append(branch: string, change: Change, expect: string | null, message: string, base?: string): Promise<string> {
    checkPaths(change.keys());
    const ref = fullRef(branch);
    if (isLockBranch(ref)) this.stats.lockPushes += 1;
    else if (!isBesideLedgers(ref)) this.stats.pushes += 1;
    // A change that is too large by itself is refused before it is sent.
    mustStayReadable(branch, new Map([...change].map(([file, text]) => [file, { length: Buffer.byteLength(text ?? '') }])));
    const commit = newCommit({ ref, change, expect, message, base });
    const { done: number } = await this.#write((writing) => append(writing, commit, branch));
    if (number === null) throw new HeadMoved(branch);
    this.#lost.delete(ref);
    this.#marks.set(ref, commit.head, number);
    return commit.head;
  }

  async readAt(branch: string, head: string): Promise<Tree | null> {
    if (!/^[0-9a-f]{7,40}$/.test(head)) return null;
    const found = await this.#ask((link, schema) => readCommit(link, schema, { ref: fullRef(branch), start: head }), null);
    return found && treeOf(found);
  }

  async remove(branch: string, expect: string): Promise<void> {
    const ref = fullRef(branch);
    this.stats.pushes += 1;
    const { done, mayHaveLanded } = await this.#write((writing) => remove(writing, { ref, expect }));
    // After a lost answer, a missing branch was removed by this run.
    if (!done && !(mayHaveLanded && (await this.head(branch)) === null)) throw new HeadMoved(branch);
    this.#lost.delete(ref);
    this.#marks.remove(ref);
  }

  history(branch: string, most = usualHistory): Promise<readonly string[]> {
    return this.#ask((link, schema) => lastHeads(link, schema, fullRef(branch), most), []);
  }

  past(branch: string, file: string, most: number) {
    return this.#ask((link, schema) => fileBack(link, schema, { ref: fullRef(branch), path: file, most }), { commits: [], isAll: true });
  }

  lost(branch: string): HistoryLost | null {
    return this.#lost.get(fullRef(branch)) ?? null;
  }

  async remembered(branch: string): Promise<Remembered | null> {
    return this.#marks.of(fullRef(branch));
  }

  async message(commit: string): Promise<string | null> {
    if (!oneHead.test(commit)) return null;
    const rows = await this.#rows((s) => `select left(message, $2) as message from ${s}.commits where head = $1`, [commit, bounds.commit]);
    return rows.length === 0 ? null : String(rows[0]?.message);
  }

  async head(branch: string): Promise<string | null> {
    const rows = await this.#rows((s) => `select head from ${s}.branches where ref = $1`, [fullRef(branch)]);
    return rows.length === 0 ? null : String(rows[0]?.head);
  }

  async list(prefix: string): Promise<readonly { readonly branch: string; readonly head: string }[]> {
    const short = prefix.startsWith('refs/') ? 0 : 'refs/heads/'.length;
    const sql = (s: string): string => `select ref, head from ${s}.branches where starts_with(ref, $1) order by ref collate "C"`;
    const rows = await this.#rows(sql, [fullRef(prefix)]);
    return rows.map(({ ref, head }) => ({ branch: String(ref).slice(short), head: String(head) }));
  }

  readAll(prefix: string): AsyncGenerator<ReadBranch> {
    this.stats.fetches += 1;
    const short = prefix.startsWith('refs/') ? 0 : 'refs/heads/'.length;
    return readPages(
      (work, none) => this.#ask(work, none),
      fullRef(prefix),
      (ref) => ref.slice(short),
    );
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#link?.close();
    this.#link = null;
  }

  #rows(sql: (schema: string) => string, values: readonly unknown[]) {
    return this.#ask(async (link, schema) => (await link.query(sql(quoted(schema)), values)).rows, []);
  }

  /** Repeats a read while trouble may pass. Gives `none` for a database without a ledger. */
  #ask<T>(work: (link: Link, schema: string) => Promise<T>, none: T): Promise<T> {
    const { schema } = this.#address;
    return persist(
      this.#patience,
      this.#meaning(() => false),
      () =>
        this.#inTurn(
          async (link) => ((await this.#isThere(link, false)) ? await work(link, schema) : none),
          () => false,
        ),
    );
  }

  /** Repeats a write until its outcome is known. An attempt after a lost answer first looks whether the earlier one landed. */
  async #write<T>(work: (writing: Writing) => Promise<T>): Promise<{ readonly done: T; readonly mayHaveLanded: boolean }> {
    const { schema } = this.#address;
    let mayHaveLanded = false;
    const meaning = this.#meaning((trouble) => {
      mayHaveLanded ||= trouble.wasSent;
      return mayHaveLanded;
    });
    const done = await persist(this.#patience, meaning, () => {
      let isCommitting = false;
      const committing = (): void => {
        isCommitting = true;
      };
      return this.#inTurn(
        async (link) => {
          await this.#isThere(link, true);
          return await work({ link, schema, committing });
        },
        () => isCommitting,
      );
    }).catch((thrown: unknown) => {
      throw mayHaveLanded && thrown instanceof Failure ? leftOpen(thrown) : thrown;
    });
    return { done, mayHaveLanded };
  }

  #meaning(mayBeSent: Meaning['mayBeSent']): Meaning {
    return { mayBeSent, over: async (trouble) => unreachable(this.#refuser, trouble.message) };
  }

  async #isThere(link: Link, isForWriting: boolean): Promise<boolean> {
    const place = { location: this.location, schema: this.#address.schema, repository: this.#repository };
    if (!this.#opened.has(isForWriting) && (await openSchema(link, place, isForWriting))) this.#opened.add(isForWriting);
    return this.#opened.has(isForWriting);
  }

  /** Works in turn, on the connection of the turn before if that is still good. */
  #inTurn<T>(work: (link: Link) => Promise<T>, wasSent: () => boolean): Promise<T> {
    const mine = this.#turn.then(async () => {
      try {
        const link = await this.#connected();
        return await work(link);
      } catch (thrown) {
        const isComing = this.#link === null && this.#wasLetIn;
        // An open transaction ends with its connection.
        this.#link?.cut();
        this.#link = null;
        throw this.#told(thrown, { wasSent: wasSent(), isComing });
      }
    });
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #connected(): Promise<Link> {
    if (this.#link?.isAlive()) return this.#link;
    this.#link = null;
    this.#link = await connect(this.#address, this.#patience.signal);
    this.#wasLetIn = true;
    return this.#link;
  }

  /** Turns an error into trouble that may pass, or into a failure. */
  #told(thrown: unknown, { wasSent, isComing }: { readonly wasSent: boolean; readonly isComing: boolean }): unknown {
    if (thrown instanceof Failure || !(thrown instanceof Error)) return thrown;
    if (isUnproven(thrown)) return unproven(this.#refuser, thrown);
    // A server that died during a commit may have stored it.
    const isAnswer = isServerWord(thrown) && !mayPass(thrown.code) && (!wasSent || thrown.severity === 'ERROR');
    if (isAnswer) return refusal(this.#refuser, thrown);
    return new RemoteTrouble(wordsOf(thrown), { wasSent, retryAfterMs: pauseFor(thrown, isComing), cause: thrown });
  }
}

const treeOf = ({ head, files, parent, message }: Read): Tree => ({
  head,
  files,
  ...(parent !== undefined && { parent }),
  ...(message !== undefined && { message }),
});
