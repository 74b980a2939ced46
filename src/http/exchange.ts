import type { Dispatcher } from 'undici';
import type { Clock } from '../core/clock.ts';
import { abortReason, type MaybeSignal, onAbort } from './abort.ts';
import type { Deadlines } from './deadline.ts';
import { codings, decoded } from './encodings/content-coding.ts';
import { BodyTooLong, bodyLimit } from './encodings/decode.ts';
import { NeverSent } from './network-fault.ts';
import { BlockedPort, isBlocked } from './ports.ts';
import type { RequestHeaders } from './request-headers.ts';
import type { WireAnswer } from './types.ts';

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: RequestHeaders;
  readonly body: string | null;
}

export interface Wire {
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly deadlineMs: number;
  readonly deadlines: Deadlines;
}

/**
 * One attempt: sends the request in the caller's turn and reads the answer to its end, all of it within the deadline. A redirect is an
 * answer: whether it may be followed is for who knows the credential. Throws `NeverSent` for what ended before its first byte left.
 */
export async function exchange(wire: Wire, request: WireRequest, signals: readonly MaybeSignal[]): Promise<WireAnswer> {
  if (isBlocked(request.url)) throw new NeverSent(new BlockedPort());
  const aborted = signals.find((signal) => signal?.aborted);
  if (aborted) throw new NeverSent(abortReason(aborted));
  const sending = dispatched(wire.dispatcher, request);
  const releases = [wire.deadlines.begin(sending.end)];
  for (const signal of signals) if (signal) releases.push(onAbort(signal, sending.end));
  try {
    const answer = await sending.answer;
    return answer.headers['content-encoding'] === undefined ? answer : { ...answer, bytes: await decoded(answer) };
  } finally {
    for (const release of releases) release();
  }
}

interface Sending {
  readonly answer: Promise<WireAnswer>;
  /** Ends it, at whatever it is; the answer rejects with the reason. */
  readonly end: (reason: Error) => void;
}

/** `fetch` does the same with streams, which nobody needs here: that takes half as much work again, and twice as much text to load. */
function dispatched(dispatcher: Dispatcher, { method, url, headers, body }: WireRequest): Sending {
  const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
  // undici tells of the start in the turn in which it writes. Before that it checks the request, waits for a connection and opens one.
  let controller: Dispatcher.DispatchController | null = null;
  const fail = (error: Error): void => reject(controller === null ? new NeverSent(error) : error);
  let ended: Error | null = null;
  let head = { status: 0, headers: {} };
  let length = 0;
  const chunks: Uint8Array[] = [];
  dispatcher.dispatch(
    { origin: url.origin, path: url.pathname + url.search, method, headers: sentHeaders(url, headers), body },
    {
      onRequestStart(started) {
        // It may have waited for a connection longer than its sender did.
        if (ended) started.abort(ended);
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
      onResponseError: (_, error) => fail(error),
    },
  );
  const end = (reason: Error): void => {
    ended = reason;
    fail(reason);
    controller?.abort(reason);
  };
  return { answer: promise, end };
}

/** As undici takes them: names and values in turn. */
function sentHeaders(url: URL, headers: RequestHeaders): string[] {
  const sent: string[] = [];
  for (const [name, value] of headers) if (name !== 'host') sent.push(name, value);
  if (!headers.has('accept-encoding')) sent.push('accept-encoding', codings(url));
  return sent;
}

/** A header that came several times is one list, as HTTP reads it. */
function receivedHeaders(received: NodeJS.Dict<string | string[]>): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(received).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}
