import { type Dispatcher, fetch } from 'undici';
import type { Clock } from '../core/clock.ts';
import type { MaybeSignal } from './abort.ts';
import { withinDeadline } from './deadline.ts';
import { readBytes } from './decode.ts';

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
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

/** One attempt: sends the request in the caller's turn and reads the answer to its end, all of it within the deadline. */
export function exchange(wire: Wire, request: WireRequest, signals: readonly MaybeSignal[]): Promise<WireAnswer> {
  return withinDeadline({ ms: wire.deadlineMs, clock: wire.clock, signals }, async (signal) => {
    const response = await fetch(request.url, {
      method: request.method,
      headers: [...request.headers],
      ...(request.body !== null && { body: request.body }),
      // Following would carry the credential to wherever the answer points.
      redirect: 'manual',
      dispatcher: wire.dispatcher,
      signal,
    });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      bytes: await readBytes(response.status, response.body),
    };
  });
}
