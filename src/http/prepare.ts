import { Headers } from 'undici';
import { Failure } from '../core/errors.ts';
import { Sealed } from '../core/sealed.ts';
import type { Signer } from './auth/signer.ts';
import { encodeBody, sealedIn } from './encodings/encode.ts';
import { isHidden } from './hidden-address.ts';
import type { Api, Prepared, Shared } from './shared.ts';
import type { Body, ProviderBlock, RequestSpec, SendOptions } from './types.ts';

export function prepare(shared: Shared, api: Api, signer: Signer | null, request: RequestSpec, options: SendOptions): Prepared {
  const { block } = api;
  const bare = options.bare === true;
  const { method } = request;
  const named = requestUrl(bare ? block : { ...block, base_url: shared.addressOf(block) }, atAddress(shared, block, request), bare);
  const url = signer?.address?.(named) ?? named;
  const content = contentOf(request);
  for (const sealed of [...sealedIn(content), ...Object.values(request.headers ?? {}).filter((value) => value instanceof Sealed)]) {
    shared.redactor.add(sealed);
  }
  const encoding = request.graphql ? 'json' : (request.encoding ?? (bare ? 'json' : (block.encoding ?? 'json')));
  const hasBody = content !== undefined && content !== null;
  if (hasBody && (method === 'GET' || method === 'HEAD')) {
    throw new Failure('PLAN_INVALID', {
      detail: `A ${method} request to ${block.api} cannot have a body.`,
      fix: 'Use POST, or move the values into the path.',
    });
  }
  const encoded = hasBody ? encodeBody(content ?? null, encoding, block.form_arrays) : null;

  const headers = new Headers([
    ['user-agent', 'pilotfish'],
    ['accept', encoding === 'xml' ? 'application/xml' : 'application/json'],
  ]);
  const mediaType = bare || encoding !== 'json' ? undefined : block.media_type;
  if (mediaType !== undefined) headers.set('accept', mediaType);
  if (encoded) headers.set('content-type', mediaType ?? encoded.type);
  for (const [name, value] of Object.entries((bare ? null : block.headers) ?? {})) setHeader(headers, name, value, block);
  if (!encoded) headers.delete('content-type');
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    setHeader(headers, name, value instanceof Sealed ? value.reveal() : value, block);
  }
  if (options.idempotencyKey !== undefined) setHeader(headers, 'idempotency-key', options.idempotencyKey, block);

  const body = encoded?.text ?? null;
  const signed = { method, url, headers, ...(body !== null && { body }) };
  return {
    block,
    line: api.line,
    known: api.known,
    method,
    url,
    headers,
    body,
    graphql: request.graphql ?? null,
    signed,
    signer,
    options,
    write: options.purpose === 'write',
  };
}

function contentOf({ body, graphql }: RequestSpec): Body | undefined {
  return graphql ? { query: graphql.query, variables: graphql.variables ?? {} } : body;
}

/** Refuses a bad header here. Otherwise it would fail at the send, with its value in the error text. */
function setHeader(headers: Headers, name: string, value: string, block: ProviderBlock): void {
  try {
    headers.set(name, value);
  } catch {
    throw new Failure('PARAM_INVALID', {
      detail: `The header ${JSON.stringify(name)} of a request to ${block.api} has a name or value that a header cannot hold, such as a line break.`,
      fix: 'Correct the header.',
    });
  }
}

/**
 * The address of a request: its path below the block's base URL, or its own absolute URL. Credentials never leave the
 * block's origin, and a value in the path never climbs out of its segment.
 */
function requestUrl(block: ProviderBlock, request: Pick<RequestSpec, 'path' | 'query'>, bare: boolean): URL {
  const isAbsolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(request.path);
  if (!isAbsolute && request.path !== '' && !/^[/?]/.test(request.path))
    throw invalid(block, `The path "${request.path}" does not start with a slash.`);
  refuseClimbing(block, isAbsolute ? request.path.replace(/^[^/]*\/\/[^/?]*/, '') : request.path);
  // A fragment is never sent, so a raw `#` or `\` in a value would silently address another object.
  const text = `${isAbsolute ? '' : block.base_url}${request.path}`.replaceAll('#', '%23').replaceAll('\\', '%5C');
  const url = URL.parse(withQuery(text, request.query ?? {}));
  if (url === null || !/^https?:$/.test(url.protocol)) throw invalid(block, 'The base URL and the path together are not an http address.');
  const own = bare ? url.origin : new URL(block.base_url).origin;
  if (url.origin !== own) {
    throw invalid(block, `The request goes to ${url.origin}, but the credential of ${block.api} may only go to ${own}.`);
  }
  return url;
}

/** The request with a path that was resolved below the block's address, such as the path of a next page. */
function atAddress(shared: Shared, block: ProviderBlock, request: RequestSpec): RequestSpec {
  const known = block.base_url;
  if (!isHidden(known) || !request.path.startsWith(known)) return request;
  return { ...request, path: shared.addressOf(block) + request.path.slice(known.length) };
}

function withQuery(address: string, query: NonNullable<RequestSpec['query']>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one: string) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`),
  );
  if (pairs.length === 0) return address;
  const joint = !address.includes('?') ? '?' : address.endsWith('?') ? '' : '&';
  return `${address}${joint}${pairs.join('&')}`;
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
