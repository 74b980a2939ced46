import { Readable } from 'node:stream';
import { Dispatcher } from 'undici';
import type { Simulation } from './types.ts';

/** A dispatcher that sends every request to the simulation of its origin. */
export interface Mounted extends Dispatcher {
  /** Requests to origins that no simulation has. */
  readonly strangers: readonly string[];
  /** Throws when a request went to a stranger or found no route; the last line of a test, or its cleanup. */
  verify(): void;
}

/**
 * Mounts simulations in process: the client's own pool, retries and signing run, and nothing leaves the process.
 * `strict` (the default) makes a request to any other origin fail; otherwise it answers 502.
 */
export function mount(simulations: readonly Simulation[], options: { readonly strict?: boolean } = {}): Mounted {
  return new SimulatedDispatcher(simulations, options.strict ?? true);
}

/** Throws when a simulation saw a request that it does not serve. */
export function verifyHandled(simulations: readonly Simulation[]): void {
  const lines = simulations.flatMap(({ unhandled }) => unhandled);
  if (lines.length > 0) throw new Error(`No simulation serves:\n${lines.join('\n')}`);
}

class SimulatedDispatcher extends Dispatcher implements Mounted {
  readonly strangers: string[] = [];
  readonly #simulations: readonly Simulation[];
  readonly #strict: boolean;

  constructor(simulations: readonly Simulation[], strict: boolean) {
    super();
    this.#simulations = simulations;
    this.#strict = strict;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const exchange = new InProcessExchange(handler);
    handler.onRequestStart?.(exchange, null);
    // In undici a request that starts aborted is over at once; the handler was told by `abort`.
    if (!exchange.aborted) {
      this.#answer(options, exchange.signal).then(
        (response) => exchange.deliver(response),
        (error: unknown) => exchange.fail(error),
      );
    }
    return true;
  }

  verify(): void {
    if (this.strangers.length > 0) throw new Error(`No simulation has the origin of:\n${this.strangers.join('\n')}`);
    verifyHandled(this.#simulations);
  }

  override close(): Promise<void>;
  override close(callback: () => void): void;
  override close(callback?: () => void): Promise<void> | undefined {
    if (!callback) return Promise.resolve();
    queueMicrotask(callback);
    return undefined;
  }

  override destroy(error?: Error | null): Promise<void>;
  override destroy(callback: () => void): void;
  override destroy(error: Error | null, callback: () => void): void;
  override destroy(first?: Error | null | (() => void), second?: () => void): Promise<void> | undefined {
    const callback = typeof first === 'function' ? first : second;
    if (!callback) return Promise.resolve();
    queueMicrotask(callback);
    return undefined;
  }

  async #answer(options: Dispatcher.DispatchOptions, signal: AbortSignal): Promise<Response> {
    const url = new URL(options.path, options.origin);
    const simulation = this.#simulations.find(({ origin }) => origin === url.origin);
    if (!simulation) {
      this.strangers.push(`${options.method} ${url.href}`);
      if (!this.#strict) return new Response(null, { status: 502 });
      throw new Error(`no simulation is mounted for ${url.origin}`);
    }
    const body = await bodyOf(options.body);
    return await simulation.handle(
      new Request(url, {
        method: options.method,
        headers: headersOf(options.headers),
        signal,
        ...(body && { body: new Uint8Array(body) }),
      }),
    );
  }
}

/** One exchange as undici's handlers know it: pausable, abortable, and ended exactly once. */
class InProcessExchange implements Dispatcher.DispatchController {
  rawHeaders: string[] = [];
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #abort = new AbortController();
  #ended = false;
  #reason: Error | null = null;
  #resume: (() => void) | null = null;
  #isPaused = false;

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get aborted(): boolean {
    return this.#reason !== null;
  }

  get paused(): boolean {
    return this.#isPaused;
  }

  get reason(): Error | null {
    return this.#reason;
  }

  abort(reason: Error): void {
    if (this.#reason || this.#ended) return;
    this.#reason = reason ?? new Error('aborted');
    this.#abort.abort(this.#reason);
    this.resume();
    this.fail(this.#reason);
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#resume?.();
    this.#resume = null;
  }

  fail(error: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#handler.onResponseError?.(this, error instanceof Error ? error : new Error(String(error)));
  }

  async deliver(response: Response): Promise<void> {
    if (this.#ended) return;
    try {
      this.rawHeaders = [...response.headers].flat();
      this.#handler.onResponseStart?.(this, response.status, Object.fromEntries(response.headers), response.statusText);
      if (response.body) {
        for await (const chunk of response.body) {
          if (this.#ended) return;
          this.#handler.onResponseData?.(this, Buffer.from(chunk));
          if (this.#isPaused) await new Promise<void>((resume) => (this.#resume = resume));
        }
      }
      if (this.#ended) return;
      this.#ended = true;
      this.#handler.onResponseEnd?.(this, {});
    } catch (error) {
      this.fail(error);
    }
  }
}

/** undici takes headers as a flat list, pairs, or a map (fetch hands over a map). */
function headersOf(given: Dispatcher.DispatchOptions['headers']): Headers {
  const headers = new Headers();
  const add = (name: unknown, value: unknown): void => {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) headers.append(String(name), String(one));
  };
  if (!given) return headers;
  if (Array.isArray(given)) {
    for (let i = 0; i < given.length; i += 2) add(given[i], given[i + 1]);
  } else if (Symbol.iterator in given) {
    for (const [name, value] of given as Iterable<[string, unknown]>) add(name, value);
  } else {
    for (const [name, value] of Object.entries(given)) add(name, value);
  }
  return headers;
}

async function bodyOf(given: unknown): Promise<Buffer | null> {
  if (given === null || given === undefined) return null;
  if (typeof given === 'string') return Buffer.from(given);
  if (given instanceof Uint8Array) return Buffer.from(given);
  if (typeof given === 'object' && (Symbol.asyncIterator in given || Symbol.iterator in given)) {
    const chunks: Buffer[] = [];
    for await (const chunk of Readable.from(given as AsyncIterable<Uint8Array | string>, { objectMode: true }))
      chunks.push(Buffer.from(chunk as Uint8Array));
    return Buffer.concat(chunks);
  }
  throw new Error('the body has a form that mounted simulations do not read');
}
