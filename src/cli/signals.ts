import { Failure } from '../core/errors.ts';
import type { SignalSource } from './world.ts';

type SignalName = 'SIGINT' | 'SIGTERM';
const codes: { readonly [name in SignalName]: number } = { SIGINT: 130, SIGTERM: 143 };

/** The interruption of a run: the first signal lets it drain, the second ends the process at once. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** 130 or 143 once a signal came, of the first one. */
  readonly exitCode: () => number | null;
  stop(): void;
}

export interface InterruptionOptions {
  readonly source: SignalSource;
  readonly say: (line: string) => void;
  /** What the first signal leads to; that of a run where this is left out. */
  readonly meaning?: string;
  /** Leaves the terminal and the trace whole; then the process ends. `null`: a second signal changes nothing. */
  readonly exitNow: ((code: number) => void) | null;
}

const draining = 'no new write is sent, and the ledger is written';

export function watchSignals({ source, say, meaning = draining, exitNow }: InterruptionOptions): Interruption {
  const controller = new AbortController();
  let first: number | null = null;
  const listenerFor = (name: SignalName) => () => {
    if (first !== null) {
      exitNow?.(codes[name]);
      return;
    }
    first = codes[name];
    say(`stopping: ${name} was received; ${meaning}.${exitNow ? ' A second signal ends at once.' : ''}`);
    controller.abort(new Failure('INTERRUPTED', { detail: `${name} was received before the run was done.` }));
  };
  const listeners = { SIGINT: listenerFor('SIGINT'), SIGTERM: listenerFor('SIGTERM') };
  source.on('SIGINT', listeners.SIGINT);
  source.on('SIGTERM', listeners.SIGTERM);
  return {
    signal: controller.signal,
    exitCode: () => first,
    stop: () => {
      source.off('SIGINT', listeners.SIGINT);
      source.off('SIGTERM', listeners.SIGTERM);
    },
  };
}

/** What Node warns of, told by our own door: Node itself would print it unmasked. A Node that was told not to warn stays silent. */
export function tellWarnings(process: NodeJS.Process, say: (line: string) => void): void {
  if (process.listenerCount('warning') === 0) return;
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => say(`${name}: ${message}`));
}
