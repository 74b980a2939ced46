import { Failure } from '../core/errors.ts';
import type { ProviderBlock, RequestSpec } from './types.ts';

/**
 * The address of a request: its path below the block's base URL, or its own absolute URL. Credentials never leave the
 * block's origin, and a value in the path never climbs out of its segment.
 */
export function requestUrl(block: ProviderBlock, request: Pick<RequestSpec, 'path' | 'query'>, bare: boolean): URL {
  const isAbsolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(request.path);
  if (!isAbsolute && request.path !== '' && !/^[/?]/.test(request.path))
    throw invalid(block, `The path "${request.path}" does not start with a slash.`);
  refuseClimbing(block, isAbsolute ? request.path.replace(/^[^/]*\/\/[^/?]*/, '') : request.path);
  // A fragment is never sent, so a raw `#` or `\` in a value would silently address another object.
  const text = `${isAbsolute ? '' : block.base_url}${request.path}`.replaceAll('#', '%23').replaceAll('\\', '%5C');
  const url = URL.parse(withQuery(text, request.query ?? {}));
  if (url === null || !/^https?:$/.test(url.protocol)) throw invalid(block, 'The base URL and the path make no http address.');
  if (!bare && url.origin !== originOf(block.base_url)) {
    throw invalid(
      block,
      `The request goes to ${url.origin}, and the credential of ${block.api} is only sent to ${originOf(block.base_url)}.`,
    );
  }
  return url;
}

function withQuery(address: string, query: NonNullable<RequestSpec['query']>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one: string) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`),
  );
  if (pairs.length === 0) return address;
  const joint = !address.includes('?') ? '?' : address.endsWith('?') ? '' : '&';
  return `${address}${joint}${pairs.join('&')}`;
}

const origins = new Map<string, string>();

/** A run has few base URLs and thousands of requests. */
function originOf(baseUrl: string): string {
  const origin = origins.get(baseUrl) ?? new URL(baseUrl).origin;
  origins.set(baseUrl, origin);
  return origin;
}

function refuseClimbing(block: ProviderBlock, path: string): void {
  const segments = (path.split('?')[0] ?? '').split(/[/\\]/);
  const climbs = segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  // URL parsers drop control characters silently, which would change the address.
  if (climbs || /\p{Cc}/u.test(path)) {
    throw invalid(block, 'A value in the path of the request is "." or "..", or holds a control character.');
  }
}

function invalid(block: ProviderBlock, why: string): Failure {
  return new Failure('PARAM_INVALID', {
    detail: `${why} The request to ${block.api} was not sent.`,
    fix: 'Correct the path or the value in it.',
  });
}
