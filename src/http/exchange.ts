import type { Dispatcher, Headers } from 'undici';
import { bounds } from '../core/bounds.ts';
import type { Clock } from '../core/clock.ts';
import { abortReason, type MaybeSignal, onAbort } from './abort.ts';
import { withinDeadline } from './deadline.ts';
import { codings, decoded } from './encodings/content-coding.ts';
import { BodyTooLong } from './encodings/decode.ts';
import { BlockedPort, isBlocked, NeverSent } from './network-fault.ts';
import type { WireAnswer } from './types.ts';

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | Uint8Array | null;
}

export interface Wire {
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly deadlineMs: number;
  /** Bytes of the longest answer; `bounds.answer` when left out. */
  readonly most?: number;
}

/**
 * One attempt: sends the request in the caller's turn and reads the answer to its end, all of it within the deadline. A redirect is an
 * answer, and `redirected` decides whether to follow it. Throws `NeverSent` for a request that ended before its first byte left.
 */
export async function exchange(wire: Wire, request: WireRequest, given: MaybeSignal): Promise<WireAnswer> {
  if (isBlocked(request.url)) throw new NeverSent(new BlockedPort());
  if (given?.aborted) throw new NeverSent(abortReason(given));
  let isStarted = false;
  const start = (): void => {
    isStarted = true;
  };
  try {
    return await withinDeadline({ ms: wire.deadlineMs, clock: wire.clock, signal: given }, async (signal) => {
      const answer = await dispatched(wire, request, { signal, start });
      return answer.headers['content-encoding'] === undefined ? answer : { ...answer, bytes: await decoded(answer) };
    });
  } catch (thrown) {
    throw isStarted ? thrown : new NeverSent(thrown);
  }
}

/**
 * undici's own `request` would hide `onRequestStart`, and only that tells that a request was never sent. Its stream also takes 0.1 ms of CPU
 * more for each request and 10 ms for the first ones (8.12.4). `signal` must belong to this attempt alone.
 */
function dispatched(
  { dispatcher, most = bounds.answer }: Wire,
  { method, url, headers, body }: WireRequest,
  { signal, start }: { readonly signal: AbortSignal; readonly start: () => void },
): Promise<WireAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
  let head = { status: 0, headers: {} };
  let length = 0;
  const chunks: Uint8Array[] = [];
  const sent = { method, origin: url.origin, path: url.pathname + url.search, headers: sentHeaders(url, headers), body };
  dispatcher.dispatch(sent, {
    // undici calls this in the turn of its write. It may have waited longer for a connection than the sender waited for it.
    onRequestStart(controller) {
      if (signal.aborted) return controller.abort(abortReason(signal));
      start();
      onAbort(signal, (reason) => controller.abort(reason));
    },
    onResponseStart(_, status, received) {
      if (status >= 200) head = { status, headers: receivedHeaders(received) };
    },
    onResponseData(controller, chunk) {
      length += chunk.byteLength;
      if (length > most) controller.abort(new BodyTooLong(head.status));
      else chunks.push(chunk);
    },
    onResponseEnd: () => resolve({ ...head, bytes: Buffer.concat(chunks) }),
    onResponseError: (_, error) => reject(error),
  });
  return promise;
}

/** The headers as undici takes them: names and values in turn. */
function sentHeaders(url: URL, headers: Headers): string[] {
  const sent = [...headers].filter(([name]) => name !== 'host').flat();
  return headers.has('accept-encoding') ? sent : [...sent, 'accept-encoding', codings(url)];
}

/** A header that came several times becomes one list, as HTTP says. */
function receivedHeaders(received: NodeJS.Dict<string | string[]>): { [name: string]: string } {
  return Object.fromEntries(Object.entries(received).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));
}
