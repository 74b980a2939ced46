import { Failure } from '../core/errors.ts';
import type { SignalSource } from './world.ts';

type SignalName = 'SIGINT' | 'SIGTERM';
const codes: { readonly [name in SignalName]: number } = { SIGINT: 130, SIGTERM: 143 };

/** The interruption of a run: the first signal lets it drain, the second ends the process at once. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** 130 or 143 by the first signal; `null` without one. */
  readonly exitCode: () => number | null;
  stop(): void;
}

export interface InterruptionOptions {
  readonly source: SignalSource;
  readonly say: (line: string) => void;
  /** The effect of the first signal in words. The default is the effect on a run. */
  readonly meaning?: string;
  /** Leaves the terminal and the trace whole, and then ends the process. `null`: a second signal changes nothing. */
  readonly exitNow: ((code: number) => void) | null;
}

const draining = 'the run sends no new write, and writes the ledger';

export function watchSignals({ source, say, meaning = draining, exitNow }: InterruptionOptions): Interruption {
  const controller = new AbortController();
  let first: number | null = null;
  const listenerFor = (name: SignalName) => () => {
    if (first !== null) {
      exitNow?.(codes[name]);
      return;
    }
    first = codes[name];
    say(`stopping on ${name}: ${meaning}.${exitNow ? ' A second signal ends the process at once.' : ''}`);
    controller.abort(new Failure('INTERRUPTED', { detail: `${name} stopped the run before it was done.` }));
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

/** Prints the warnings of Node through our own output, because Node would print them unmasked. With warnings turned off it prints none. */
export function tellWarnings(process: NodeJS.Process, say: (line: string) => void): void {
  if (process.listenerCount('warning') === 0) return;
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => say(`${name}: ${message}`));
}
