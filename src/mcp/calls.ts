import type { SignalSource } from '../cli/world.ts';

type SignalName = 'SIGINT' | 'SIGTERM';

/**
 * The calls that are under way. A cancelled one, and all of them when the server has to end, stop as a run does at Ctrl-C: no new
 * write is sent and the ledger is written. `ended` waits for that.
 */
export class Calls {
  readonly #open = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  /** Runs `work` until it has really ended, whatever becomes of the client's interest in it. */
  async run<T>(cancelled: AbortSignal, work: (signals: SignalSource) => Promise<T>): Promise<T> {
    const call = work(signalsOf([cancelled, this.#stopping.signal]));
    this.#open.add(call);
    try {
      return await call;
    } finally {
      this.#open.delete(call);
    }
  }

  stop(name: SignalName): void {
    this.#stopping.abort(name);
  }

  async ended(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
  }
}

/** Aborts as the signals of a process, in the name of the one that was sent; what no signal caused counts as SIGTERM. */
function signalsOf(aborts: readonly AbortSignal[]): SignalSource {
  const any = AbortSignal.any([...aborts]);
  const listeners = new Map<() => void, () => void>();
  return {
    on: (name, listener) => {
      const tell = (): void => {
        if ((any.reason === 'SIGINT' ? 'SIGINT' : 'SIGTERM') === name) listener();
      };
      listeners.set(listener, tell);
      if (any.aborted) tell();
      else any.addEventListener('abort', tell, { once: true });
    },
    off: (_name, listener) => {
      const tell = listeners.get(listener);
      if (tell) any.removeEventListener('abort', tell);
    },
  };
}
