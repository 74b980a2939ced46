import type { Clock } from '../core/clock.ts';
import type { LedgerState, Snapshot } from './facts.ts';
import { applyChange, emptyState, parseState } from './state.ts';
import type { Change, Files, Store } from './store.ts';
import type { WriterOptions } from './writer-options.ts';

/** The receipts branch of one scope as this run last saw or wrote it. */
export class Branch {
  readonly #store: Store;
  readonly #name: string;
  readonly #clock: Clock;
  readonly #onFetch: WriterOptions['onFetch'];
  head: string | null = null;
  files: Files = new Map();
  state: LedgerState = emptyState;
  /** Where an earlier run stood when the branch was last read. Whoever takes the lease ends it in the ledger. */
  position: Snapshot | null = null;

  constructor({ store, branch, clock, onFetch }: Pick<WriterOptions, 'store' | 'branch' | 'clock' | 'onFetch'>) {
    this.#store = store;
    this.#name = branch;
    this.#clock = clock;
    this.#onFetch = onFetch;
  }

  async read(): Promise<void> {
    const began = this.#clock.mono();
    const tree = await this.#store.read(this.#name);
    this.#onFetch?.(this.#clock.mono() - began);
    this.#adopt(tree?.head ?? null, tree?.files ?? new Map());
    this.position = this.state.snapshot;
  }

  /** Throws `HeadMoved` when somebody wrote since. */
  async append(change: Change, message: string): Promise<void> {
    const head = await this.#store.append(this.#name, change, this.head, message);
    this.#adopt(head, applyChange(this.files, change), [...change.keys()]);
  }

  /** The remote's present head, without its files. */
  remoteHead(): Promise<string | null> {
    return this.#store.head(this.#name);
  }

  #adopt(head: string | null, files: Files, changed?: readonly string[]): void {
    this.state = parseState(files, this.#name, this, changed);
    this.head = head;
    this.files = files;
  }
}
