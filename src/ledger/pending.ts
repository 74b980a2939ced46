import type { Fact } from './change.ts';
import { baseOf, type Entry, type Replay, replayable } from './entry.ts';
import type { LedgerState } from './facts.ts';

/** What a run has to say and no push has taken yet, in its order, each with what it was made from. */
export class Pending {
  #entries: Entry[] = [];
  readonly #state: () => LedgerState;
  /** What looks rest on until this run holds the lease: not what is read while it waits for another run. `null`: the ledger as it is. */
  #looked: LedgerState | null = null;

  constructor(state: () => LedgerState) {
    this.#state = state;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Looks begin anew: what is added from now on rests on the ledger as it is now. */
  lookAnew(o: { readonly isHeld: boolean }): void {
    this.#looked = o.isHeld ? null : this.#state();
  }

  /** Resolves when a push took it. `null` asks for the lease alone. */
  add(fact: Fact | null, restsOnLook = fact?.kind === 'intent'): Promise<void> {
    const done = new Promise<void>((resolve, reject) => this.#entries.push({ ...this.entryOf(fact), restsOnLook, resolve, reject }));
    done.catch(() => undefined); // the submitter sees the same rejection
    return done;
  }

  /** An entry that nobody waits for. */
  entryOf(fact: Fact | null): Entry {
    const base = fact ? baseOf(this.#looked ?? this.#state(), fact) : '';
    return { fact, base, restsOnLook: false, resolve: () => undefined, reject: () => undefined };
  }

  putFirst(entries: readonly Entry[]): void {
    this.#entries.unshift(...entries);
  }

  take(): Entry[] {
    return this.#entries.splice(0);
  }

  /** Keeps those that may be replayed. */
  revise(now: Replay): void {
    this.#entries = replayable(this.#entries, now);
  }
}
