import type { NextCommands } from '../sections.ts';

/** What the Markdown of a run tells beside its document. */
export interface MarkdownOptions {
  /** Bytes of UTF-8 that it may have, so also characters; at least 2,000 for more than a heading. */
  readonly longest: number;
  /** The run is, or plans, a destroy. */
  readonly isDestroy?: boolean;
  /** Environment and scope, where the document does not know them: the run failed before it began. */
  readonly environment?: string | null;
  readonly scope?: string | null;
  readonly commit?: string | null;
  /** Where the log of the run is. */
  readonly runUrl?: string | null;
  /** Where the trace was uploaded to. */
  readonly traceUrl?: string | null;
  /** The page of the error codes. */
  readonly errorsUrl?: string | null;
  /** Commands that a reader can run. */
  readonly next?: Pick<NextCommands, 'apply' | 'destroy'>;
}
