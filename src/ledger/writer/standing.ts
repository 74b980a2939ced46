import { Failure } from '../../core/errors.ts';
import type { Fact } from '../model/change.ts';
import { type Entry, Unstored } from '../model/entry.ts';
import type { LedgerState } from '../model/facts.ts';
import type { OwnLease } from './own-lease.ts';
import type { Pending } from './pending.ts';

/** Whether a run may still write, and what it did that the ledger does not hold. */
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

  /** Throws `LEASE_LOST` once the scope is another run's. */
  check(): void {
    if (this.#lost) throw this.#lost;
  }

  /** Throws why nothing more may be written. Facts of a run that may not come from writes that were under way, and are kept. */
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

  /** A push did not take them. */
  keep(entries: readonly Entry[], error: unknown): void {
    this.#unstored.keep(entries, error);
  }

  /** For the last push: the facts that the ledger does not hold by now. */
  takeUnstored(state: LedgerState): Entry[] {
    return this.#unstored.take(state);
  }

  /** From now on nothing is written; whoever waits for a push hears of it. */
  lose(detail: string): Failure {
    this.#lost ??= new Failure('LEASE_LOST', {
      detail: `${detail} Nothing more was written; what this run began is in the ledger as intents.`,
    });
    this.#lease.end();
    const queued = this.#pending.take();
    this.keep(queued, this.#lost);
    for (const entry of queued) entry.reject(this.#lost);
    return this.#lost;
  }
}
