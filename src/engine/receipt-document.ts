import type { Json } from '../core/json.ts';
import type { HistoryEntry, Receipt } from '../ledger/model/facts.ts';

export type { LedgerRecord, Receipt, ReceiptLine } from '../ledger/model/facts.ts';

/** How long a scope stays. */
export interface LifetimeDoc {
  /** The time at which the scope goes unless it is applied again, by the clock of the code host. */
  readonly goesAt: string;
  /** The label of the pull request that keeps the scope. */
  readonly label?: string;
}

/** One object that the ledger says stands. */
export interface StandingDoc {
  readonly line: string;
  readonly adapter: string;
  readonly op: string;
  readonly recipe?: string;
  /** Names the object for people. */
  readonly subject?: string;
  /** Identifies the object, without its provider. */
  readonly key: string;
  /** Whether a destroy removes it: `delete`, `keep` or `never`. */
  readonly destroy: string;
  readonly outputs: { readonly [name: string]: Json };
  readonly writtenAt: string;
  readonly run: string;
}

/** The content of a scope's receipts branch. */
export interface ReceiptDoc {
  readonly schema: 1;
  readonly ok: true;
  readonly command: 'receipt';
  readonly environment: string;
  readonly scope: string;
  readonly branch: string;
  /** `null` where this scope has no ledger. */
  readonly commit: string | null;
  /** The receipt of the last run that ended; `null` when none did. */
  readonly receipt: Receipt | null;
  readonly stands: readonly StandingDoc[];
  /** Lines whose create was announced and not recorded. The next run finds out what became of each create. */
  readonly announced: readonly string[];
  /** As the last apply says; left out where the scope does not expire. */
  readonly lifetime?: LifetimeDoc;
  /** Whether another run holds the scope at this moment, or was ended while it did. */
  readonly held: boolean;
  /** The last runs, newest first. */
  readonly history: readonly HistoryEntry[];
}

/** The scopes of an environment that have a ledger. */
export interface ScopesDoc {
  readonly schema: 1;
  readonly ok: true;
  readonly command: 'receipt';
  readonly environment: string;
  readonly scopes: readonly { readonly scope: string; readonly plan: string | null; readonly branch: string }[];
}
