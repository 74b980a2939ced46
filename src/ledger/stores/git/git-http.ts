import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import type { Dispatcher } from 'undici';
import { bounds, inMb } from '../../../core/bounds.ts';
import { Failure } from '../../../core/errors.ts';
import { RemoteTrouble } from '../patience.ts';
import { tooLarge } from '../too-large.ts';
import { bodyOf, wholeBody } from './git-body.ts';

/** The remote answered with a status that is not success. */
export class GitHttpStatus extends Error {
  readonly status: number;
  /** The body: hosts explain themselves there. */
  readonly words: string;
  constructor(status: number, words: string) {
    super(`the remote answered ${status}`);
    this.name = 'GitHttpStatus';
    this.status = status;
    this.words = words;
  }
}

/** `isStreamed`: the caller bounds the body and reads it as it comes. */
export type GitHttpCall = GitHttpRequest & { readonly isStreamed?: true };

/**
 * isomorphic-git's HTTP over our dispatcher, so that proxy and certificates are those of every other request.
 *
 * A body is read whole before it is handed on: then a cut connection is one clear error here, not a parse error there. A
 * repository that was renamed answers its first request with a redirect; like git, we stay at the new address, if it is
 * on the same host and not less private.
 */
export function gitHttp(url: string, dispatcher: Dispatcher): HttpClient {
  let base = url;
  const send = async (call: GitHttpCall, hops: number): Promise<GitHttpResponse> => {
    const { method = 'GET', headers = {} } = call;
    const address = base + call.url.slice(url.length);
    const isPush = method === 'POST' && address.endsWith('/git-receive-pack');
    const body = await wholeBody(call.body);
    try {
      const { origin, pathname, search } = new URL(address);
      const answer = await dispatcher.request({
        origin,
        path: pathname + search,
        method: method === 'POST' ? 'POST' : 'GET',
        headers: { ...headers, 'user-agent': 'git/pilotfish' },
        body,
        headersTimeout: 60_000,
        bodyTimeout: 60_000,
      });
      const isStreamed = call.isStreamed === true && answer.statusCode === 200;
      const content = isStreamed ? Buffer.alloc(0) : await boundedBody(answer.body);
      const moved = method === 'GET' && isRedirect(answer.statusCode) ? movedTo(address, answer.headers.location) : null;
      if (moved !== null && hops < 3) {
        base = moved;
        return await send({ ...call, headers }, hops + 1);
      }
      throwUnlessOk(answer.statusCode, content, answer.headers, isPush);
      return {
        url: address,
        method,
        statusCode: answer.statusCode,
        statusMessage: answer.statusText,
        headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')])),
        body: isStreamed ? streamed(answer.body) : bodyOf(content),
      };
    } catch (thrown) {
      if (thrown instanceof RemoteTrouble || thrown instanceof GitHttpStatus || thrown instanceof Failure) throw thrown;
      throw new RemoteTrouble(reasonOf(thrown), { wasSent: isPush && !neverConnected(thrown), cause: thrown });
    }
  };
  return { request: (call) => send(call, 0) };
}

/** The body of a read as it comes. A cut connection is the same trouble as one that is cut before its answer. */
async function* streamed(body: AsyncIterable<Uint8Array>): AsyncIterableIterator<Uint8Array> {
  try {
    yield* body;
  } catch (thrown) {
    throw new RemoteTrouble(reasonOf(thrown), { wasSent: false, cause: thrown });
  }
}

/** Leaving the loop ends the connection: nothing more is read. */
async function boundedBody(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.byteLength;
    if (length > bounds.pack) throw tooLarge('its host sent more', `${inMb(bounds.pack)} in one answer`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function throwUnlessOk(status: number, content: Buffer, headers: { [name: string]: unknown }, isPush: boolean): void {
  // 203 is a sign-in page that pretends to be an answer.
  if (status === 203) throw new GitHttpStatus(401, '');
  if (status >= 200 && status < 300) return;
  if (status === 429 || status === 408 || status >= 500) {
    const wait = typeof headers['retry-after'] === 'string' ? headers['retry-after'] : '';
    const retryAfterMs = milliseconds(wait, String(headers.date)) ?? (status === 429 ? 1_000 : null);
    throw new RemoteTrouble(`it answered ${status}`, { wasSent: isPush && status !== 429, retryAfterMs });
  }
  const isText = /^text\/plain/.test(String(headers['content-type'] ?? ''));
  const words = isRedirect(status) ? `a redirect to ${String(headers.location)}` : isText ? content.toString('utf8') : '';
  throw new GitHttpStatus(status, words);
}

/** The repository's new address, when a redirect of its first request may be followed. */
function movedTo(from: string, location: string | string[] | undefined): string | null {
  if (typeof location !== 'string' || !URL.canParse(location, from)) return null;
  const [old, next] = [new URL(from), new URL(location, from)];
  const isUpgrade = old.protocol === 'http:' && next.protocol === 'https:';
  if (old.hostname !== next.hostname || (old.origin !== next.origin && !isUpgrade)) return null;
  const end = next.href.indexOf('/info/refs');
  return end < 0 ? null : next.href.slice(0, end);
}

/** The header may name a moment. That moment is one of the remote's own clock, as its `Date` tells. */
function milliseconds(retryAfter: string, date: string): number | null {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const wait = Date.parse(retryAfter) - Date.parse(date);
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** Errors that come before a byte of the request was sent. */
function neverConnected(thrown: unknown): boolean {
  return /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT|TLS/.test(codeOf(thrown));
}

function codeOf(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  const inner = thrown instanceof AggregateError ? thrown.errors.map(codeOf).join(' ') : '';
  return `${code} ${inner}`.trim();
}

function reasonOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return [text, codeOf(thrown)].filter((part) => part !== '').join(' ') || 'the connection failed';
}
