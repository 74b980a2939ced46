import { getResponse, type RequestHandler } from 'msw';
import { Agent, type Dispatcher } from 'undici';

/**
 * Connections that end in msw handlers: the client under test keeps its real fetch, queue and retries, and nothing reaches
 * the network. A request that no handler answers fails.
 */
export function mswDispatcher(handlers: readonly RequestHandler[]): Dispatcher {
  return new Agent().compose(viaMsw(handlers));
}

/** msw itself sees no undici call, so its handlers stand behind a dispatcher. */
export function viaMsw(handlers: readonly RequestHandler[]): Dispatcher.DispatcherComposeInterceptor {
  return () => (options, handler) => {
    const controller = new Controller();
    controller.onAbort = (reason) => handler.onResponseError?.(controller, reason);
    handler.onRequestStart?.(controller, null);
    answer(handlers, options, handler, controller).catch((error: unknown) => {
      if (!controller.aborted) handler.onResponseError?.(controller, error instanceof Error ? error : new Error(String(error)));
    });
    return true;
  };
}

async function answer(
  handlers: readonly RequestHandler[],
  options: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
  controller: Controller,
): Promise<void> {
  const request = new Request(new URL(options.path, String(options.origin)), {
    method: options.method,
    headers: headersOf(options.headers),
    ...(hasBody(options) && { body: await bytesOf(options.body) }),
  });
  const response = await getResponse([...handlers], request);
  if (controller.aborted) return;
  if (!response) throw new Error(`no handler for ${request.method} ${request.url}`);
  // Response.error() is msw's way to break the connection.
  if (response.type === 'error') throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  controller.rawHeaders = [...response.headers].flat();
  handler.onResponseStart?.(controller, response.status, Object.fromEntries(response.headers), response.statusText);
  const body = Buffer.from(await response.arrayBuffer());
  if (controller.aborted) return;
  if (body.length > 0) handler.onResponseData?.(controller, body);
  handler.onResponseEnd?.(controller, {});
}

const hasBody = (options: Dispatcher.DispatchOptions): boolean =>
  options.body !== null && options.body !== undefined && options.method !== 'GET' && options.method !== 'HEAD';

/** fetch hands its body over as an async iterable of bytes. */
async function bytesOf(body: Dispatcher.DispatchOptions['body']): Promise<ArrayBuffer> {
  const chunks: Buffer[] = [];
  if (typeof body === 'string' || body instanceof Uint8Array) chunks.push(Buffer.from(body));
  else if (isIterable(body)) for await (const chunk of body) chunks.push(Buffer.from(chunk));
  else throw new Error('a body of a form that this bridge does not read');
  return new Uint8Array(Buffer.concat(chunks)).buffer;
}

const isIterable = (body: unknown): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

function headersOf(given: Dispatcher.DispatchOptions['headers']): Headers {
  const headers = new Headers();
  const add = (name: string, value: unknown) => {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined && one !== null) headers.append(name, String(one));
  };
  if (Array.isArray(given)) for (let i = 0; i + 1 < given.length; i += 2) add(String(given[i]), given[i + 1]);
  else if (given && Symbol.iterator in given) for (const [name, value] of given as Iterable<[string, unknown]>) add(name, value);
  else for (const [name, value] of Object.entries(given ?? {})) add(name, value);
  return headers;
}

class Controller implements Dispatcher.DispatchController {
  aborted = false;
  paused = false;
  reason: Error | null = null;
  /** fetch reads these, not the headers that `onResponseStart` is given. */
  rawHeaders: string[] = [];
  onAbort: ((reason: Error) => void) | null = null;

  abort(reason: Error): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.onAbort?.(reason);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }
}
