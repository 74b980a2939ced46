import { type Fact, factsByPath } from '../model/change.ts';
import type { HistoryEntry, LedgerRecord, LedgerState } from '../model/facts.ts';
import { isAsWritten } from '../model/file-text.ts';
import { isDeletesPath } from '../model/sent-deletes.ts';
import { paths } from '../model/state.ts';
import type { Change, Files } from '../stores/store.ts';
import { entryText, essenceOf, type SealedFact } from './essence.ts';
import {
  type CredentialSource,
  isSealed,
  listsIn,
  listsText,
  markOf,
  type Place,
  type SealKey,
  type SealList,
  sealList,
  sealsPath,
} from './lists.ts';
import { sealRenewal } from './renewal.ts';

/** The keys of a run, as its writer needs them. */
export interface Keys {
  /** Keys that seal facts of this credential; none where it seals nothing. */
  keysOf(source: CredentialSource | null): Promise<readonly SealKey[]>;
  /** All keys that this run has derived until now. */
  held(): Iterable<SealKey>;
}

/** The facts of a push, and the ledger that the push is made on. */
interface Push {
  readonly facts: readonly Fact[];
  readonly state: LedgerState;
  readonly files: Files;
}

/** Seals each push of a run: the lists of its keys name every fact that the push leaves, as it then is. */
export class Sealing {
  readonly #keys: Keys;
  readonly #place: Place;
  /** Facts of earlier runs that this one saw to be true. The next push seals them too. */
  readonly #seen = new Map<string, { readonly fact: SealedFact; readonly keys: readonly SealKey[] }>();
  /** Paths that the next push takes off the lists. */
  readonly #gone = new Set<string>();
  /** Facts that this run wrote, or made sure of. */
  readonly #own = new WeakSet<object>();
  /** By key: the last list that this run knows. The ledger may hold an older one. */
  readonly #last = new Map<string, SealList>();
  /** By key: the code of the list that was last seen to be sealed. */
  readonly #valid = new Map<string, string>();

  readonly #pull: number | null;

  /** `pull`: the number of the pull request that the run works for. */
  constructor(keys: Keys, place: Place, pull: number | null) {
    this.#keys = keys;
    this.#place = place;
    this.#pull = pull;
  }

  isOwn(fact: object): boolean {
    return this.#own.has(fact);
  }

  /** A fact of this run, before it is pushed. */
  made(fact: Fact): void {
    if (fact.kind === 'record') this.#own.add(fact.record);
    else if (fact.kind === 'intent') this.#own.add(fact.intent);
  }

  /** A fact that this run made sure of, and that it may act on. */
  own(fact: object): void {
    this.#own.add(fact);
  }

  /** The ledger rightly no longer holds the fact. */
  gone(path: string): void {
    this.#gone.add(path);
  }

  /** Notes the last list of its key, even if the ledger holds another. The next list continues this one. */
  last(list: SealList): void {
    this.#last.set(list.key, list);
    this.#valid.set(list.key, list.mac);
  }

  /** A fact of an earlier run that this one saw to be true. */
  async saw(path: string, fact: SealedFact, source: CredentialSource | null): Promise<void> {
    this.#own.add(fact);
    this.#seen.set(path, { fact, keys: await this.#keys.keysOf(source) });
  }

  /** The key of each fact of a push, by path. Facts of deletes are sealed by the keys of all that the push removes. */
  async #keysFor({ facts, state }: Push): Promise<ReadonlyMap<string, readonly SealKey[]>> {
    const keys = new Map<string, readonly SealKey[]>();
    const removed = new Map<string, SealKey>();
    for (const fact of facts) {
      if (fact.kind === 'record') {
        keys.set(paths.record(fact.record.identity), await this.#keys.keysOf(sourceOf(fact.record)));
      } else if (fact.kind === 'intent') {
        keys.set(paths.intent(fact.intent.identity), await this.#keys.keysOf(sourceOf(fact.intent)));
      }
      const before = 'identity' in fact ? (state.records.get(fact.identity) ?? state.intents.get(fact.identity)) : undefined;
      const known = fact.kind === 'record' ? fact.record : (before ?? (fact.kind === 'forget' ? fact.found : undefined));
      if (!known) continue;
      const own = await this.#keys.keysOf(sourceOf(known));
      for (const key of own) removed.set(key.id, key);
      if (fact.kind === 'forget' && fact.left) keys.set(paths.left(fact.identity), own);
    }
    keys.set(anyDeletes, [...removed.values()]);
    return keys;
  }

  /** Adds the lists to the change of a push, when a fact that this run's keys seal differs from what they say. */
  async sealed(change: Change, push: Push): Promise<Change> {
    if (push.facts.length === 0 && this.#seen.size === 0 && this.#gone.size === 0 && !this.#isNewPull(push.files)) return change;
    const o = { files: push.files, facts: factsByPath(push.facts), keys: await this.#keysFor(push) };
    const before = listsIn(o.files.get(sealsPath));
    const held = new Map([...this.#keys.held()].map((key) => [key.id, key]));
    const news = new Map<string, Map<string, string | null>>();
    const tell = (key: string, path: string, entry: string | null): void => {
      news.set(key, (news.get(key) ?? new Map<string, string | null>()).set(path, entry));
    };
    for (const path of this.#gone) if (!o.files.has(path)) for (const id of held.keys()) tell(id, path, null);
    for (const [path, { fact, keys }] of this.#seen) {
      if (!change.has(path) && o.files.has(path)) for (const { id } of keys) tell(id, path, entryText(essenceOf(fact)));
    }
    for (const [path, text] of change) {
      if (!isFactPath(path)) continue;
      for (const id of held.keys()) tell(id, path, null);
      const fact = text === null ? null : (o.facts.get(path) ?? plainFact(text));
      if (fact === null) continue;
      // A note that only says more than before stays with the keys that sealed it.
      const isNote = isDeletesPath(path);
      const old = isNote && o.files.has(path) ? before.flatMap(({ key, facts }) => (path in facts ? (held.get(key) ?? []) : [])) : null;
      for (const { id } of old ?? o.keys.get(isNote ? anyDeletes : path) ?? []) tell(id, path, entryText(essenceOf(fact)));
    }
    const isListed = (id: string): boolean => [...(news.get(id)?.values() ?? [])].some((entry) => entry !== null);
    const ids = [...new Set([...before.map(({ key }) => key), ...[...held.keys()].filter(isListed)])].sort();
    const lists = [...held.values()].flatMap(
      (key) => this.#next(key, { before, ids, isHeld: (id) => held.has(id) }, news.get(key.id)) ?? [],
    );
    if (lists.length === 0) return change;
    const others = before.filter(({ key }) => !lists.some((list) => list.key === key));
    return new Map([...change, [sealsPath, listsText([...lists, ...others])]]);
  }

  /** Whether a list of this run's keys does not name the pull request yet. A sweep believes no other name of one. */
  #isNewPull(files: Files): boolean {
    const pull = this.#pull;
    if (pull === null) return false;
    const held = new Set([...this.#keys.held()].map(({ id }) => id));
    return listsIn(files.get(sealsPath)).some(({ key, pulls }) => held.has(key) && !pulls.includes(pull));
  }

  /** The last line of a run, which may say until when the scope stays. */
  renewal(entry: HistoryEntry, on: string | null): HistoryEntry {
    return sealRenewal(entry, this.#keys.held(), this.#place, on);
  }

  /** The lines at the end of a commit's message. They tell a later run that the lists in this commit are the last. */
  marks(text: string | undefined, on: string | null): string {
    const keys = new Map([...this.#keys.held()].map((key) => [key.id, key]));
    const lines = listsIn(text).flatMap((list) => {
      const key = keys.get(list.key);
      return key && this.#isSealed(list, key) ? [markOf(list, key, this.#place, on)] : [];
    });
    return lines.length === 0 ? '' : `\n\n${lines.join('\n')}`;
  }

  #isSealed(list: SealList, key: SealKey): boolean {
    const isKnown = this.#valid.get(key.id) === list.mac;
    if (isKnown || !isSealed(list, key, this.#place)) return isKnown;
    this.#valid.set(key.id, list.mac);
    return true;
  }

  /** A key's next list; `null` where it stays as it is. `ids`: the keys that have a list after this push. */
  #next(key: SealKey, { before, ids, isHeld }: Lists, news: ReadonlyMap<string, string | null> = new Map()): SealList | null {
    const old = newer(
      before.find((list) => this.#isSealed(list, key)),
      this.#last.get(key.id),
    );
    const facts = { ...old?.facts };
    const beside = ids.filter((id) => id !== key.id);
    const pulls = [...new Set([...(old?.pulls ?? []), ...(this.#pull === null ? [] : [this.#pull])])];
    // Each list names the lists that appear beside it, so nobody can take one away unseen.
    let isChanged = old !== undefined && (pulls.length > old.pulls.length || beside.some((id) => isHeld(id) && !old.beside.includes(id)));
    for (const [path, entry] of news) {
      if ((facts[path] ?? null) === entry) continue;
      isChanged = true;
      if (entry === null) delete facts[path];
      else facts[path] = entry;
    }
    if (!isChanged) return null;
    const list = sealList({ key: key.id, n: (old?.n ?? 0) + 1, source: key.source, beside, facts, pulls }, key, this.#place);
    this.#valid.set(key.id, list.mac);
    return list;
  }
}

interface Lists {
  readonly before: readonly SealList[];
  readonly ids: readonly string[];
  readonly isHeld: (id: string) => boolean;
}

/** Gives the later one of two lists of one key. */
export const newer = (one: SealList | undefined, other: SealList | undefined): SealList | undefined =>
  one && other ? (other.n > one.n ? other : one) : (one ?? other);

/** Stands for the one file of deletes that a push makes. */
const anyDeletes = 'deletes/';

const isFactPath = (path: string): boolean => /^(?:records|intents|left|deletes)\//.test(path);

/** The credential of a stored fact, by names; `null` where it came from an output, which no later run holds. */
export function sourceOf({ provider, credential }: Pick<LedgerRecord, 'provider' | 'credential'>): CredentialSource | null {
  if (credential !== 'block' && 'from' in credential) return null;
  const { auth, session_token_env } = provider;
  return { auth, ...(session_token_env !== undefined && { session_token_env }), credential };
}

function plainFact(text: string): object | null {
  if (!isAsWritten(text)) return null;
  const { sum: _sum, ...fact } = JSON.parse(text) as { readonly [name: string]: unknown };
  return fact;
}
