import type { Redactor } from '../core/redact.ts';
import type { Answer, Method } from './types.ts';

interface Redirected {
  readonly method: Method;
  readonly url: URL;
  readonly write: boolean;
  readonly bare: boolean;
}

/**
 * The address at which a redirected request is sent again; `null` when it is not. It is followed only at the same host and only as the same
 * request: a write goes on with 307 and 308 alone, whose meaning is that nothing happened and that method and body stay. undici's
 * interceptor `redirect` (8.12.4) goes to any host, makes a GET of a POST, and keeps a signature that holds for one address.
 */
export function redirectTarget(
  { method, url, write, bare, base }: Redirected & { readonly base: string },
  { status, headers }: Pick<Answer, 'headers'> & { readonly status: number | null },
  visited: readonly string[],
): URL | null {
  const isSame = status === 307 || status === 308;
  // A read also follows "it is to be seen there".
  const isSeen = !write && (method === 'GET' || method === 'HEAD') && (status === 301 || status === 302 || status === 303);
  if ((!isSame && !isSeen) || headers.location === undefined || visited.length > (write ? 1 : mostHops)) return null;
  const target = URL.parse(headers.location, url.href);
  if (target === null || target.origin !== url.origin || target.username !== '' || target.password !== '') return null;
  target.hash = '';
  return (bare || isBelow(base, target)) && !visited.includes(target.href) ? target : null;
}

const mostHops = 3;

/** Beside the API's own addresses stand pages for people, such as the one to sign in at. */
function isBelow(base: string, target: URL): boolean {
  const path = URL.parse(base)?.pathname.replace(/\/+$/, '') ?? '';
  return path === '' || target.pathname === path || target.pathname.startsWith(`${path}/`);
}

/**
 * The words for a redirect that was not followed. They show only the origin of another host, and only the path at this one: a query may
 * hold a secret.
 */
export function redirectWords(
  call: Redirected & { readonly redactor: Redactor },
  status: number,
  location: string | undefined,
): { readonly detail: string; readonly fix: string | null } {
  const target = location === undefined ? null : URL.parse(location, call.url.href);
  const what = `a redirect (${status})`;
  if (target === null) return { detail: `${what} that names no address.`, fix: null };
  if (target.origin !== call.url.origin) {
    const carried = call.bare ? 'what the request holds' : 'the credential';
    return { detail: `${what} to ${target.origin}. It is not followed, because that would carry ${carried} elsewhere.`, fix: null };
  }
  const path = call.redactor.text(target.pathname);
  const isTold = status === 307 || status === 308 || (!call.write && call.method !== 'POST');
  const why = isTold
    ? 'It was not followed any further: a redirect is followed a few times at most, once for a write, and within the base URL alone.'
    : `It is not followed: only after 307 and 308 is a ${call.method} sent again as it was.`;
  return {
    detail: `${what} to ${path}. ${why}`,
    fix: `Give ${path} in the plan in place of ${call.redactor.text(call.url.pathname)}, if that is where it is now.`,
  };
}
