import { HttpFailure } from './failure.ts';
import { RequestHeaders } from './request-headers.ts';
import type { Prepared } from './shared.ts';

/**
 * Where a request goes on that was answered with a redirect; `null` when it does not. What was renamed is reached at its new address, but
 * only at the same host, and only as the same request: a write goes on with 307 and 308 alone, whose meaning is that nothing happened and
 * that method and body stay. What is followed is proved and signed anew, because a signature holds for one address.
 */
export function redirected(prepared: Prepared, failure: unknown, visited: readonly string[]): Prepared | null {
  const url = failure instanceof HttpFailure ? redirectTarget(prepared, failure) : null;
  if (url === null || visited.includes(url.href) || visited.length > (prepared.write ? 1 : mostHops)) return null;
  const address = prepared.signer?.address?.(url) ?? url;
  const headers = new RequestHeaders(prepared.headers);
  return { ...prepared, url: address, headers, signed: { ...prepared.signed, url: address, headers } };
}

const mostHops = 3;

/** Moved, for every method; for a read also "it is to be seen there". */
function redirectTarget({ method, write, options, block, url }: Prepared, { status, headers }: HttpFailure): URL | null {
  const isSame = status === 307 || status === 308;
  const isSeen = !write && (method === 'GET' || method === 'HEAD') && (status === 301 || status === 302 || status === 303);
  if ((!isSame && !isSeen) || headers.location === undefined) return null;
  const target = URL.parse(headers.location, url.href);
  if (target === null || target.origin !== url.origin || target.username !== '' || target.password !== '') return null;
  target.hash = '';
  return options.bare || isBelow(block.base_url, target) ? target : null;
}

/** Beside the API's own addresses stand pages for people, such as the one to sign in at. */
function isBelow(base: string, target: URL): boolean {
  const path = URL.parse(base)?.pathname.replace(/\/+$/, '') ?? '';
  return path === '' || target.pathname === path || target.pathname.startsWith(`${path}/`);
}
