import type { RunEvent } from '../../../engine/document.ts';
import type { Chart } from './charts.ts';
import type { RunError } from './model.ts';

/** The facts about a run that its events do not hold. */
export interface PageAbout {
  /** `apply preview/pr-12` */
  readonly title: string;
  /** Version of the program that made it. */
  readonly version: string;
  /** The errors that the run ended with, including those of its lines. */
  readonly errors: readonly RunError[];
  /** Set if the page was made from a receipt, which holds less than the events of a run. */
  readonly receipt?: {
    readonly run: string;
    readonly status: string;
    readonly approvedBy: string | null;
    readonly stats: { readonly requests: number; readonly writes: number };
    readonly branch: string;
    readonly ledgerCommit: string;
  };
}

/** The data that the page holds for its script. */
export interface PageData {
  readonly about: PageAbout;
  readonly charts: readonly Chart[];
  readonly events: readonly RunEvent[];
}
