import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fakeHttp } from '../../test/support/fake-http.ts';
import { Sealed } from '../core/sealed.ts';
import type { Collection } from './collection.ts';
import { applyEntries, hasEntry, lockNameOf, readParent, unmanaged, writeParent } from './parent.ts';
import type { ParentSpec } from './parent-spec.ts';

const signal = new AbortController().signal;
const plain: ParentSpec = { path: '/clients/abc', method: 'PATCH', list_path: 'callbacks', shape: 'array' };
const keyed: ParentSpec = { ...plain, list_path: '/rules', key_field: 'name' };
const delimited: ParentSpec = { ...plain, list_path: 'uris', shape: 'delimited' };
const map: ParentSpec = { ...plain, list_path: '/env/vars', shape: 'map' };

const read = (spec: ParentSpec, body: unknown, status = 200): Promise<Collection> =>
  readParent(
    fakeHttp(() => ({ status, body })),
    spec,
    { signal },
  );

describe('readParent', () => {
  it('reads an absent or null collection as empty', async () => {
    expect((await read(plain, {})).entries).toEqual([]);
    expect((await read(map, { env: { vars: null } })).entries).toEqual([]);
  });

  it('reads an absent or empty collection as the entries that the provider assumes', async () => {
    const links: ParentSpec = { ...plain, list_path: '/links', absent_as: ['main'] };
    for (const body of [{}, { links: null }, { links: [] }])
      expect((await read(links, body)).entries).toEqual([{ name: 'main', value: 'main' }]);
    const found = await read(links, { links: ['preview'] });
    expect(found.entries).toEqual([{ name: 'preview', value: 'preview' }]);
    expect(applyEntries(await read(links, {}), links, [{ item: 'preview', entry: 'preview' }]).body).toEqual({
      links: ['main', 'preview'],
    });
  });

  it.each([
    [plain, { callbacks: 'https://a.test' }, 'no list at list_path "callbacks"'],
    [delimited, { uris: ['a'] }, 'no text at list_path "uris"'],
    [map, { env: { vars: [] } }, 'no map at list_path "/env/vars"'],
  ])('names a collection that does not have the declared shape', async (spec, body, words) => {
    await expect(read(spec, body)).rejects.toMatchObject({ code: 'PROVIDER_RESPONSE', detail: expect.stringContaining(words) });
  });

  it('reads a missing parent as empty only where the line says so', async () => {
    await expect(read(plain, null, 404)).rejects.toMatchObject({ code: 'PROVIDER_NOT_FOUND' });
    expect(await read({ ...plain, if_missing: 'empty' }, null, 404)).toEqual({ raw: null, entries: [], missing: true });
  });

  it('reads at the given path, by POST without a body, below item_path', async () => {
    const http = fakeHttp(() => ({ body: { data: { callbacks: ['a'] } } }));
    const spec: ParentSpec = { ...plain, read_path: '/clients/abc/list?all=1', read_method: 'POST', item_path: '/data' };
    expect((await readParent(http, spec, { signal, share: true })).entries).toEqual([{ name: 'a', value: 'a' }]);
    expect(http.sent[0]).toEqual({
      request: { method: 'POST', path: '/clients/abc/list?all=1' },
      options: { purpose: 'read', signal, idempotent: true, share: true },
    });
  });
});

describe('applyEntries', () => {
  it('adds at the end and leaves every other entry as it is', async () => {
    const { body, changed, next } = applyEntries(await read(plain, { callbacks: ['b', 'a', 'b'], name: 'x' }), plain, [
      { item: 'c', entry: 'c' },
    ]);
    expect(changed).toBe(true);
    expect(body).toEqual({ callbacks: ['b', 'a', 'b', 'c'] });
    expect(next.entries.map((e) => e.name)).toEqual(['b', 'a', 'b', 'c']);
  });

  it('changes nothing when the item stands as planned', async () => {
    expect(applyEntries(await read(plain, { callbacks: ['a'] }), plain, [{ item: 'a', entry: 'a' }]).changed).toBe(false);
    expect(applyEntries(await read(plain, {}), plain, [{ item: 'a', entry: null }]).changed).toBe(false);
  });

  it('changes the members that the plan names and keeps the others of the entry, at its place', async () => {
    const rules = [{ name: 'x', on: true }, { name: 'mine', on: false, id: 7, meta: { by: 'z', n: 1 } }, { name: 'y' }];
    const { body } = applyEntries(await read(keyed, { rules }), keyed, [
      { item: 'mine', entry: { name: 'mine', on: true, meta: { n: 2 } } },
    ]);
    expect(body).toEqual({ rules: [rules[0], { name: 'mine', on: true, id: 7, meta: { by: 'z', n: 2 } }, rules[2]] });
  });

  it('keeps the spacing of a delimited text', async () => {
    const live = await read(delimited, { uris: 'a, b ,c' });
    expect(applyEntries(live, delimited, [{ item: 'b', entry: 'b' }]).changed).toBe(false);
    expect(
      applyEntries(live, delimited, [
        { item: 'd', entry: 'd' },
        { item: 'a', entry: null },
      ]).body,
    ).toEqual({ uris: ' b ,c,d' });
  });

  it('writes a map as a merge patch of its changes, with null for removed members', async () => {
    const live = await read(map, { env: { vars: { A: '1', B: '2' } } });
    const { body } = applyEntries(live, map, [
      { item: 'A', entry: null },
      { item: 'C', entry: new Sealed('s3cret', 'env://C') },
    ]);
    expect(body).toEqual({ env: { vars: { A: null, C: expect.any(Sealed) } } });
  });

  it('writes a map whole where the write replaces it', async () => {
    const put: ParentSpec = { ...map, method: 'PUT', send: 'collection' };
    const live = await read(put, { env: { vars: { A: '1', B: '2' } } });
    expect(
      applyEntries(live, put, [
        { item: 'A', entry: null },
        { item: 'C', entry: '3' },
      ]).body,
    ).toEqual({ B: '2', C: '3' });
  });

  it.each([
    ['parent', { name: 'x', secret: 's', callbacks: ['a', 'b'] }],
    [['name'], { name: 'x', callbacks: ['a', 'b'] }],
    ['collection', ['a', 'b']],
  ] as const)('sends %j', async (send, body) => {
    const spec: ParentSpec = { ...plain, send };
    expect(applyEntries(await read(spec, { name: 'x', secret: 's', callbacks: ['a'] }), spec, [{ item: 'b', entry: 'b' }]).body).toEqual(
      body,
    );
  });

  it('keeps the rest of a map whose removed members a merge patch must name', async () => {
    const spec: ParentSpec = { ...map, send: 'parent' };
    const live = await read(spec, { id: 1, env: { vars: { A: '1', B: '2' } } });
    expect(applyEntries(live, spec, [{ item: 'A', entry: null }]).body).toEqual({ id: 1, env: { vars: { B: '2', A: null } } });
  });

  it('writes under the name for writes and not under the name that it reads', async () => {
    const spec: ParentSpec = { ...plain, send: 'parent', list_path: 'redirect_urls', write_list_path: 'urls' };
    expect(applyEntries(await read(spec, { id: 1, redirect_urls: ['a'] }), spec, [{ item: 'b', entry: 'b' }]).body).toEqual({
      id: 1,
      urls: ['a', 'b'],
    });
  });

  it('takes the whole answer as the collection', async () => {
    const spec: ParentSpec = { ...map, list_path: '' };
    expect(applyEntries(await read(spec, { A: '1' }), spec, [{ item: 'B', entry: '2' }]).body).toEqual({ B: '2' });
  });

  it('deletes a collection that may not be empty', async () => {
    const spec: ParentSpec = { ...plain, when_empty: 'delete' };
    const applied = applyEntries(await read(spec, { callbacks: ['a'] }), spec, [{ item: 'a', entry: null }]);
    expect(applied).toMatchObject({ changed: true, body: null });
    const http = fakeHttp(() => ({ status: 404 }));
    await writeParent(http, spec, applied.body, { signal });
    expect(http.lines()).toEqual(['DELETE /clients/abc']);
  });

  it('is idempotent and touches no other entry, for any list and any changes', () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 8 });
    fc.assert(
      fc.property(names, fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'x'), fc.boolean()), { maxLength: 5 }), (entries, ops) => {
        const live: Collection = { raw: { callbacks: entries }, entries: entries.map((name) => ({ name, value: name })), missing: false };
        const changes = [...new Map(ops)].map(([item, stays]) => ({ item, entry: stays ? item : null }));
        const once = applyEntries(live, plain, changes);
        const ours = new Set<string>(changes.map((c) => c.item));
        expect(once.next.entries.filter((e) => !ours.has(e.name))).toEqual(live.entries.filter((e) => !ours.has(e.name)));
        expect(applyEntries(once.next, plain, changes).changed).toBe(false);
        for (const { item, entry } of changes) expect(once.next.entries.some((e) => e.name === item)).toBe(entry !== null);
      }),
    );
  });
});

describe('the written item', () => {
  it('counts as written only when it is as planned', async () => {
    const live = await read(keyed, { rules: [{ name: 'mine', on: true, id: 7 }] });
    expect(hasEntry(live, keyed, 'mine', { name: 'mine', on: true })).toBe(true);
    expect(hasEntry(live, keyed, 'mine', { name: 'mine', on: false })).toBe(false);
    expect(hasEntry(live, keyed, 'other', { name: 'other' })).toBe(false);
  });

  it('is compared in memory where it is secret', async () => {
    const live = await read(map, { env: { vars: { A: 'right' } } });
    expect(hasEntry(live, map, 'A', new Sealed('right', 'env://A'))).toBe(true);
    expect(hasEntry(live, map, 'A', new Sealed('wrong', 'env://A'))).toBe(false);
  });

  it('is sent as idempotent, with the headers of its parent', async () => {
    const http = fakeHttp(() => ({ status: 200 }));
    await writeParent(http, { ...plain, headers: { 'x-v': '1' }, query: { team: 't' } }, { callbacks: [] }, { signal });
    expect(http.sent).toEqual([
      {
        request: { method: 'PATCH', path: '/clients/abc', query: { team: 't' }, headers: { 'x-v': '1' }, body: { callbacks: [] } },
        options: { purpose: 'write', signal, idempotent: true },
      },
    ]);
  });
});

it('names the entries that no line manages, each once', async () => {
  expect(unmanaged(await read(plain, { callbacks: ['a', 'b', 'a', 'c'] }), ['b'])).toEqual(['a', 'c']);
});

it('locks the object, whatever query reads it', () => {
  const base = { base_url: 'https://acme.test/api' };
  expect(lockNameOf(base, { path: '/clients/abc?fields=x' })).toBe(lockNameOf(base, { path: '/clients/abc' }));
});
