import type { Redactor } from '../core/redact.ts';
import type { Method } from './types.ts';

interface Redirected {
  readonly method: Method;
  readonly url: URL;
  readonly write: boolean;
  readonly bare: boolean;
  readonly redactor: Redactor;
}

/**
 * What a person is told of a redirect that was not followed. Of another host only the origin is shown, and of this one only the path: a
 * query may hold what nobody should see.
 */
export function redirectWords(
  call: Redirected,
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
