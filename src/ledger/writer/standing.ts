import { Failure } from '../../core/errors.ts';
import type { Fact } from '../model/change.ts';
import { type Entry, Unstored } from '../model/entry.ts';
import type { LedgerState } from '../model/facts.ts';
import type { OwnLease } from './own-lease.ts';
import type { Pending } from './pending.ts';

/** Tells whether a run may still write, and which of its deeds the ledger does not hold. */
export class Standing {
  readonly #pending: Pending;
  readonly #lease: OwnLease;
  readonly #unstored = new Unstored();
  #lost: Failure | null = null;

  constructor(o: { readonly pending: Pending; readonly lease: OwnLease }) {
    this.#pending = o.pending;
    this.#lease = o.lease;
  }

  /** Facts of this run that no push took. */
  get unstored(): readonly Fact[] {
    return this.#unstored.facts;
  }

  /** Throws `LEASE_LOST` once another run has the scope. */
  check(): void {
    if (this.#lost) throw this.#lost;
  }

  /** Throws the reason why nothing more may be written. Facts of a stopped run come from writes that were under way, and are kept. */
  mustGoOn(facts: readonly Fact[]): void {
    try {
      this.check();
      this.#unstored.check();
    } catch (error) {
      this.keep(
        facts.map((fact) => this.#pending.entryOf(fact)),
        error,
      );
      throw error;
    }
  }

  /** Keeps facts that a push did not take. */
  keep(entries: readonly Entry[], error: unknown): void {
    this.#unstored.keep(entries, error);
  }

  /** For the last push: the facts that the ledger does not hold yet. */
  takeUnstored(state: LedgerState): Entry[] {
    return this.#unstored.take(state);
  }

  /** Nothing more is written from now on. Every line that waits for a push gets the failure. */
  lose(detail: string): Failure {
    this.#lost ??= new Failure('LEASE_LOST', {
      detail: `${detail} Nothing more was written. The ledger names what this run began as intents.`,
    });
    this.#lease.end();
    const queued = this.#pending.take();
    this.keep(queued, this.#lost);
    for (const entry of queued) entry.reject(this.#lost);
    return this.#lost;
  }
}
