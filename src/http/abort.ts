/** The reason of an aborted signal as an `Error`, even where `abort()` got something else. */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new DOMException(`The operation was aborted: ${String(reason)}`, 'AbortError');
}

export type MaybeSignal = AbortSignal | undefined;

/**
 * One signal that follows several until `release` is called. Unlike `AbortSignal.any` it leaves nothing behind on a signal
 * that lives as long as the run.
 */
export function follow(signals: readonly MaybeSignal[]): Following {
  const own = new AbortController();
  const releases: (() => void)[] = [];
  for (const signal of signals) {
    if (!signal) continue;
    if (signal.aborted) own.abort(abortReason(signal));
    else releases.push(onAbort(signal, (reason) => own.abort(reason)));
  }
  const release = () => {
    for (const undo of releases.splice(0)) undo();
  };
  return { signal: own.signal, abort: (reason) => own.abort(reason), release };
}

export interface Following {
  readonly signal: AbortSignal;
  readonly abort: (reason: Error) => void;
  readonly release: () => void;
}

type Listener = (reason: Error) => void;

/**
 * Listeners of each signal, behind a single event listener. An `EventTarget` walks all its listeners to add one, and
 * thousands of requests wait on the signal of one run.
 */
const listeners = new WeakMap<AbortSignal, Set<Listener>>();

/** Calls `listener` when the signal is aborted, unless the caller undoes that before. A signal that is aborted already calls nothing. */
export function onAbort(signal: AbortSignal, listener: Listener): () => void {
  const known = listeners.get(signal) ?? listenTo(signal);
  known.add(listener);
  return () => {
    known.delete(listener);
  };
}

function listenTo(signal: AbortSignal): Set<Listener> {
  const all = new Set<Listener>();
  listeners.set(signal, all);
  const tell = () => {
    for (const one of all) one(abortReason(signal));
  };
  signal.addEventListener('abort', tell, { once: true });
  return all;
}

/** Gives the result of `work`, or throws the reason of the first aborted signal. `work` then goes on unheard. */
export async function orAborted<T>(work: Promise<T>, ...signals: readonly MaybeSignal[]): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const over = signals.find((signal) => signal?.aborted);
  if (over) reject(abortReason(over));
  const releases = signals.map((signal) => signal && onAbort(signal, reject));
  try {
    return await Promise.race([aborted, work]);
  } finally {
    for (const release of releases) release?.();
  }
}
