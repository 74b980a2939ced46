import type { Dispatcher } from 'undici';

/** What a simulated server says. */
export interface Said {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: { readonly [name: string]: string };
}

/** One exchange as undici's handlers know it. */
export class Exchange implements Dispatcher.DispatchController {
  rawHeaders: string[] = [];
  readonly #handler: Dispatcher.DispatchHandler;
  #isOver = false;
  #reason: Error | null = null;

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler;
  }

  get aborted(): boolean {
    return this.#reason !== null;
  }
  get paused(): boolean {
    return false;
  }
  get reason(): Error | null {
    return this.#reason;
  }

  abort(reason: Error): void {
    if (this.#reason || this.#isOver) return;
    this.#reason = reason;
    this.fail(reason);
  }

  pause(): void {}
  resume(): void {}

  answer({ status, body, headers = {} }: Said): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const all = { ...headers, ...(body !== null && { 'content-type': 'application/json' }) };
    this.rawHeaders = Object.entries(all).flat();
    this.#handler.onResponseStart?.(this, status, all, '');
    if (body !== null) this.#handler.onResponseData?.(this, Buffer.from(JSON.stringify(body)));
    this.#handler.onResponseEnd?.(this, {});
  }

  fail(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#handler.onResponseError?.(this, error);
  }
}

/** The headers of a request, in whichever form undici was given them. */
export function headersOf(given: Dispatcher.DispatchOptions['headers']): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  const add = (name: unknown, value: unknown): void => void headers.set(String(name).toLowerCase(), String(value));
  if (Array.isArray(given)) for (let i = 0; i < given.length; i += 2) add(given[i], given[i + 1]);
  else if (given && Symbol.iterator in given) for (const [name, value] of given as Iterable<[string, unknown]>) add(name, value);
  else for (const [name, value] of Object.entries(given ?? {})) add(name, value);
  return headers;
}

/** The body of a request. */
export async function textOf(given: unknown): Promise<string | null> {
  if (given === null || given === undefined) return null;
  if (typeof given === 'string') return given;
  const chunks: Uint8Array[] = [];
  for await (const chunk of given as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
