import type { SignalSource } from '../cli/world.ts';

type SignalName = 'SIGINT' | 'SIGTERM';

/**
 * The calls under way. A cancelled call stops like a run at Ctrl-C: it sends no new write, and writes the ledger. All calls stop like this
 * when the server must end. `ended` waits for them.
 */
export class Calls {
  readonly #open = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  /** Runs `work` until it has really ended, even if the client no longer waits for it. */
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

/** Turns aborts into signals of a process, under the name of the signal that was sent. An abort without a signal counts as SIGTERM. */
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
