import { follow } from '../../http/abort.ts';
import { LedgerMoved } from '../../ledger/writer/ledger-moved.ts';

/** What ends the lines of one drive: the run is told to stop, or another run wrote and they begin anew. */
export interface LinesEnd {
  /** Every line of the drive has it, and whoever works for the line. */
  readonly stopping: AbortSignal;
  readonly isOutdated: boolean;
  outdate(): void;
  /** The lines have ended: the run's own signal lives on without them. */
  release(): void;
}

export function linesEnd(run: AbortSignal): LinesEnd {
  const outdated = new AbortController();
  const { signal, release } = follow([run, outdated.signal]);
  return {
    stopping: signal,
    get isOutdated() {
      return outdated.signal.aborted;
    },
    outdate: () => outdated.abort(new LedgerMoved()),
    release,
  };
}
