import type { Redactor } from '../core/redact.ts';
import type { Answer, Method } from './types.ts';

interface Redirected {
  readonly method: Method;
  readonly url: URL;
  readonly write: boolean;
  readonly bare: boolean;
}

/**
 * The address at which a redirected request is sent again; `null` when it must not be. A redirect is followed only within the same host and
 * only as the same request. A write follows 307 and 308 alone: they mean that nothing happened and that method and body stay. undici's
 * interceptor `redirect` (8.12.4) goes to any host, turns a POST into a GET, and keeps a signature that holds for one address.
 */
export function redirectTarget(
  { method, url, write, bare, base }: Redirected & { readonly base: string },
  { status, headers }: Pick<Answer, 'headers'> & { readonly status: number | null },
  visited: readonly string[],
): URL | null {
  const isSame = status === 307 || status === 308;
  // A read also follows 301, 302 and 303, which say where to look.
  const isSeen = !write && (method === 'GET' || method === 'HEAD') && (status === 301 || status === 302 || status === 303);
  if ((!isSame && !isSeen) || headers.location === undefined || visited.length > (write ? 1 : mostHops)) return null;
  const target = URL.parse(headers.location, url.href);
  if (target === null || target.origin !== url.origin || target.username !== '' || target.password !== '') return null;
  target.hash = '';
  return (bare || isBelow(base, target)) && !visited.includes(target.href) ? target : null;
}

const mostHops = 3;

/** Whether the target lies below the base URL. Beside the API's own addresses the host has pages for people, such as a sign-in page. */
function isBelow(base: string, target: URL): boolean {
  const path = URL.parse(base)?.pathname.replace(/\/+$/, '') ?? '';
  return path === '' || target.pathname === path || target.pathname.startsWith(`${path}/`);
}

/**
 * The words for a redirect that was not followed. They show only the origin of another host, and only the path at this host, because a
 * query may hold a secret.
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
    const carried = call.bare ? 'the content of the request' : 'the credential';
    return {
      detail: `${what} to ${target.origin}. pilotfish does not follow it, because that would carry ${carried} elsewhere.`,
      fix: null,
    };
  }
  const path = call.redactor.text(target.pathname);
  const isTold = status === 307 || status === 308 || (!call.write && call.method !== 'POST');
  const why = isTold
    ? 'pilotfish did not follow it any further: it follows a few redirects at most, one for a write, and only within the base URL.'
    : `pilotfish does not follow it: only 307 and 308 let it send a ${call.method} again unchanged.`;
  return {
    detail: `${what} to ${path}. ${why}`,
    fix: `Give ${path} in the plan in place of ${call.redactor.text(call.url.pathname)}, if the API has moved there.`,
  };
}
