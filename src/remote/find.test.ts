import { describe, expect, it } from 'vitest';
import { fakeHttp } from '../../test/support/fake-http.ts';
import { findAll, recordIdOf, removeObject } from './find.ts';
import type { FindSpec, Reach } from './reach.ts';

const signal = new AbortController().signal;
const list: FindSpec = { request: { method: 'GET', path: '/things' }, list: '/data', match: { '/name': 'pr-12' }, id: '/id' };

describe('findAll', () => {
  it('returns every match on every page, so that a second one is seen', async () => {
    const pages = [
      {
        data: [
          { id: 1, name: 'pr-12' },
          { id: 2, name: 'x' },
        ],
        next: 'b',
      },
      { data: [{ id: 'c3', name: 'pr-12' }], next: '' },
    ];
    const http = fakeHttp((request) => ({ body: pages[request.query?.cursor === 'b' ? 1 : 0] }));
    const found = await findAll(http, { ...list, page: { kind: 'cursor', next: '/next', param: 'cursor' } }, { signal });
    expect(found.map((one) => one.id)).toEqual(['1', 'c3']);
    expect(http.lines()).toEqual(['GET /things', 'GET /things?cursor=b']);
  });

  it('takes an answer without its list for an empty list only where another member says so', async () => {
    const find: FindSpec = { ...list, empty: { '/meta/total': 0 } };
    expect(
      await findAll(
        fakeHttp(() => ({ body: { meta: { total: 0 } } })),
        find,
        { signal },
      ),
    ).toEqual([]);
    await expect(
      findAll(
        fakeHttp(() => ({ body: { meta: { total: 1 } } })),
        find,
        { signal },
      ),
    ).rejects.toMatchObject({
      code: 'PROVIDER_RESPONSE',
    });
    await expect(
      findAll(
        fakeHttp(() => ({ body: { meta: { total: 0 } } })),
        list,
        { signal },
      ),
    ).rejects.toMatchObject({
      code: 'PROVIDER_RESPONSE',
    });
  });

  describe('in a list whose pages are counted from the front', () => {
    const paged: FindSpec = { ...list, page: { kind: 'offset', param: 'start', size: 2, cap: 2 } };
    const names = (...all: readonly string[]) => all.map((name) => ({ id: name, name }));
    /** The content of the list at each request. */
    const moving = (states: readonly (readonly string[])[]) =>
      fakeHttp((request, sent) => {
        const start = Number(request.query?.start ?? 0);
        return { body: { data: names(...(states[sent.length - 1] ?? states.at(-1) ?? [])).slice(start, start + 2) } };
      });

    it('sees an object that moved onto a page already read when another entry went away', async () => {
      const before = ['a', 'b', 'pr-12'];
      const http = moving([before, ['b', 'pr-12'], ['b', 'pr-12']]);
      expect((await findAll(http, paged, { signal })).map(({ id }) => id)).toEqual(['pr-12']);
    });

    it('believes that nothing is there when two passes saw the same entries', async () => {
      const http = moving([['a', 'b', 'c']]);
      expect(await findAll(http, paged, { signal })).toEqual([]);
      expect(http.sent).toHaveLength(4);
    });

    it.each([
      ['at its end', ['a', 'b', 'c', 'd']],
      ['at its front, which pushes others onto the next page', ['n', 'a', 'b', 'c']],
    ])('believes that nothing is there when an entry was added %s between two passes', async (_, after) => {
      const http = moving([['a', 'b', 'c'], ['a', 'b', 'c'], after]);
      expect(await findAll(http, paged, { signal })).toEqual([]);
      expect(http.sent.length).toBeLessThanOrEqual(5);
    });

    it('counts an entry once when it was read twice because it moved onto the next page', async () => {
      const http = moving([
        ['a', 'b', 'c'],
        ['n', 'a', 'b', 'c'],
        ['n', 'a', 'b', 'c'],
      ]);
      expect(await findAll(http, paged, { signal })).toEqual([]);
      // a b, b c; then n a, b c and an empty page.
      expect(http.sent).toHaveLength(6);
    });

    it.each([
      ['went away', ['b', 'c', 'd']],
      ['was moved', ['b', 'a', 'c', 'd']],
    ])('looks once more when meanwhile one %s', async (_, after) => {
      const before = ['a', 'b', 'c', 'd'];
      const http = moving([before, before, before, after]);
      expect(await findAll(http, paged, { signal })).toEqual([]);
      expect(http.sent.length).toBeGreaterThan(6);
    });

    it('reads the list once for a caller that asks about an object reported as gone', async () => {
      const http = moving([['a', 'b', 'c']]);
      expect(await findAll(http, paged, { signal, passes: 1 })).toEqual([]);
      expect(http.sent).toHaveLength(2);
    });

    it('says that it cannot tell when the list never stands still', async () => {
      let count = 0;
      const http = fakeHttp((request) => {
        count += 1;
        return { body: { data: names(...(request.query?.start === undefined ? [`a${count}`, `b${count}`] : [`c${count}`])) } };
      });
      await expect(findAll(http, paged, { signal })).rejects.toMatchObject({ code: 'PROVIDER_TRANSIENT' });
    });

    it('reads once for a look that others share, because no create rests on such a look', async () => {
      const http = moving([['a', 'b', 'c']]);
      await findAll(http, paged, { signal, share: true });
      expect(http.sent).toHaveLength(2);
    });
  });

  it('ends a list that links to empty pages for ever', async () => {
    const link = { link: '<https://api.acme.test/things?cursor=9>; rel="next"' };
    const http = fakeHttp((request) => ({ body: request.path.includes('cursor') ? [] : [{ id: 1, name: 'pr-12' }], headers: link }));
    const found = await findAll(http, { ...list, list: '', page: { kind: 'link' } }, { signal });
    expect(found).toHaveLength(1);
    expect(http.sent).toHaveLength(2);
  });

  it('takes a number and its text as equal', async () => {
    const http = fakeHttp(() => ({
      body: {
        data: [
          { id: 1, name: 12 },
          { id: 2, name: '12' },
          { id: 3, name: '012' },
        ],
      },
    }));
    const found = await findAll(http, { ...list, match: { '/name': '12' } }, { signal });
    expect(found.map((one) => one.id)).toEqual(['1', '2']);
  });

  it('passes over an entry that is on its way out', async () => {
    const http = fakeHttp(() => ({
      body: {
        data: [
          { id: 1, name: 'pr-12', gone_at: '2026' },
          { id: 2, name: 'pr-12', gone_at: null },
        ],
      },
    }));
    expect((await findAll(http, { ...list, absent: ['/gone_at'] }, { signal })).map((one) => one.id)).toEqual(['2']);
  });

  it('names a list pointer that leads nowhere, and the members that exist', async () => {
    const http = fakeHttp(() => ({ body: { items: [], total: 0 } }));
    await expect(findAll(http, list, { signal })).rejects.toMatchObject({
      code: 'PROVIDER_RESPONSE',
      detail: 'GET /things answered without a list at "/data"; it has items, total.',
    });
  });

  it('names an id pointer that leads nowhere', async () => {
    const http = fakeHttp(() => ({ body: { data: [{ uid: 1, name: 'pr-12' }] } }));
    await expect(findAll(http, list, { signal })).rejects.toMatchObject({
      code: 'PROVIDER_RESPONSE',
      detail: expect.stringContaining('"/id"'),
    });
  });

  it.each([404, 410])('reads %d of a path as none', async (status) => {
    const http = fakeHttp(() => ({ status }));
    expect(await findAll(http, { ...list, list: null, match: {} }, { signal })).toEqual([]);
  });

  it('does not read a missing parent of a list as none', async () => {
    const http = fakeHttp(() => ({ status: 404 }));
    await expect(findAll(http, list, { signal })).rejects.toMatchObject({ code: 'PROVIDER_NOT_FOUND' });
    expect(await findAll(http, { ...list, none: [404] }, { signal })).toEqual([]);
  });

  it('takes the id that the caller chose where the answer shows none', async () => {
    const http = fakeHttp(() => ({ body: { cron: '* * * * *' } }));
    const found = await findAll(http, { ...list, list: null, match: {}, chosen_id: 'pr-12' }, { signal });
    expect(found.map((one) => one.id)).toEqual(['pr-12']);
  });

  it.each([
    ['shown', 200, { state: 'archived' }],
    ['refused', 400, { state: 'archived', items: [] }],
  ])('takes what the body says for none, %s', async (_, status, body) => {
    const http = fakeHttp(() => ({ status, body }));
    const none_match = { '/state': { contains: 'ARCHIVED' } };
    expect(await findAll(http, { ...list, none_match }, { signal })).toEqual([]);
    expect(await findAll(http, { ...list, list: null, match: {}, chosen_id: 'a', none_match }, { signal })).toEqual([]);
    // Without these words the answer counts like any other, or is a failure.
    const other = { '/state': 'deleted' };
    await expect(findAll(http, { ...list, none_match: other }, { signal })).rejects.toThrow();
  });

  it('shares a read only when it may', async () => {
    const http = fakeHttp(() => ({ body: { data: [] } }));
    await findAll(http, list, { signal, share: true });
    await findAll(http, list, { signal, share: false });
    expect(http.sent.map(({ options }) => options.share)).toEqual([true, false]);
    expect(http.sent.every(({ options }) => options.purpose === 'read')).toBe(true);
  });
});

const reach: Extract<Reach, { kind: 'object' }> = { kind: 'object', find: list, remove: { method: 'DELETE', path: '/things/{id}' } };

describe('removeObject', () => {
  it('encodes the id in the path and leaves it raw in the body', async () => {
    const http = fakeHttp(() => ({ status: 204 }));
    const post: typeof reach = { ...reach, remove: { method: 'POST', path: '/things/{id}/delete', body: { ids: ['{id}'] } } };
    expect(await removeObject(http, post, 'a/b c', signal)).toBe('removed');
    expect(http.sent[0]).toMatchObject({
      request: { path: '/things/a%2Fb%20c/delete', body: { ids: ['a/b c'] } },
      options: { purpose: 'write', idempotent: true },
    });
  });

  it.each([404, 410, 422])('takes %d as gone where the status means that', async (status) => {
    expect(
      await removeObject(
        fakeHttp(() => ({ status })),
        { ...reach, gone: [422] },
        '1',
        signal,
      ),
    ).toBe('gone');
  });

  it('takes a code in the body as gone whatever the status is, and only that code', async () => {
    const coded: typeof reach = { ...reach, gone_match: { '/errors/0/code': 81044 } };
    const answer = (code: number) => fakeHttp(() => ({ status: 400, body: { errors: [{ code }] } }));
    expect(await removeObject(answer(81044), coded, '1', signal)).toBe('gone');
    await expect(removeObject(answer(7000), coded, '1', signal)).rejects.toMatchObject({ status: 400 });
  });

  it.each([400, 403, 409, 422])('gives the fix of the line where a %d refuses the delete', async (status) => {
    const explained: typeof reach = { ...reach, remove_fix: 'Take the default from it first.' };
    const http = fakeHttp(() => ({ status, body: { error: 'is default' } }));
    await expect(removeObject(http, explained, '1', signal)).rejects.toMatchObject({
      status,
      fix: 'Take the default from it first.',
      detail: expect.stringContaining(String(status)),
      body: { error: 'is default' },
    });
  });

  it('leaves the fix of an unknown credential, and of a passing failure, as it is', async () => {
    const explained: typeof reach = { ...reach, remove_fix: 'Take the default from it first.' };
    for (const status of [401, 500]) {
      const failure = await removeObject(
        fakeHttp(() => ({ status })),
        explained,
        '1',
        signal,
      ).catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({ status });
      expect(failure).not.toMatchObject({ fix: 'Take the default from it first.' });
    }
  });

  describe('that must repeat the object', () => {
    const repeating: typeof reach = {
      ...reach,
      remove: { method: 'POST', path: '/changes', body: { action: 'delete', set: { id: '{id}' } } },
      repeats: { '/set': '/values' },
    };
    /** Reads show these values one after the other, and the delete wants the last of them. */
    const provider = (...shown: readonly unknown[]) => {
      let reads = 0;
      return fakeHttp(({ method, body }) => {
        if (method !== 'GET') return { status: JSON.stringify(body).includes(JSON.stringify(shown.at(-1))) ? 200 : 400 };
        const values = shown[Math.min(reads, shown.length - 1)];
        reads += 1;
        return { status: 200, body: { data: values === null ? [] : [{ id: 'a1', name: 'pr-12', values }] } };
      });
    };

    it('reads it right before, and sends what stands', async () => {
      const http = provider([1, 2]);
      expect(await removeObject(http, repeating, 'a1', signal)).toBe('removed');
      expect(http.sent.map(({ request }) => [request.method, request.body])).toEqual([
        ['GET', undefined],
        ['POST', { action: 'delete', set: [1, 2] }],
      ]);
    });

    it('reads it again where somebody changed it since, and is refused where nobody did', async () => {
      expect(await removeObject(provider([1], [2]), repeating, 'a1', signal)).toBe('removed');
      const http = provider([1], [2], [3], [4]);
      await expect(removeObject(http, repeating, 'a1', signal)).rejects.toMatchObject({ status: 400 });
      expect(http.sent.filter(({ request }) => request.method === 'POST')).toHaveLength(3);
    });

    it('is gone where the list shows it no more, or is gone itself', async () => {
      expect(await removeObject(provider(null), repeating, 'a1', signal)).toBe('gone');
      expect(
        await removeObject(
          fakeHttp(() => ({ status: 404 })),
          repeating,
          'a1',
          signal,
        ),
      ).toBe('gone');
    });
  });

  it('never sends an empty id', async () => {
    const http = fakeHttp(() => ({ status: 204 }));
    await expect(removeObject(http, reach, '', signal)).rejects.toMatchObject({ code: 'PROVIDER_RESPONSE' });
    expect(http.sent).toEqual([]);
  });
});

describe('recordIdOf', () => {
  it('is the request that removes the object', () => {
    expect(recordIdOf(reach, 'a/b')).toBe('DELETE /things/a%2Fb');
  });

  it('ends in the body where there is one, in its canonical form', () => {
    const remove = { method: 'POST', path: '/things/delete', body: { b: 1, a: ['{id}'] } } as const;
    expect(recordIdOf({ ...reach, remove }, '7')).toBe('POST /things/delete {"a":["7"],"b":1}');
  });

  it('is the locator of an entry', () => {
    const parent = { path: '/clients/abc', method: 'PATCH', list_path: 'callbacks', shape: 'array' } as const;
    expect(recordIdOf({ kind: 'item', parent, item: 'https://x.test' }, 'https://x.test')).toBe('/clients/abc#callbacks=https://x.test');
  });

  it('tells objects apart even where they cannot be removed', () => {
    expect(recordIdOf({ ...reach, remove: null }, '7')).not.toBe(recordIdOf({ ...reach, remove: null }, '8'));
  });
});
