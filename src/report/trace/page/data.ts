import type { RunEvent } from '../../../engine/document.ts';
import type { Chart } from './charts.ts';
import type { RunError } from './model.ts';

/** What the page says of the run beside its events. */
export interface PageAbout {
  /** `apply preview/pr-12` */
  readonly title: string;
  /** Version of the program that made it. */
  readonly version: string;
  /** What the run ended with, errors of its lines among them. */
  readonly errors: readonly RunError[];
  /** Set where the page was made of a receipt, which holds less than the events of a run. */
  readonly receipt?: {
    readonly run: string;
    readonly status: string;
    readonly approvedBy: string | null;
    readonly stats: { readonly requests: number; readonly writes: number };
    readonly branch: string;
    readonly ledgerCommit: string;
  };
}

/** What stands in the page for its script. */
export interface PageData {
  readonly about: PageAbout;
  readonly charts: readonly Chart[];
  readonly events: readonly RunEvent[];
}
