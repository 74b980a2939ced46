import type { Clock } from '../../core/clock.ts';
import { type Fact, factsByPath } from '../model/change.ts';
import type { HistoryEntry, Intent, LedgerRecord, LedgerState, LeftObject, Snapshot } from '../model/facts.ts';
import { noteBack, type Packed, packedScope, unpacked } from '../model/removed.ts';
import { applyChange, emptyState, parseState, paths, type Seen, type Written } from '../model/state.ts';
import { type Change, type CommitFacts, type Files, readSound, type Store } from '../stores/store.ts';
import type { WriterOptions } from './writer-options.ts';

/** Stands for the text of a fact that this run has. Thousands of texts would be as large as all else that the run knows of its lines. */
const saidByFact = '(as its fact says)';

/** The first commit of a scope that comes back: its notes, and the change of them. */
const withPacked = ({ files }: Packed, change: Change): Change => new Map([...files, ...change].filter(([, text]) => text !== null));

/** The receipts branch of one scope as this run last saw or wrote it. */
export class Branch {
  readonly #store: Store;
  readonly #name: string;
  readonly #clock: Clock;
  readonly #onFetch: WriterOptions['onFetch'];
  head: string | null = null;
  /** Parents and message of the commit that was read last, where the store can tell. */
  commit: CommitFacts = {};
  files: Files = new Map();
  /** The facts that were read last. `#written` holds the paths that were written since. */
  #read: Seen = { files: new Map(), state: emptyState };
  #written = new Map<string, LedgerRecord | Intent | LeftObject | null>();
  /** What a packed scope begins with, until its first commit holds it again. */
  #packed: Packed | null = null;
  /** The position of an earlier run when the branch was last read. The next holder of the lease ends it in the ledger. */
  position: Snapshot | null = null;

  constructor({ store, branch, clock, onFetch }: Pick<WriterOptions, 'store' | 'branch' | 'clock' | 'onFetch'>) {
    this.#store = store;
    this.#name = branch;
    this.#clock = clock;
    this.#onFetch = onFetch;
  }

  /** The files as facts. The getter parses our own appends only when asked: by then the run's next requests are under way. */
  get state(): LedgerState {
    if (this.#written.size > 0) this.#see(this.files, this.#written);
    return this.#read.state;
  }

  /** The history, for a caller before its first write. Nothing else that was written is parsed for it. */
  get history(): readonly HistoryEntry[] {
    return this.#written.has(paths.history) ? this.state.history : this.#read.state.history;
  }

  async read(): Promise<void> {
    const tree = await this.#timed(() => readSound(this.#store, this.#name));
    const note = tree === null ? await this.#timed(() => packedScope(this.#store, this.#name)) : null;
    this.#packed = note && unpacked(note);
    const files = tree?.files ?? this.#packed?.files ?? new Map<string, string>();
    this.#see(files);
    this.head = tree?.head ?? null;
    this.commit = tree ?? this.#packed?.commit ?? {};
    this.files = files;
    this.position = this.state.snapshot;
  }

  /** `facts`: those that the change was made from. Throws `HeadMoved` when another run wrote since. */
  async append(change: Change, message: string, facts: readonly Fact[] = []): Promise<void> {
    const packed = this.head === null ? this.#packed : null;
    this.head = await this.#store.append(this.#name, packed ? withPacked(packed, change) : change, this.head, message);
    this.#packed = null;
    // Without this mark a branch that is deleted later would pass for a packed one. The run's facts are stored, whatever comes of the mark.
    if (packed) await noteBack(this.#store, this.#name).catch(() => undefined);
    const own = factsByPath(facts);
    this.files = applyChange(
      this.files,
      new Map([...change].map(([path, text]) => [path, text !== null && own.has(path) ? saidByFact : text])),
    );
    for (const path of change.keys()) this.#written.set(path, own.get(path) ?? null);
  }

  /** Takes these files for part of what was read. Nothing is written. */
  assume(files: Change): void {
    this.#see(applyChange(this.files, files));
  }

  /** The remote's present head, without its files. */
  remoteHead(): Promise<string | null> {
    return this.#store.head(this.#name);
  }

  /** Each read of a branch is one fetch, and is told as one. */
  async #timed<T>(read: () => Promise<T>): Promise<T> {
    const began = this.#clock.mono();
    const told = await read();
    this.#onFetch?.(this.#clock.mono() - began);
    return told;
  }

  #see(files: Files, written?: Written): void {
    this.#read = { files, state: parseState(files, this.#name, this.#read, written) };
    this.#written.clear();
  }
}
