import { isDeepStrictEqual } from 'node:util';
import { type Entry, replayable } from '../model/entry.ts';
import type { Branch } from './branch.ts';
import { isHeldByAnother } from './lease.ts';
import { LedgerMoved } from './ledger-moved.ts';
import type { OwnLease } from './own-lease.ts';
import type { Pending } from './pending.ts';
import type { Standing } from './standing.ts';
import type { Tries } from './tries.ts';
import type { Turn } from './turn.ts';
import type { WriterOptions } from './writer-options.ts';

export interface MovesOptions extends Pick<WriterOptions, 'terms' | 'isDestroy' | 'onMoved'> {
  readonly branch: Branch;
  readonly lease: OwnLease;
  readonly pending: Pending;
  readonly standing: Standing;
  readonly tries: Tries;
  readonly turn: Turn;
}

/** Handles a write of another run in between: tells whether this run still has the scope, and which of its facts still hold. */
export class Moves {
  readonly #o: MovesOptions;
  #epoch = 0;
  #isStale = false;

  constructor(options: MovesOptions) {
    this.#o = options;
  }

  /** Counts the moves that came while this run did not hold the lease. */
  get epoch(): number {
    return this.#epoch;
  }

  /** A later run has the scope, and this run must write nothing more. */
  get isStale(): boolean {
    return this.#isStale;
  }

  /** A run never writes facts about objects under another run's lease, nor a second lease. */
  mustWait(batch: readonly Entry[]): boolean {
    const { branch, isDestroy, lease, terms } = this.#o;
    if (lease.isHeld || !isHeldByAnother(branch.state.lease, terms.run)) return false;
    return isDestroy === true || lease.isWanted || batch.some((entry) => entry.fact !== null);
  }

  /** Reads the branch after a push that came too late. `same`: the branch did not change, so what the lines saw still holds. */
  async found(batch: readonly Entry[], isLast: boolean): Promise<'held' | 'free' | 'same'> {
    const { branch, lease, standing, terms, tries, turn } = this.#o;
    const { head } = branch;
    const { records } = branch.state;
    await turn.read();
    const hasMoved = branch.head !== head;
    await tries.again({ hasMoved });
    if (!hasMoved) return 'same';
    const cameBefore = isLast && batch.length === 0 && !this.#o.isDestroy;
    const isOvertaken = cameBefore && !isDeepStrictEqual(records, branch.state.records);
    if (!lease.isHeld && (lease.wasRested || isOvertaken)) {
      this.#isStale = true;
      standing.lose(
        lease.wasRested
          ? 'A later run took this scope over while this one waited.'
          : 'Another run changed records that this one had looked at.',
      );
    } else if (lease.isHeld && branch.state.lease?.run !== terms.run) {
      standing.lose('Another run took this scope over.');
    }
    standing.check();
    // Lines that look again must see what the other run leaves, and not a state in the middle of its work.
    if (this.mustWait(batch)) {
      await turn.await();
      return 'free';
    }
    return lease.isHeld ? 'held' : 'free';
  }

  /** Gives the entries that may be replayed on the head as it is now, and rejects the others. */
  revise(batch: readonly Entry[], { wasHeld, isLast }: { readonly wasHeld: boolean; readonly isLast: boolean }): Entry[] {
    const { branch, isDestroy, onMoved, pending } = this.#o;
    if (!wasHeld) {
      this.#epoch += 1;
      onMoved?.();
    }
    const now = { state: branch.state, wasHeld };
    const kept = replayable(batch, now);
    // Entries that came during a push rest on the same looks as those in it.
    pending.revise(now);
    if (!isLast || wasHeld || (batch.length === 0 && !isDestroy)) return kept;
    throw new LedgerMoved();
  }
}
