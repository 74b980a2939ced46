import { bounds, inMb } from '../core/bounds.ts';
import { Failure } from '../core/errors.ts';
import { getAt } from '../core/pointer.ts';
import type { Answer, Http, PageEnd, Paging, RequestSpec, SendOptions } from './types.ts';

export interface Page {
  readonly body: unknown;
  readonly answer: Answer;
}

interface PagesOptions {
  /** The list inside a page's body; `null` where there is none, which ends the paging. */
  readonly list: (body: unknown, answer: Answer) => readonly unknown[] | null;
  /** Tells one entry from another: its id as JSON. */
  readonly idOf: (item: unknown) => string;
}

/**
 * A list, page by page, in each way that providers page. A page is the last one when the provider says so, when it is empty, or when it
 * brings no new id. A short page proves nothing. The caller sees every page before the next request, so it may stop early. A provider that
 * goes in circles, or points to another host, is `PROVIDER_RESPONSE`.
 */
export async function* pages(
  http: Http,
  request: RequestSpec,
  page: Paging | undefined,
  options: SendOptions,
  o: PagesOptions,
): AsyncGenerator<Page, void, undefined> {
  const seen = new Set<string>();
  const ids = new Set<string>();
  let isEmpty = false;
  let size = 0;
  let next: RequestSpec | null = page ? firstPage(request, page) : request;
  for (let count = 1; next !== null; count += 1) {
    if (count > bounds.pages)
      throw unexpected(http, request, `has more than ${bounds.pages} pages, the most that pilotfish reads of one list`, narrower);
    const sent: RequestSpec = next;
    const answer = await http.send(sent, options);
    size += answer.size ?? 0;
    if (size > bounds.list) {
      const most = `${inMb(bounds.list)}, the most that pilotfish reads of one list`;
      throw unexpected(http, request, `takes more than ${most}, in its first ${count} pages`, narrower);
    }
    yield { body: answer.body, answer };
    const items = o.list(answer.body, answer);
    if (!page || !items) return;
    const before = ids.size;
    for (const item of items) ids.add(o.idOf(item));
    // A server that filters its pages may send an empty page before the last one. Such a server has a cursor. Two empty pages are the end.
    const wasEmpty = isEmpty;
    isEmpty = items.length === 0;
    if (isEmpty && (wasEmpty || page.kind !== 'cursor')) return;
    if (ids.size === before && !isEmpty) {
      // Some servers ignore an unknown page parameter and give the first page for ever.
      if (count === 2 && isFull(page, items.length)) throw unexpected(http, request, 'leads to the same page twice');
      return;
    }
    next = nextPage({ http, page, first: request, sent, answer, items, count, seen: ids.size });
    if (!next) return;
    const position = JSON.stringify([next.path, next.query, next.graphql?.variables]);
    if (seen.has(position)) throw unexpected(http, request, 'leads to the same page twice');
    seen.add(position);
  }
}

/** Whether more may follow a page of this many entries. A short page proves nothing, because a server may have a bound of its own. */
const isFull = (page: Paging, length: number): boolean =>
  (page.kind !== 'page' && page.kind !== 'offset') || page.size === undefined || length >= page.size;

interface Position {
  readonly http: Http;
  readonly page: Paging;
  readonly first: RequestSpec;
  readonly sent: RequestSpec;
  readonly answer: Answer;
  readonly items: readonly unknown[];
  /** Pages until now. */
  readonly count: number;
  /** Entries until now. */
  readonly seen: number;
}

function nextPage(at: Position): RequestSpec | null {
  const { page, first, answer, items, count } = at;
  switch (page.kind) {
    case 'cursor': {
      if (page.more !== undefined && !isTrue(beside(answer, page.more))) return null;
      const cursor = asText(beside(answer, page.next));
      return cursor === null ? null : withQuery(first, page.param, cursor);
    }
    case 'page':
      return isLast(page, at) ? null : withQuery(first, page.param, String((page.first ?? 1) + count));
    case 'offset':
      return isLast(page, at) ? null : withQuery(first, page.param, String(at.seen));
    case 'last_id': {
      if (page.more !== undefined && !isTrue(beside(answer, page.more))) return null;
      const id = asText(getAt(items.at(-1), page.id));
      if (id === null) throw unexpected(at.http, first, `has an entry without ${page.id}, which the next page needs`);
      return withQuery(first, page.param, id);
    }
    case 'next_url': {
      const url = asText(beside(answer, page.next));
      return url === null ? null : byUrl(at, url);
    }
    case 'link': {
      const url = linkNext(answer.headers.link ?? '');
      return url === null ? null : byUrl(at, url);
    }
  }
}

function isLast({ size, cap, total }: PageEnd & { readonly size?: number }, { answer, items, seen }: Position): boolean {
  if (cap !== undefined && items.length < Math.min(size ?? cap, cap)) return true;
  const all = total === undefined ? undefined : beside(answer, total);
  return all !== undefined && all !== null && all !== '' && seen >= Number(all);
}

/** The request for the first page, as the recipe wrote it. Pages count from the provider's number of the first page. */
function firstPage(request: RequestSpec, page: Paging): RequestSpec {
  const isTold = page.kind === 'page' && page.first !== undefined && page.first !== 1;
  return isTold ? withQuery(request, page.param, String(page.first)) : request;
}

/** A next URL is followed only on the host that the credential belongs to. */
function byUrl({ http, first, sent }: Position, target: string): RequestSpec {
  const base = new URL(http.block.base_url);
  const here = /^https?:\/\//i.test(sent.path) ? sent.path : `${http.block.base_url}${sent.path}`;
  const url = URL.parse(target, here);
  if (url === null) throw unexpected(http, first, 'names a next page that is not a URL');
  if (url.origin !== base.origin)
    throw unexpected(http, first, `names a next page on another host, ${url.origin}, which pilotfish does not follow`);
  const { query: _dropped, ...rest } = first;
  return { ...rest, path: url.href };
}

/** `<url>; rel="next"` of a Link header (RFC 8288). Sentry names a next page even when that page is empty, and says so by `results="false"`. */
export function linkNext(header: string): string | null {
  for (const [, url, params] of header.matchAll(/<([^>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+(?:\s*=\s*(?:"[^"]*"|[^\s",;]+))?)*)/g)) {
    const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i.exec(params ?? '');
    const names = (relation?.[1] ?? relation?.[2] ?? '').toLowerCase().split(/\s+/);
    const isEmpty = /;\s*results\s*=\s*(?:"false"|false\b)/i.test(params ?? '');
    if (url !== undefined && names.includes('next') && !isEmpty) return url;
  }
  return null;
}

/** `true` is a text in XML. */
const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** The request with a query parameter, or a GraphQL variable, of its own. */
function withQuery(request: RequestSpec, name: string, value: string): RequestSpec {
  if (request.graphql) return { ...request, graphql: { ...request.graphql, variables: { ...request.graphql.variables, [name]: value } } };
  const at = request.path.indexOf('?');
  if (at < 0) return { ...request, query: { ...request.query, [name]: value } };
  // The parameter replaces a value that the recipe wrote into the path. Otherwise it would stand there twice.
  const kept = request.path
    .slice(at + 1)
    .split('&')
    .filter((pair) => ![name, encodeURIComponent(name)].includes(pair.split('=', 1)[0] ?? ''));
  const path = request.path.slice(0, at);
  return { ...request, path: kept.length > 0 ? `${path}?${kept.join('&')}` : path, query: { ...request.query, [name]: value } };
}

/** The place where a list goes on: beside the list, or anywhere in a GraphQL answer's `data`. A pointer may begin at either. */
const beside = ({ body, data }: Answer, pointer: string): unknown => getAt(body, pointer) ?? getAt(data, pointer);

function asText(found: unknown): string | null {
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' && found !== '' ? found : null;
}

const narrower = 'Narrow the list with a filter in its request, or find the object by its own address.';

function unexpected(http: Http, request: RequestSpec, what: string, fixByHand = 'Check how this list is paged.'): Failure {
  return new Failure('PROVIDER_RESPONSE', {
    detail: `The list ${request.method} ${request.path.split('?')[0]} of ${http.block.api} ${what}.`,
    fixByHand,
  });
}
