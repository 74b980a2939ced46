import type { Clock } from '../../core/clock.ts';
import type { Fact } from '../model/change.ts';
import type { LongName, PullOf, Snapshot } from '../model/facts.ts';
import type { Sealing } from '../seals/sealing.ts';
import type { Store } from '../stores/store.ts';
import type { LeaseTerms } from './lease.ts';

/** The parts that may add facts, as the writer sees them. */
export interface Workers {
  /** Nobody who is at work could add another fact. */
  isQuiet(): boolean;
  /** Calls `watcher` whenever the workers may have become quiet. */
  watch(watcher: () => void): unknown;
}

export interface WriterOptions {
  readonly workers: Workers;
  readonly store: Store;
  readonly branch: string;
  readonly clock: Clock;
  readonly terms: LeaseTerms;
  /** The pull request that the run works for, where there is one. The lease names it. */
  readonly pull?: PullOf | null;
  /** The scope, where it is too long for the name of its branch. */
  readonly of?: LongName;
  readonly leaseTimeoutMs: number;
  readonly signal: AbortSignal;
  /** Called when the branch is missing; throws when it should exist. */
  readonly onMissing?: () => Promise<void>;
  /** Words for a commit with facts of these kinds and perhaps the receipt; with neither it is about the lease. */
  readonly message: (kinds: readonly Fact['kind'][], hasReceipt: boolean) => string;
  readonly onWait: (detail: string) => void;
  readonly onPush?: (ms: number) => void;
  readonly onFetch?: (ms: number) => void;
  /** Another run wrote while this one did not hold the lease, so nothing that was read before counts any more. */
  readonly onMoved?: () => void;
  /** A destroy answers for all that others record. So even one that wrote nothing cannot end as if it had come before them. */
  readonly isDestroy?: boolean;
  /** Seals the facts that each push leaves. */
  readonly sealing?: Sealing;
  /** Position of the lines, persisted with commits that are made anyway. */
  readonly snapshot: () => Snapshot | null;
}
