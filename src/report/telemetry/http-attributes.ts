import type { RunEvent } from '../../engine/document.ts';

/** Attributes of a span, by the names of the semantic conventions where these have one. */
export interface Attributes {
  readonly [name: string]: string | number;
}

/** The methods that the conventions know. Every other one is `_OTHER`. */
const methods = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE']);

/** The name of a request's span. The conventions want few names, so it has no address. */
export const methodName = (method: string): string => (methods.has(method) ? method : 'HTTP');

/** The attributes of a request, as the conventions for HTTP clients name them (1.23 and later). */
export function httpAttributes({ method, url, status, attempt }: Extract<RunEvent, { type: 'request' }>): Attributes {
  return {
    'http.request.method': methods.has(method) ? method : '_OTHER',
    ...(!methods.has(method) && { 'http.request.method_original': method }),
    ...addressOf(url),
    ...(status !== null && { 'http.response.status_code': status }),
    ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
    ...(httpFailure(status) !== null && { 'error.type': status === null ? 'no_answer' : String(status) }),
  };
}

/** Why a request failed: the conventions call every answer from 400 on an error of the client's span. `null` for success. */
export function httpFailure(status: number | null): string | null {
  if (status === null) return 'no answer came';
  return status >= 400 ? `HTTP ${status}` : null;
}

/** The address without credentials and fragment, and with the names alone of its query. Nothing of a text that is no address. */
function addressOf(text: string): Attributes {
  const url = URL.parse(text);
  if (url === null) return {};
  const names = [...url.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=REDACTED`);
  return {
    'url.full': `${url.protocol}//${url.host}${url.pathname}${names.length === 0 ? '' : `?${names.join('&')}`}`,
    'server.address': url.hostname.replace(/^\[|\]$/g, ''),
    'server.port': Number(url.port) || (url.protocol === 'http:' ? 80 : 443),
  };
}
