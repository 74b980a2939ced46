import { Failure } from '../../core/errors.ts';
import { listsIn, markOf, type Place, parseLists, type SealKey, type SealList, sealsPath } from '../../ledger/seals/lists.ts';
import { fileBack, validLists } from '../../ledger/seals/older.ts';
import { newer, type Sealing, sourceOf } from '../../ledger/seals/sealing.ts';
import type { CommitFacts, Store, Tree } from '../../ledger/stores/store.ts';
import type { Writer } from '../../ledger/writer/writer.ts';
import type { Keyring } from './keyring.ts';

export interface LastListsOptions {
  readonly keyring: Keyring;
  readonly sealing: Sealing;
  readonly place: Place;
  readonly store: Store;
  readonly writer: Pick<Writer, 'seals' | 'state' | 'head' | 'commit'>;
}

/**
 * The last seal list of each key of a run. The ledger may hold an older one, or none: anybody with the right to push can put files of an
 * older commit back. The message of a commit vouches for the lists that its run left in it. Where the newest message does not, older ones tell.
 */
export class LastLists {
  readonly #o: LastListsOptions;
  readonly #last = new Map<string, SealList>();
  /** Older commits that hold a last list, and the facts that it names. */
  readonly heads = new Set<string>();
  /** The last lists of keys that no found commit holds. Nothing is believed on their word, or on that of an earlier list. */
  readonly placeless = new Map<string, SealList>();
  #read: { readonly text: string | undefined; readonly keys: number } | null = null;
  #isOlder = false;

  constructor(o: LastListsOptions) {
    this.#o = o;
  }

  /** Whether the ledger lacks a list that an older commit holds, or holds an older one. */
  get isRolledBack(): boolean {
    return this.#isOlder;
  }

  /** The last lists by key, of these keys and of all that the run has derived. */
  now(keys: readonly SealKey[] = []): ReadonlyMap<string, SealList> {
    const { writer, keyring } = this.#o;
    const held = [...keyring.held()];
    if (this.#read?.text === writer.seals && this.#read?.keys === held.length) return this.#last;
    this.#read = { text: writer.seals, keys: held.length };
    for (const list of this.#valid(listsIn(writer.seals), [...held, ...keys]).values()) this.#take(list);
    return this.#last;
  }

  /** Looks for the last lists in older commits, where the ledger alone does not show that it holds them. */
  async lookBack(lost: readonly Tree[] = []): Promise<void> {
    const { store, writer, place } = this.#o;
    mustBeLine(place.branch, { ...writer.commit, head: writer.head ?? '' });
    const all = listsIn(writer.seals);
    const now = new Map(this.now(await this.keysNow()));
    const canTell = writer.commit.parent !== undefined && writer.commit.message !== undefined;
    const unplaced = new Set(canTell ? [...now.values()].filter((list) => !this.#isMarked(list, writer.commit)).map(({ key }) => key) : []);
    const missing = new Set([...now.values()].flatMap(({ beside }) => beside.filter((id) => !all.some(({ key }) => key === id))));
    const isEnough = (): boolean => unplaced.size === 0 && missing.size === 0 && this.#last.size > 0;
    // A newer list in a lost commit was the last one, whatever was taken away from the branch.
    for (const { files } of lost) {
      const lists = parseLists(files.get(sealsPath));
      for (const list of this.#valid(lists, await this.#keysOf(lists)).values()) if (this.#take(list)) this.#isOlder = true;
    }
    if (isEnough()) return;
    const commits = fileBack(store, place.branch, sealsPath);
    for (;;) {
      const { done, value } = await commits.next();
      // The whole history was seen, and it holds no later list.
      if (done && value) return;
      if (done) break;
      mustBeLine(place.branch, value);
      for (const list of this.#valid(parseLists(value.text), await this.#keysOf(parseLists(value.text))).values()) {
        missing.delete(list.key);
        if (canTell && !now.has(list.key) && !this.#last.has(list.key)) unplaced.add(list.key);
        if (this.#take(list) && list.n !== now.get(list.key)?.n) {
          this.#isOlder = true;
          this.heads.add(value.head);
        }
        if (this.#isMarked(list, value)) unplaced.delete(list.key);
      }
      if (isEnough()) return void (await commits.return(true));
    }
    for (const key of unplaced) {
      const list = this.#last.get(key);
      if (list) this.placeless.set(key, list);
      this.#last.delete(key);
    }
  }

  /** All keys of this run, with those of the credentials that facts and lists name. */
  async keysNow(): Promise<readonly SealKey[]> {
    const { keyring, writer } = this.#o;
    const { records, intents } = writer.state;
    await Promise.all([...records.values(), ...intents.values()].map((fact) => keyring.keysBelieved(sourceOf(fact))));
    return await this.#keysOf(listsIn(writer.seals));
  }

  async #keysOf(lists: readonly SealList[]): Promise<readonly SealKey[]> {
    await Promise.all(lists.map(({ source }) => this.#o.keyring.keysBelieved(source === 'ledger' ? null : source)));
    return [...this.#o.keyring.held()];
  }

  /** Whether the run that made a commit left this list in it. */
  #isMarked(list: SealList, { parent, message }: CommitFacts): boolean {
    const key = [...this.#o.keyring.held()].find(({ id }) => id === list.key);
    if (!key || parent === undefined || message === undefined) return false;
    return message.split('\n').includes(markOf(list, key, this.#o.place, parent));
  }

  #valid(lists: readonly SealList[], keys: readonly SealKey[]): ReadonlyMap<string, SealList> {
    return validLists(lists, keys, this.#o.place);
  }

  /** Takes a list as the last of its key. False when a later one is known. */
  #take(list: SealList): boolean {
    if (list.n <= (this.placeless.get(list.key)?.n ?? 0) || newer(this.#last.get(list.key), list) !== list) return false;
    this.#last.set(list.key, list);
    this.#o.sealing.last(list);
    return true;
  }
}

/** Refuses a merge, because no run reads the commits below its second parent. Throws `LEDGER_CORRUPT`. */
function mustBeLine(branch: string, { isMerge, head }: CommitFacts & { readonly head: string }): void {
  if (!isMerge) return;
  throw new Failure('LEDGER_CORRUPT', {
    detail: `The commit ${head.slice(0, 12)} of ${branch} is a merge. No run makes a merge, and a merge hides the commits below its second parent.`,
    fix: `Find out who pushed it, and move ${branch} back to the last commit whose message ends with a line "Seal ...".`,
  });
}
