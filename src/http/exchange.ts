import type { Dispatcher } from 'undici';
import type { Clock } from '../core/clock.ts';
import { abortReason, type MaybeSignal } from './abort.ts';
import { codings, decoded } from './content-coding.ts';
import { withinDeadline } from './deadline.ts';
import { BodyTooLong, bodyLimit } from './decode.ts';
import { BlockedPort, isBlocked } from './ports.ts';
import type { RequestHeaders } from './request-headers.ts';

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: RequestHeaders;
  readonly body: string | null;
}

/** An answer with its body whole. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly bytes: Uint8Array;
}

export interface Wire {
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly deadlineMs: number;
}

/**
 * One attempt: sends the request in the caller's turn and reads the answer to its end, all of it within the deadline. A redirect is an
 * answer: following it would carry the credential to wherever it points.
 */
export function exchange(wire: Wire, request: WireRequest, signals: readonly MaybeSignal[]): Promise<WireAnswer> {
  return withinDeadline({ ms: wire.deadlineMs, clock: wire.clock, signals }, async (signal) => {
    const answer = await dispatched(wire.dispatcher, request, signal);
    return { ...answer, bytes: await decoded(answer) };
  });
}

/** `fetch` does the same with streams, which nobody needs here: that takes half as much work again, and twice as much text to load. */
function dispatched(dispatcher: Dispatcher, { method, url, headers, body }: WireRequest, signal: AbortSignal): Promise<WireAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
  if (isBlocked(url)) throw new BlockedPort();
  let controller: Dispatcher.DispatchController | null = null;
  signal.addEventListener('abort', () => controller?.abort(abortReason(signal)), { once: true });
  let head = { status: 0, headers: {} };
  let length = 0;
  const chunks: Uint8Array[] = [];
  dispatcher.dispatch(
    { origin: url.origin, path: url.pathname + url.search, method, headers: sentHeaders(url, headers), body },
    {
      onRequestStart(started) {
        // It may have waited for a connection longer than its sender did.
        if (signal.aborted) started.abort(abortReason(signal));
        else controller = started;
      },
      onResponseStart(_, status, received) {
        if (status >= 200) head = { status, headers: receivedHeaders(received) };
      },
      onResponseData(started, chunk) {
        length += chunk.byteLength;
        if (length > bodyLimit) started.abort(new BodyTooLong(head.status));
        else chunks.push(chunk);
      },
      onResponseEnd: () => resolve({ ...head, bytes: Buffer.concat(chunks) }),
      onResponseError: (_, error) => reject(error),
    },
  );
  return promise;
}

/** As undici takes them: names and values in turn. */
function sentHeaders(url: URL, headers: RequestHeaders): string[] {
  const sent = [...headers].filter(([name]) => name !== 'host');
  if (!sent.some(([name]) => name === 'accept-encoding')) sent.push(['accept-encoding', codings(url)]);
  return sent.flat();
}

/** A header that came several times is one list, as HTTP reads it. */
function receivedHeaders(received: NodeJS.Dict<string | string[]>): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(received).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}
