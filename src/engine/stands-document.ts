import type { ErrorData } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import type { ReceiptLine } from '../ledger/model/facts.ts';

/**
 * A pull request as the code host shows it now; `not asked` where the host could not be asked, `none` where the ledger names none, and
 * `other repository` where the number is of one, as in the receipts that a fork brings along.
 */
export type PullState = 'open' | 'closed' | 'unknown' | 'not asked' | 'none' | 'other repository';

/** The pull requests that a ledger names, and the state of them together: open where one is. */
export interface PullsDoc {
  readonly numbers: readonly number[];
  readonly state: PullState;
}

/** A run that holds a scope, or that ended without giving it back. */
export interface HeldDoc {
  readonly holder: string;
  readonly run: string;
  readonly since: string;
  /** The latest end, by the clock of the holder: after this without a sign of life no run honours it. */
  readonly until: string;
}

/** How many objects and deletes a later run must still look at. */
export interface LeftoversDoc {
  /** Creates that were announced and not recorded. */
  readonly unfinished: number;
  /** Objects that newer ones replaced, and that still stand. */
  readonly superseded: number;
  /** Deletes that were sent, of objects that nobody has seen gone. */
  readonly leaving: number;
  /** Objects that a destroy left on purpose. */
  readonly left: number;
}

/** One scope as its ledger tells it. */
export interface ScopeRow {
  /** `null` where the ledger does not tell. */
  readonly scope: string | null;
  readonly plan: string | null;
  readonly branch: string;
  readonly pulls: PullsDoc;
  /** Lines that have a record or an unfinished create. */
  readonly lineCount: number;
  readonly objectCount: number;
  readonly firstRun: string | null;
  readonly lastRun: { readonly run: string; readonly at: string; readonly outcome: string } | null;
  readonly lease: HeldDoc | null;
  /** The end of the scope, where its plan gives it a lifetime. */
  readonly expires: string | null;
  readonly leftovers: LeftoversDoc;
  /** Why the ledger cannot be read. */
  readonly error?: ErrorData;
}

/** The report of `pilotfish list`. The oldest scope comes first. */
export interface ListDoc {
  readonly schema: 1;
  readonly ok: boolean;
  readonly command: 'list';
  readonly environment: string;
  /** The place of the ledger. */
  readonly ledger: string;
  /** When the ledger was read, by the clock of this machine. */
  readonly at: string;
  /** Why the code host was not asked for the pull requests; left out where it answered. */
  readonly notAsked?: string;
  readonly scopes: readonly ScopeRow[];
  readonly stats: { readonly fetches: number; readonly requests: number; readonly ms: number };
  /** The first error, where no ledger could be read. */
  readonly error?: ErrorData;
}

/** One object that the ledger says stands. */
export interface ObjectDoc {
  readonly line: string;
  readonly adapter: string;
  readonly op: string;
  readonly recipe?: string;
  readonly subject?: string;
  readonly key: string;
  readonly objectId: string;
  /** The address of its page in the provider's console, where its operation knows one. */
  readonly console?: string;
  /** `not ready` and `leaving`: a run ended before the object was ready, or before it was gone. */
  readonly state: 'stands' | 'not ready' | 'leaving';
  /** Whether a destroy removes it: `delete`, `keep` or `never`. */
  readonly destroy: string;
  /** False for an object that pilotfish adopted and never removes. */
  readonly owned: boolean;
  /** Replaced objects of this line that still stand. */
  readonly superseded?: readonly string[];
  readonly outputs: { readonly [name: string]: Json };
  readonly writtenAt: string;
  readonly run: string;
}

/** A create that was announced and not recorded. */
export interface UnfinishedDoc {
  readonly line: string;
  readonly adapter: string;
  readonly op: string;
  readonly recipe?: string;
  readonly subject?: string;
  readonly key: string;
  readonly at: string;
  readonly run: string;
}

/** An earlier run. Its status, duration and lines are known as far as the ledger keeps its receipt. */
export interface PastRunDoc {
  readonly run: string;
  readonly at: string;
  readonly outcome: string;
  readonly event: string | null;
  readonly commit: string | null;
  readonly ms?: number;
  readonly failed?: readonly ReceiptLine[];
}

/** The report of `pilotfish show`. */
export interface ShowDoc extends Omit<ScopeRow, 'scope' | 'error'> {
  readonly schema: 1;
  readonly ok: true;
  readonly command: 'show';
  readonly environment: string;
  readonly scope: string;
  readonly ledger: string;
  readonly at: string;
  readonly commit: string;
  readonly notAsked?: string;
  readonly objects: readonly ObjectDoc[];
  readonly unfinished: readonly UnfinishedDoc[];
  /** Keys of objects that a destroy left on purpose. */
  readonly left: readonly string[];
  /** Lines with objects that the plan at hand no longer has; `null` without a plan. */
  readonly gone: readonly string[] | null;
  /** The newest first. */
  readonly runs: readonly PastRunDoc[];
  readonly notes: readonly string[];
}
