import type { ErrorData } from '../../core/errors.ts';
import { Printer } from '../../core/fingerprint.ts';
import type { Intent, LedgerRecord, Renewal } from '../../ledger/model/facts.ts';
import { parseFactFile, paths } from '../../ledger/model/state.ts';
import { entryText, essenceOf, isWhole, namesSame } from '../../ledger/seals/essence.ts';
import { parseLists, type SealKey, type SealList } from '../../ledger/seals/lists.ts';
import { searchOlder, validLists } from '../../ledger/seals/older.ts';
import { sourceOf } from '../../ledger/seals/sealing.ts';
import type { Tree } from '../../ledger/stores/store.ts';
import { LastLists, type LastListsOptions } from './last-lists.ts';
import { lastRenewal, type NoRenewal } from './last-renewal.ts';

/** A record or intent of the ledger, with the path of its file. */
export interface Stored {
  readonly path: string;
  readonly fact: LedgerRecord | Intent;
}

export const storedRecord = (fact: LedgerRecord): Stored => ({ path: paths.record(fact.identity), fact });
export const storedIntent = (fact: Intent): Stored => ({ path: paths.intent(fact.identity), fact });

export interface TrustOptions extends LastListsOptions {
  /** Salts the prints of secrets. */
  readonly repository: string;
  /** Commits that the branch has lost, where somebody remembers them. */
  readonly lost?: () => Promise<readonly Tree[]>;
}

/** Tells which facts of the ledger the credentials of this run vouch for, and which facts of these credentials the ledger has lost. */
export class Trust {
  readonly #o: TrustOptions;
  /** Records that the plan's own look confirmed, as that plan reaches their objects. */
  readonly #confirmed = new Map<string, LedgerRecord | 'gone'>();
  #doubtful: ReadonlySet<string> = new Set();
  readonly #failures = new Map<string, ErrorData>();
  /** Looks with the plan at hand, for a destroy; `null` where there is no such plan. */
  lookByPlan: (() => Promise<void>) | null = null;
  #unfound: readonly string[] = [];
  readonly lists: LastLists;

  constructor(o: TrustOptions) {
    this.#o = o;
    this.lists = new LastLists(o);
  }

  /** Whether a key of this run sealed the fact as it is, or this run saw it to be true. */
  async isSealed({ path, fact }: Stored): Promise<boolean> {
    const { keyring, sealing } = this.#o;
    if (sealing.isOwn(fact)) return true;
    return this.#isNamed(path, fact, await keyring.keysBelieved(sourceOf(fact)));
  }

  /** Lets the next push seal a believed fact with each key that seals now: after a rotation only the older key's seal is there. */
  async renew({ path, fact }: Stored): Promise<void> {
    const { keyring, sealing } = this.#o;
    const source = sourceOf(fact);
    const keys = await keyring.keysOf(source);
    if (!keys.every((key) => this.#isNamed(path, fact, [key]))) await sealing.saw(path, fact, source);
  }

  /** The same for a note of the ledger that tells of a record's objects. */
  async isNoteSealed(path: string, note: object, of: Pick<LedgerRecord, 'provider' | 'credential'>): Promise<boolean> {
    return this.#isNamed(path, note, await this.#o.keyring.keysBelieved(sourceOf(of)));
  }

  /** Whether a fact of an older commit was sealed there. */
  async wasSealed({ path, fact }: Stored, files: ReadonlyMap<string, string>): Promise<boolean> {
    const keys = await this.#o.keyring.keysBelieved(sourceOf(fact));
    const lists = validLists(parseLists(files.get('seals.json')), keys, this.#o.place);
    const essence = essenceOf(fact);
    return [...lists.values()].some(({ facts }) => isWhole(facts[path], essence));
  }

  /** Whether a key of this run sealed a fact in this file, whatever stands there now. */
  isListed(path: string): boolean {
    return [...this.lists.now().values()].some(({ facts }) => facts[path] !== undefined);
  }

  /** Whether a key of this run could have sealed facts of this credential. A fact of it without a seal is then not this run's own. */
  async couldSeal(of: Pick<LedgerRecord, 'provider' | 'credential'>): Promise<boolean> {
    return (await this.#o.keyring.keysBelieved(sourceOf(of))).length > 0;
  }

  /** Begins to derive the keys of these credentials, which takes as long as the ledger takes to be read. */
  expect(forms: Iterable<LedgerRecord['provider']>): void {
    for (const provider of new Set(forms)) void this.couldSeal({ provider, credential: 'block' });
  }

  /** Prints the secrets of facts of this credential. */
  async printer(of: Pick<LedgerRecord, 'provider' | 'credential'>): Promise<Printer> {
    return new Printer(this.#o.repository, await this.#o.keyring.keysBelieved(sourceOf(of)));
  }

  /** The plan's own look found the object of an unsealed record, or saw that it is gone. */
  confirm(identity: string, record: LedgerRecord | 'gone'): void {
    this.#confirmed.set(identity, record);
  }

  /** An unsealed record as the plan at hand confirms it, with the requests that the plan builds; `null` where it does not. */
  async confirmed(identity: string): Promise<LedgerRecord | 'gone' | null> {
    await this.lookByPlan?.();
    const record = this.#confirmed.get(identity) ?? null;
    if (record && record !== 'gone') this.#o.sealing.own(record);
    return record;
  }

  /** Believes a fact that a seal of an older commit vouches for. */
  believe(fact: LedgerRecord | Intent): void {
    this.#o.sealing.own(fact);
  }

  /** The object of a fact is rightly gone, so the next push takes the fact off the seal lists. */
  gone(path: string): void {
    this.#o.sealing.gone(path);
  }

  /** A person vouches for the facts in these files: this run acts on those that the ledger still holds, and seals them with its next push. */
  async trustFiles(files: ReadonlyMap<string, string>): Promise<void> {
    for (const { path, fact } of await this.unsealed()) {
      const seen = files.has(path) ? parseFactFile(path, files.get(path) ?? '', this.#o.place.branch) : null;
      if (seen && essenceOf(seen).whole === essenceOf(fact).whole) await this.#o.sealing.saw(path, fact, sourceOf(fact));
    }
  }

  /** Takes over the records that a plan's looks confirmed, and the errors of those that they could not confirm. */
  learnFrom(other: Trust, failures: Iterable<readonly [identity: string, error: ErrorData]>): void {
    for (const [identity, record] of other.#confirmed) this.#confirmed.set(identity, record);
    for (const [identity, error] of failures) this.#failures.set(identity, error);
  }

  /** The error that kept the plan's own look from confirming a record; `null` when there was none. */
  failureOf(identity: string): ErrorData | null {
    return this.#failures.get(identity) ?? null;
  }

  /** Looks which facts are not sealed, for `isDoubtful`. */
  async examine(): Promise<void> {
    this.#doubtful = new Set((await this.unsealed()).map(({ fact }) => fact.identity));
  }

  /** Whether the last `examine` found an unsealed fact of this identity. */
  isDoubtful(identity: string): boolean {
    return this.#doubtful.has(identity);
  }

  /** Records and intents that no key of this run sealed. */
  async unsealed(): Promise<readonly Stored[]> {
    const { records, intents } = this.#o.writer.state;
    const all = [...[...records.values()].map(storedRecord), ...[...intents.values()].map(storedIntent)];
    const sealed = await Promise.all(all.map((one) => this.isSealed(one)));
    return all.filter((_, i) => !sealed[i]);
  }

  /**
   * Facts that keys of this run sealed and that the ledger does not hold any more, or holds with other objects, as the older commits of the
   * branch have them. Reads those only where something is missing, or where the ledger does not show that its lists are the last.
   */
  async missing(): Promise<readonly Stored[]> {
    const { writer, store, place } = this.#o;
    if (writer.head === null) return [];
    const lost = (await this.#o.lost?.()) ?? [];
    await this.lists.lookBack(lost);
    if (this.lists.isRolledBack) {
      // The next push writes the last lists again, with those facts that stand.
      for (const one of await this.unsealed())
        if (await this.isSealed(one)) await this.#o.sealing.saw(one.path, one.fact, sourceOf(one.fact));
    }
    const wanted = new Map([...this.lists.now().values()].flatMap((list) => this.#gone(list)));
    if (wanted.size === 0) return [];
    const found = new Map<string, Stored>();
    const rest = (): readonly string[] => [...wanted.keys()].filter((path) => !found.has(path));
    const take = (files: ReadonlyMap<string, string>): void => {
      for (const path of rest()) {
        const text = files.get(path);
        const fact = text === undefined ? null : parseFactFile(path, text, place.branch);
        if (fact && entryText(essenceOf(fact)) === wanted.get(path)) found.set(path, { path, fact });
      }
    };
    await searchOlder(store, place.branch, { heads: this.lists.heads, lost, rest, take });
    this.#unfound = rest();
    return [...found.values()];
  }

  /** Until when the scope stays, as its last apply says, or why that is not known. */
  async lastRenewal(): Promise<Renewal | NoRenewal> {
    const { store, place, writer } = this.#o;
    return await lastRenewal({ store, place, keys: await this.lists.keysNow(), history: writer.state.history });
  }

  /** Files of facts that the last `missing` could find in no older commit. */
  get unfound(): readonly string[] {
    return this.#unfound;
  }

  /** Whether seals name facts that nobody can find, or are themselves in no commit. */
  get isUnsure(): boolean {
    return this.#unfound.length > 0 || this.lists.placeless.size > 0;
  }

  /** A person vouches for the ledger as it is, so nothing counts as missing any more. */
  settle(): void {
    const lost = [...this.lists.placeless.values()].flatMap((list) => this.#gone(list).map(([path]) => path));
    for (const path of [...this.#unfound, ...lost]) this.gone(path);
    this.#unfound = [];
    this.lists.placeless.clear();
  }

  /**
   * Entries of a list without a fact in the ledger. A missing intent counts as ended when the record beside it names another object than
   * before. Another intent in its place counts when a key of this run sealed it.
   */
  #gone({ facts }: SealList): readonly (readonly [path: string, entry: string])[] {
    const { records, intents } = this.#o.writer.state;
    return Object.entries(facts).filter(([path, entry]) => {
      const identity = path.slice(path.lastIndexOf('/') + 1, -'.json'.length);
      const isRecord = path === paths.record(identity);
      if (!isRecord && path !== paths.intent(identity)) return false;
      const record = records.get(identity);
      const intent = intents.get(identity);
      const isBeside = record === undefined || namesSame(facts[paths.record(identity)] ?? '', essenceOf(record));
      if (!isRecord) return intent === undefined ? isBeside : !this.#isListed(path, intent);
      return record === undefined || !namesSame(entry, essenceOf(record));
    });
  }

  #isListed(path: string, fact: object): boolean {
    return [...this.lists.now().values()].some(({ facts }) => isWhole(facts[path], essenceOf(fact)));
  }

  #isNamed(path: string, fact: object, keys: readonly SealKey[]): boolean {
    if (keys.length === 0) return false;
    const lists = this.lists.now(keys);
    const essence = essenceOf(fact);
    return keys.some(({ id }) => isWhole(lists.get(id)?.facts[path], essence));
  }
}
