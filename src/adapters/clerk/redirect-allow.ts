import { z } from 'zod';
import { Failure } from '../../core/errors.ts';
import { ask, parseAnswer } from '../../ops/answer.ts';
import { lookBy, type ObjectBound } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import { findAll } from '../../remote/find.ts';
import type { Live } from '../../remote/live-object.ts';
import type { FindSpec } from '../../remote/reach.ts';
import { signsOf } from '../../remote/signs.ts';
import { identityText } from '../../remote/value.ts';

/**
 * One URL on the redirect allow-list of an instance. The URL is its identity and its only member, so there is nothing to update:
 * the entry exists or not. A create that is refused as invalid (400, 422) may mean that the entry exists already. The
 * description does not tell these apart (2026-11-21), so the engine then looks again.
 */
export const redirectAllow: Op = {
  kind: 'object',
  doc: 'One URL on the redirect allow-list of a Clerk instance. Identified by the URL. Only its existence is compared.',
  subject: '{url}[{path}]',
  params: {
    url: {
      type: 'string',
      required: true,
      pattern: '^[A-Za-z][A-Za-z0-9+.-]*://[^\\s]+$',
      doc: 'The whole URL, with `https://` or the scheme of an app. Clerk compares it as it is written.',
      example: 'https://${ctx.scope}.example.com/sso-callback',
    },
    path: {
      type: 'string',
      pattern: '^/[^\\s]*$',
      doc: 'A path to append to the URL, for a `url` from another line. The URL must then end without a slash.',
    },
  },
  outputs: { id: { doc: 'Id of the entry.' }, url: { doc: 'The URL.' } },
  bind({ url: given, path: after }) {
    const base = identityText(given, 'url');
    if (after === undefined) return allowed(base, findUrl(base));
    if (base.endsWith('/')) {
      throw new Failure('PARAM_INVALID', {
        at: ['url'],
        detail: `url is ${base}, so the path after it would make two slashes in a row.`,
        fix: 'Leave out the slash at the end of `url`, or leave out `path`.',
      });
    }
    const url = `${base}${identityText(after, 'path')}`;
    return allowed(url, findUrl(url));
  },
};

const path = '/redirect_urls';
const entrySchema = z.object({ id: z.string().min(1), url: z.string(), created_at: z.number().optional() });

/**
 * The list is newest first, with 10 entries a page by default and 500 at most. It is a bare list unless the request asks for pages, whose
 * answers tell the total. There is no filter (the description and the official client, 2026-11-21).
 */
const findUrl = (url: string): FindSpec => ({
  request: { method: 'GET', path, query: { paginated: 'true', limit: '100' } },
  list: '/data',
  match: { '/url': url },
  page: { kind: 'offset', param: 'offset', size: 100, total: '/total_count' },
  id: '/id',
  created_at: '/created_at',
});

function allowed(url: string, find: FindSpec): ObjectBound {
  const liveOf = (entry: z.output<typeof entrySchema>): Live => ({
    id: entry.id,
    values: {},
    outputs: { id: entry.id, url: entry.url },
    ...signsOf(find, entry),
  });
  return {
    kind: 'object',
    key: `${path}[url=${url}]`,
    fields: {},
    /** An instance has a URL once. */
    coexist: false,
    reach: { kind: 'object', find, remove: { method: 'DELETE', path: `${path}/{id}` } },
    find: async (io) => {
      const found = await findAll(io.http, find, lookBy(io));
      return found.map(({ item }) => liveOf(parseAnswer(entrySchema, item, `clerk lists ${url}`)));
    },
    // The create answers 200.
    create: async (io) => {
      const request = { method: 'POST', path, body: { url } } as const;
      return liveOf(await ask(io.http, request, { purpose: 'write', signal: io.signal, retry: 'none' }, entrySchema));
    },
  };
}
