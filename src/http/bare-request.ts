import { Headers } from 'undici';
import { Failure } from '../core/errors.ts';
import type { Sealed } from '../core/sealed.ts';
import { abortReason } from './abort.ts';
import { toldExchange } from './attempt.ts';
import { credentialVariables } from './auth/variables.ts';
import { BadBody, decodeBody, mustBeAnswer } from './encodings/decode.ts';
import { type Call, HttpFailure, networkFailure, statusFailure, unreadableFailure } from './failure.ts';
import { withRetries } from './retry.ts';
import { isThrottled } from './retry-after.ts';
import type { Shared } from './shared.ts';
import type { Answer, ProviderBlock, WireAnswer } from './types.ts';

export interface BareRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Waits for a slot of its host. A request must not wait for one while another request holds a slot for it. */
  readonly queued: boolean;
}

/**
 * Sends a request that belongs to no line, for a token or a secret. No signer and no gate sees this request. Asking twice does no harm, so
 * all of the retry table applies. Throws `HttpFailure` for every status but 200.
 */
export async function bareRequest(shared: Shared, call: Call, { headers, body, queued }: BareRequest): Promise<WireAnswer> {
  const { clock, random, signal } = shared;
  const origin = shared.originOf(call.url);
  const once = async (attempt: number, turn: number | null): Promise<WireAnswer> => {
    const sentAt = clock.mono();
    const content = { headers: new Headers(headers), body };
    const sending = toldExchange(shared, call, content, { line: null, isNewWrite: false, attempt, signal });
    const answer = await sending.catch((thrown: unknown) => {
      throw signal.aborted ? abortReason(signal) : networkFailure(call, thrown);
    });
    if (answer.status === 200) return answer;
    const failure = statusFailure(call, { ...answer, body: readable(answer.bytes, answer.headers['content-type']) });
    if (turn !== null && isThrottled(answer.status, answer.headers)) origin.slowDown({ turn, sentAt });
    if (queued && failure.retryAfter !== null && failure.repeat === 'any') origin.hold(failure.retryAfter);
    throw failure;
  };
  const rule = { retry: 'table', idempotent: true } as const;
  return withRetries(rule, { clock, random, signal, write: false }, (attempt) =>
    queued ? origin.run(signal, (turn) => once(attempt, turn)) : once(attempt, null),
  );
}

export interface BareRead {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The secret in the headers. */
  readonly credential: Sealed;
}

/** An answer of any status. `said` tells a refusal in one redacted sentence. */
export interface BareAnswer extends Answer {
  readonly said: string;
}

/** Reads from a server that is no line's provider. Throws `HttpFailure` where no readable answer came. */
export async function bareRead(shared: Shared, { url, headers, credential }: BareRead): Promise<BareAnswer> {
  const { redactor } = shared;
  const time = shared.originOf(url).timeAt(url.origin + url.pathname);
  redactor.add(credential);
  const block = { api: url.host, base_url: url.origin, auth: null };
  const call: Call = { block, method: 'GET', url, write: false, bare: true, redactor, time, lostBefore: false };
  const all = { 'user-agent': 'pilotfish', accept: 'application/json', ...headers };
  try {
    const { status, headers: got, bytes } = await bareRequest(shared, call, { headers: all, body: null, queued: true });
    const body = bodyOf(call, { status, bytes, type: got['content-type'] });
    return { status, headers: got, body, said: `${url.host} answered ${status}.` };
  } catch (thrown) {
    if (!(thrown instanceof HttpFailure) || thrown.status === null || thrown.code === 'PROVIDER_RESPONSE') throw thrown;
    return { status: thrown.status, headers: {}, body: thrown.body, said: thrown.detail };
  }
}

/** The body of an answer with a good status. Throws `HttpFailure` for a body that no API sends. */
function bodyOf(
  call: Call,
  { status, bytes, type }: { readonly status: number; readonly bytes: Uint8Array; readonly type: string | undefined },
): unknown {
  try {
    const body = decodeBody(bytes, type);
    mustBeAnswer(body, type, { status, isRead: true });
    return body;
  } catch (thrown) {
    throw thrown instanceof BadBody ? unreadableFailure(call, status, thrown.message, { kind: thrown.kind }) : thrown;
  }
}

/** Sends token requests of one API. A refusal is the credential's fault, whichever 4xx the server chose for it. */
export function tokenFetcher(shared: Shared, block: ProviderBlock) {
  return async (url: URL, init: { readonly body: string; readonly headers: Readonly<Record<string, string>> }): Promise<Response> => {
    const { redactor } = shared;
    const time = shared.originOf(url).timeAt(url.origin + url.pathname);
    const call: Call = { block, method: 'POST', url, write: false, bare: true, redactor, time, lostBefore: false };
    try {
      // A request of the API waits for this token and may hold a slot of the same host. A second slot might never come free.
      const answer = await bareRequest(shared, call, { ...init, queued: false });
      bodyOf(call, { status: 200, bytes: answer.bytes, type: answer.headers['content-type'] });
      return new Response(Buffer.from(answer.bytes), { status: 200, headers: { ...answer.headers } });
    } catch (thrown) {
      throw thrown instanceof HttpFailure ? refused(call, thrown) : thrown;
    }
  };
}

function refused(call: Call, failure: HttpFailure): Failure {
  const { status } = failure;
  if (status === null || status < 400 || status >= 500 || failure.repeat === 'any') return failure;
  return new Failure('PROVIDER_AUTH', {
    detail: `No access token for ${call.block.api}: ${failure.detail}`,
    fix: `Check ${credentialVariables(call.block).join(' and ')}, and check that this client may use the API.`,
    status,
  });
}

/** An error body is only quoted, so a body that does not parse is quoted as text. */
function readable(bytes: Uint8Array, contentType: string | undefined): unknown {
  try {
    return decodeBody(bytes, contentType);
  } catch {
    return decodeBody(bytes, 'text/plain');
  }
}
