import { Failure } from '../../core/errors.ts';
import { LedgerMoved } from '../writer/ledger-moved.ts';
import { type Fact, identityOf, isOfDeletes } from './change.ts';
import type { LedgerState } from './facts.ts';

/** A fact on its way into the ledger, with the line that waits for it. */
export interface Entry {
  /** `null`: the line asks only for the lease. */
  readonly fact: Fact | null;
  /** The identity's record and intent when the fact was made. The fact is replayed only on the same two. */
  readonly base: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export const factsOf = (batch: readonly Entry[]): Fact[] => batch.flatMap(({ fact }) => (fact ? [fact] : []));

/** Tells the ledger's record and intent of a fact's identity, for comparison. */
export function baseOf(state: LedgerState, fact: Fact): string {
  const record = state.records.get(identityOf(fact));
  const intent = state.intents.get(identityOf(fact));
  return JSON.stringify([record ? [record.run, record.generation] : null, intent ? [intent.run, intent.generation] : null]);
}

/**
 * Gives the entries that may be replayed on the ledger after another run wrote, and rejects the others. Under the lease an entry may be
 * replayed where its identity did not change. Before the lease none may: all facts of this run then rest on what it read earlier.
 */
export function replayable(entries: readonly Entry[], { state, wasHeld }: { state: LedgerState; wasHeld: boolean }): Entry[] {
  return entries.filter(({ fact, base, reject }) => {
    const stands = wasHeld && (fact === null || baseOf(state, fact) === base);
    const lost = { detail: 'Another run changed what this one was about to record.' };
    if (!stands) reject(wasHeld ? new Failure('LEASE_LOST', lost) : new LedgerMoved());
    return stands;
  });
}

/**
 * Facts that this run made true and no push took. After the first of them the run writes nothing at a provider, because no push would
 * take the result either. The last push offers these facts once more, where their base still stands. People get a file of the rest.
 */
export class Unstored {
  #entries: Entry[] = [];
  #refused: { readonly error: unknown } | null = null;

  /** Throws what the push threw. */
  check(): void {
    if (this.#refused) throw this.#refused.error;
  }

  /** Leaves intents out: an intent that was not stored announces nothing, because its create is never sent. */
  keep(entries: readonly Entry[], error: unknown): void {
    const done = entries.filter((entry) => entry.fact !== null && entry.fact.kind !== 'intent');
    if (done.length > 0) this.#refused ??= { error };
    this.#entries.push(...done);
  }

  /** Gives the facts that the ledger does not hold yet. No line waits for them. */
  take(state: LedgerState): Entry[] {
    const nobody = { resolve: () => undefined, reject: () => undefined };
    return this.#entries.splice(0).flatMap((entry) => (entry.fact && holds(state, entry.fact) ? [] : [{ ...entry, ...nobody }]));
  }

  get facts(): readonly Fact[] {
    return factsOf(this.#entries);
  }
}

/** Whether the ledger already holds a fact, because a push landed although its answer never came. */
function holds(state: LedgerState, fact: Fact): boolean {
  if (fact.kind === 'intent') return false;
  if (isOfDeletes(fact)) return false;
  const record = state.records.get(identityOf(fact));
  if (fact.kind === 'record')
    return record?.run === fact.record.run && record.generation === fact.record.generation && record.writtenAt === fact.record.writtenAt;
  return !state.intents.has(fact.identity) && (fact.kind === 'withdraw' || record === undefined);
}
