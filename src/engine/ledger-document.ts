import type { ErrorData } from '../core/errors.ts';

/** One branch of a ledger that is moved. `present`: it was copied before. `busy`: a run holds it. */
export interface MovedBranchDoc {
  readonly branch: string;
  readonly environment?: string;
  readonly scope?: string;
  readonly plan?: string | null;
  readonly state: 'copied' | 'present' | 'busy' | 'would copy' | 'failed';
  readonly files: number;
  readonly bytes: number;
  readonly error?: ErrorData;
}

/** The report of `pilotfish ledger copy`. */
export interface LedgerCopyDoc {
  readonly schema: 1;
  readonly ok: boolean;
  readonly command: 'ledger';
  readonly from: string;
  readonly to: string;
  readonly isDryRun: boolean;
  /** The place that holds the ledger now. */
  readonly ledger: string;
  readonly branches: readonly MovedBranchDoc[];
  /** Why the ledger is not moved yet. */
  readonly error?: ErrorData;
}
