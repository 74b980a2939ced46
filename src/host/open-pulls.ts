import { z } from 'zod';
import { Failure, Interrupted } from '../core/errors.ts';
import { getAt } from '../core/pointer.ts';
import type { Client } from '../http/client.ts';
import { linkNext, pages } from '../http/paging.ts';
import type { Answer, RequestSpec } from '../http/types.ts';
import type { CodeHost } from './code-host.ts';
import { mergeNow, mergeRequestShape, mergeRequestsPath, type PullNow, pullNow, pullShape } from './pull-request.ts';

const perPage = 100;

/**
 * The open pull requests of the repository by their numbers, in one request for each hundred. The oldest come first, so what is opened
 * meanwhile stands on the last page. Another that is closed meanwhile may move one to a page that was read already. So a caller asks for a
 * missing one alone before it takes it for closed. Throws `Failure` where a page cannot be read: nothing follows from half a list.
 */
export async function openPulls(client: Client, host: CodeHost, signal: AbortSignal): Promise<ReadonlyMap<number, PullNow>> {
  const found = new Map<number, PullNow>();
  const paging = { kind: 'page', param: 'page', size: perPage } as const;
  const entries = { list: listOf, idOf: (one: unknown) => JSON.stringify([getAt(one, '/number'), getAt(one, '/iid')]) };
  try {
    const read = pages(client.api(host.block), requestOf(host), paging, { purpose: 'read', share: false, signal }, entries);
    for await (const { body, answer } of read) {
      const pulls = pullsIn(host, body);
      if (pulls === null) throw unreadable(host);
      for (const [number, now] of pulls) if (now.state === 'open') found.set(number, now);
      if (isLast(answer, pulls.length)) break;
    }
  } catch (thrown) {
    if (signal.aborted) throw new Interrupted();
    throw thrown;
  }
  return found;
}

/** https://docs.github.com/en/rest/pulls/pulls#list-pull-requests, https://docs.gitlab.com/api/merge_requests/#list-project-merge-requests. */
function requestOf(host: CodeHost): RequestSpec {
  const query = { per_page: String(perPage) };
  return host.kind === 'gitlab'
    ? { method: 'GET', path: mergeRequestsPath(host), query: { ...query, state: 'opened', order_by: 'created_at', sort: 'asc' } }
    : { method: 'GET', path: `/repos/${host.repository}/pulls`, query: { ...query, state: 'open', sort: 'created', direction: 'asc' } };
}

/** A short page ends the list only where the host does not tell whether there is a next page. */
const isLast = ({ headers }: Answer, length: number): boolean =>
  headers.link === undefined ? length < perPage : linkNext(headers.link) === null;

function pullsIn(host: CodeHost, body: unknown): readonly (readonly [number, PullNow])[] | null {
  if (host.kind === 'gitlab') {
    const { data } = z.array(mergeRequestShape()).safeParse(body);
    return data?.map((merge) => [merge.iid, mergeNow(host, merge)] as const) ?? null;
  }
  const { data } = z.array(pullShape()).safeParse(body);
  return data?.map((pull) => [pull.number, pullNow(pull)] as const) ?? null;
}

const listOf = (body: unknown): readonly unknown[] | null => (Array.isArray(body) ? body : null);

const unreadable = (host: CodeHost): Failure =>
  new Failure('PROVIDER_RESPONSE', {
    detail: `${new URL(host.block.base_url).host} gave a list of the open pull requests of ${host.repository} that pilotfish cannot read.`,
  });
