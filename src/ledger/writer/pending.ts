import type { Fact } from '../model/change.ts';
import { baseOf, type Entry, replayable } from '../model/entry.ts';
import type { LedgerState } from '../model/facts.ts';

const ignore = (): void => undefined;

/** The facts of a run that no push has taken yet, in their order, each with the state that it was made from. */
export class Pending {
  #entries: Entry[] = [];
  readonly #state: () => LedgerState;

  constructor(state: () => LedgerState) {
    this.#state = state;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Resolves when a push took the fact. `null` asks for the lease alone. */
  add(fact: Fact | null): Promise<void> {
    const done = new Promise<void>((resolve, reject) => this.#entries.push({ ...this.entryOf(fact), resolve, reject }));
    done.catch(ignore); // the submitter sees the same rejection
    return done;
  }

  /** An entry that no line waits for. */
  entryOf(fact: Fact | null): Entry {
    return { fact, base: fact ? baseOf(this.#state(), fact) : '', resolve: ignore, reject: ignore };
  }

  putFirst(entries: readonly Entry[]): void {
    this.#entries.unshift(...entries);
  }

  take(): Entry[] {
    return this.#entries.splice(0);
  }

  /** Keeps the entries that may be replayed. */
  revise(now: { readonly state: LedgerState; readonly wasHeld: boolean }): void {
    this.#entries = replayable(this.#entries, now);
  }
}
