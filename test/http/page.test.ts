import { describe, expect, it } from 'vitest';
import { getAt } from '../../src/core/pointer.ts';
import { pages } from '../../src/http/paging.ts';
import type { Paging } from '../../src/http/types.ts';
import { ok, world } from './harness.ts';

const read = { purpose: 'read' } as const;
const base = 'https://api.acme.example/v1';

/** The ids of every page, and what was asked for. */
async function walk(answer: (url: URL, number: number) => Response, page: Paging | undefined, path = '/items?size=2') {
  const { api, requests } = world((request, n) => answer(new URL(request.url), n));
  const list = (body: unknown) => {
    const found = getAt(body, '/items');
    return Array.isArray(found) ? found : null;
  };
  const ids: unknown[] = [];
  const asked = () => requests.map(({ url }) => url.replace(base, ''));
  try {
    for await (const { body } of pages(api, { method: 'GET', path }, page, read, {
      list,
      idOf: (item) => JSON.stringify(getAt(item, '/id')),
    })) {
      ids.push(...(list(body) ?? []).map((item) => getAt(item, '/id')));
    }
    return { ids, asked: asked() };
  } catch (error) {
    return { ids, asked: asked(), error };
  }
}

const items = (...ids: number[]) => ids.map((id) => ({ id }));
const all = [1, 2, 3, 4, 5];
const slice = (from: number, size = 2) => items(...all.slice(from, from + size));

describe('a list in pages', () => {
  it('is one page where no paging is declared', async () => {
    expect(await walk(() => ok({ items: items(1, 2), next: 'more' }), undefined)).toEqual({ ids: [1, 2], asked: ['/items?size=2'] });
  });

  it('follows a cursor in the body until there is none', async () => {
    const page: Paging = { kind: 'cursor', next: '/meta/next', param: 'cursor' };
    const answer = (url: URL) => {
      const from = Number(url.searchParams.get('cursor') ?? 0);
      return ok({ items: slice(from), meta: { next: from + 2 < 5 ? from + 2 : null } });
    };
    expect(await walk(answer, page)).toEqual({ ids: all, asked: ['/items?size=2', '/items?size=2&cursor=2', '/items?size=2&cursor=4'] });
  });

  it('goes on after an empty page that has a cursor', async () => {
    const page: Paging = { kind: 'cursor', next: 'next', param: 'cursor' };
    const answer = (_: URL, n: number) => ok(n === 1 ? { items: [], next: 'c2' } : { items: items(1), next: '' });
    expect(await walk(answer, page)).toMatchObject({ ids: [1] });
  });

  it('counts page numbers up from the first, and ends on an empty page, on one that is short by the bound of the server, or with all', async () => {
    const answer = (first: number) => (url: URL) => ok({ items: slice((Number(url.searchParams.get('p') ?? first) - first) * 2) });
    const three = { ids: all, asked: ['/items?size=2', '/items?size=2&p=2', '/items?size=2&p=3'] };
    expect(await walk(answer(1), { kind: 'page', param: 'p', size: 2, cap: 2 })).toEqual(three);
    expect(await walk(answer(1), { kind: 'page', param: 'p', size: 9, cap: 2 })).toEqual(three);
    expect(await walk(answer(1), { kind: 'page', param: 'p', size: 2 })).toMatchObject({ ids: all, asked: { length: 4 } });
    const counted = (url: URL) => ok({ items: slice((Number(url.searchParams.get('p') ?? 1) - 1) * 2), total: '5' });
    expect(await walk(counted, { kind: 'page', param: 'p', size: 100, total: '/total' })).toEqual(three);
    expect(await walk(answer(1), { kind: 'page', param: 'p' })).toMatchObject({ ids: all, asked: { length: 4 } });
    expect(await walk(answer(0), { kind: 'page', param: 'p', first: 0, size: 2, cap: 2 })).toEqual({
      ids: all,
      asked: ['/items?size=2&p=0', '/items?size=2&p=1', '/items?size=2&p=2'],
    });
  });

  it('moves an offset on by what it has, also where the path names one', async () => {
    const answer = (url: URL) => ok({ items: slice(Number(url.searchParams.get('offset') ?? 0)) });
    expect(await walk(answer, { kind: 'offset', param: 'offset', size: 2, cap: 2 }, '/items?offset=0&limit=2')).toEqual({
      ids: all,
      asked: ['/items?offset=0&limit=2', '/items?limit=2&offset=2', '/items?limit=2&offset=4'],
    });
  });

  it('goes on after a page that is short because the server has a bound of its own', async () => {
    const answer = (url: URL) => ok({ items: slice(Number(url.searchParams.get('offset') ?? 0)) });
    expect(await walk(answer, { kind: 'offset', param: 'offset', size: 100 }, '/items')).toEqual({
      ids: all,
      asked: ['/items', '/items?offset=2', '/items?offset=4', '/items?offset=5'],
    });
  });

  it('ends where a page brings nothing new: the last one again, or an empty one with a cursor for ever', async () => {
    const last = (url: URL) => ok({ items: slice(Math.min(4, (Number(url.searchParams.get('p') ?? 1) - 1) * 2)) });
    expect(await walk(last, { kind: 'page', param: 'p', size: 2 })).toMatchObject({ ids: [...all, 5], asked: { length: 4 } });
    const empty = (_: URL, n: number) => ok({ items: n === 1 ? items(1) : [], next: `c${n}` });
    expect(await walk(empty, { kind: 'cursor', next: '/next', param: 'c' })).toMatchObject({ ids: [1], asked: { length: 3 } });
  });

  it('asks for what comes after the last id', async () => {
    const answer = (url: URL) => {
      const after = Number(url.searchParams.get('after') ?? 0);
      return ok({ items: slice(after), has_more: after + 2 < 5 });
    };
    expect(await walk(answer, { kind: 'last_id', param: 'after', id: '/id', more: '/has_more' })).toMatchObject({
      ids: all,
      asked: { length: 3 },
    });
    expect(await walk(answer, { kind: 'last_id', param: 'after', id: '/id' })).toMatchObject({ ids: all, asked: { length: 4 } });
    expect(await walk(() => ok({ items: [{ name: 'x' }] }), { kind: 'last_id', param: 'after', id: '/id' })).toMatchObject({
      error: { code: 'PROVIDER_RESPONSE' },
    });
  });

  it('follows a next URL, absolute or relative, on its own host', async () => {
    const page: Paging = { kind: 'next_url', next: '/next' };
    const absolute = (_: URL, n: number) => ok({ items: items(n), next: n < 3 ? `${base}/items?token=${n}` : null });
    expect(await walk(absolute, page)).toEqual({ ids: [1, 2, 3], asked: ['/items?size=2', '/items?token=1', '/items?token=2'] });
    const relative = (_: URL, n: number) => ok({ items: items(n), next: n < 3 ? `/v1/items?token=${n}` : undefined });
    expect(await walk(relative, page)).toMatchObject({ ids: [1, 2, 3] });
    const query = (_: URL, n: number) => ok({ items: items(n), next: n < 3 ? `?token=${n}` : '' });
    expect(await walk(query, page)).toMatchObject({ ids: [1, 2, 3], asked: { 2: '/items?token=2' } });
  });

  it('follows the next link of a Link header', async () => {
    const answer = (_: URL, n: number) =>
      ok(
        { items: items(n) },
        200,
        n < 3 ? { link: `<${base}/items?p=1>; rel="first", <${base}/items?p=${n + 1}&x=a,b>; title="a, b"; rel="prefetch next"` } : {},
      );
    expect(await walk(answer, { kind: 'link' })).toEqual({
      ids: [1, 2, 3],
      asked: ['/items?size=2', '/items?p=2&x=a,b', '/items?p=3&x=a,b'],
    });
  });

  it('ends where the next link says that it has no results', async () => {
    const link = (n: number) =>
      `<${base}/items?p=0>; rel="previous"; results="true", <${base}/items?p=${n + 1}>; rel="next"; results="${n < 2}"`;
    expect(await walk((_, n) => ok({ items: items(n) }, 200, { link: link(n) }), { kind: 'link' })).toEqual({
      ids: [1, 2],
      asked: ['/items?size=2', '/items?p=2'],
    });
  });

  it('never follows a next page to another host', async () => {
    const elsewhere = 'https://evil.example/items?p=2';
    for (const [answer, page] of [
      [() => ok({ items: items(1), next: elsewhere }), { kind: 'next_url', next: '/next' }],
      [() => ok({ items: items(1) }, 200, { link: `<${elsewhere}>; rel=next` }), { kind: 'link' }],
    ] as const) {
      expect(await walk(answer, page)).toMatchObject({
        ids: [1],
        asked: { length: 1 },
        error: { code: 'PROVIDER_RESPONSE', detail: expect.stringContaining('https://evil.example') },
      });
    }
  });

  it('ends with PROVIDER_RESPONSE where a provider goes in circles', async () => {
    const circle = { code: 'PROVIDER_RESPONSE', detail: 'The list GET /items of acme leads to the same page twice.' };
    expect(await walk(() => ok({ items: items(1), next: 'same' }), { kind: 'cursor', next: 'next', param: 'c' })).toMatchObject({
      error: circle,
      asked: { length: 2 },
    });
    expect(await walk(() => ok({ items: items(1, 2) }), { kind: 'page', param: 'ignored', size: 2 })).toMatchObject({
      error: circle,
      asked: { length: 2 },
    });
    expect(await walk(() => ok({ items: items(1, 2) }), { kind: 'last_id', param: 'ignored', id: '/id' })).toMatchObject({
      error: circle,
      asked: { length: 2 },
    });
    expect(
      await walk((_, n) => ok({ items: items(n), next: `c${n}` }), { kind: 'cursor', next: 'next', param: 'c' }, '/items'),
    ).toMatchObject({
      asked: { length: 2_000 },
      error: {
        code: 'PROVIDER_RESPONSE',
        detail: 'The list GET /items of acme has more than 2000 pages, the most that pilotfish reads of one list.',
      },
    });
  });

  it('gives the first page without asking for the next, and leaves the judgement of a missing list to the caller', async () => {
    const { api, requests } = world(() => ok({ other: 1, next: 'c' }));
    for await (const page of pages(api, { method: 'GET', path: '/items' }, { kind: 'cursor', next: 'next', param: 'c' }, read, {
      list: () => null,
      idOf: String,
    })) {
      expect(page.body).toEqual({ other: 1, next: 'c' });
    }
    expect(requests).toHaveLength(1);
  });
});
