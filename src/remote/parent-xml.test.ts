import { describe, expect, it } from 'vitest';
import { fakeHttp } from '../../test/support/fake-http.ts';
import { problemsOf } from '../../test/support/problems-of.ts';
import type { Params } from '../ops/bound.ts';
import { bindListItem, listItem } from '../ops/generic/list-item.ts';
import type { Collection } from './collection.ts';
import { applyEntries, hasEntry, readParent, writeParent } from './parent.ts';
import { without } from './parent-body.ts';
import type { ParentSpec } from './parent-spec.ts';
import { typedLike } from './typed.ts';

const signal = new AbortController().signal;
const cors: ParentSpec = {
  path: '/?cors',
  method: 'PUT',
  send: 'parent',
  list_path: '/CORSConfiguration/CORSRule',
  shape: 'array',
  key_field: 'ID',
  if_missing: 'empty',
  missing_match: { '/Error/Code': 'NoSuchCORSConfiguration' },
};
const headers = { 'content-type': 'application/xml' };
const read = (spec: ParentSpec, body: unknown, o: { status?: number; headers?: Record<string, string> } = {}): Promise<Collection> =>
  readParent(
    fakeHttp(() => ({ body, headers, ...o })),
    spec,
    { signal },
  );

describe('a value of XML in the types of the plan', () => {
  it.each([
    [3000, '3000', 3000],
    [3000, '30', '30'],
    [true, 'true', true],
    [false, '0', '0'],
    ['007', '007', '007'],
    ['x', { '@lang': 'en', '#text': 'x' }, 'x'],
    ['', '', ''],
    [null, '', null],
    [['GET'], 'GET', ['GET']],
    [
      ['GET', 'PUT'],
      ['GET', 'PUT'],
      ['GET', 'PUT'],
    ],
    [
      [1, 2],
      ['1', '2'],
      [1, 2],
    ],
    [[], '', []],
    [{}, '', {}],
    [{ a: { b: [{ c: 1 }] } }, { a: { b: { c: '1', d: 'x' } }, e: '5' }, { a: { b: [{ c: 1, d: 'x' }] }, e: '5' }],
    [{ a: [] }, {}, { a: [] }],
    [{ a: 1 }, ['x'], ['x']],
  ])('%j and %j are %j', (planned, live, seen) => {
    expect(typedLike(planned, live)).toEqual(seen);
  });
});

describe('a collection in XML', () => {
  it('names its entries by the first element of a list, which may be a lone element', async () => {
    const spec: ParentSpec = { ...cors, key_field: '/AllowedOrigin/0' };
    const rules = [
      { AllowedOrigin: 'https://a.test' },
      { AllowedOrigin: ['https://b.test', 'https://c.test'] },
      { AllowedOrigin: { '@lang': 'en', '#text': 'https://d.test' } },
      { AllowedMethod: 'GET' },
    ];
    const live = await read(spec, { CORSConfiguration: { CORSRule: rules } });
    expect(live.entries.map(({ name }) => name)).toEqual(['https://a.test', 'https://b.test', 'https://d.test', '{"AllowedMethod":"GET"}']);
    expect(hasEntry(live, spec, 'https://a.test', { AllowedOrigin: ['https://a.test'] })).toBe(true);
  });

  it('is a list even with one entry or none, and its entries have the types of the plan', async () => {
    const one = await read(cors, { CORSConfiguration: { CORSRule: { ID: 'a', AllowedMethod: 'GET', MaxAgeSeconds: '30' } } });
    expect(hasEntry(one, cors, 'a', { ID: 'a', AllowedMethod: ['GET'], MaxAgeSeconds: 30 })).toBe(true);
    expect(hasEntry(one, cors, 'a', { ID: 'a', AllowedMethod: ['GET', 'PUT'] })).toBe(false);
    expect((await read(cors, { CORSConfiguration: '' })).entries).toEqual([]);
    expect((await read(cors, { CORSConfiguration: { '@xmlns': 'u' } })).entries).toEqual([]);
  });

  it('over JSON reads a scalar in place of a planned list as a difference, and in place of the collection as a wrong pointer', async () => {
    const json = { headers: { 'content-type': 'application/json' } };
    const one = await read(cors, { CORSConfiguration: { CORSRule: [{ ID: 'a', AllowedMethod: 'GET' }] } }, json);
    expect(hasEntry(one, cors, 'a', { ID: 'a', AllowedMethod: ['GET'] })).toBe(false);
    await expect(read(cors, { CORSConfiguration: { CORSRule: { ID: 'a' } } }, json)).rejects.toMatchObject({ code: 'PROVIDER_RESPONSE' });
  });

  it('is not taken for empty in another document', async () => {
    await expect(read(cors, { Tagging: '' })).rejects.toMatchObject({
      code: 'PROVIDER_RESPONSE',
      detail: expect.stringContaining('no element CORSConfiguration'),
    });
  });

  it('goes back whole, with the additions of the line and without members that the provider refuses', async () => {
    const spec: ParentSpec = { ...cors, body: { CORSConfiguration: { '@xmlns': 'u' } }, drop: ['/CORSConfiguration/CORSRule/*/Seen'] };
    const live = await read(spec, { CORSConfiguration: { CORSRule: { ID: 'b', AllowedMethod: 'PUT', Seen: '1' } } });
    const { body } = applyEntries(live, spec, [{ item: 'a', entry: { ID: 'a', AllowedMethod: ['GET'] } }]);
    expect(body).toEqual({
      CORSConfiguration: {
        CORSRule: [
          { ID: 'b', AllowedMethod: 'PUT' },
          { ID: 'a', AllowedMethod: ['GET'] },
        ],
        '@xmlns': 'u',
      },
    });
  });

  it('is empty only after the refusal that means so', async () => {
    const missing = { Error: { Code: 'NoSuchCORSConfiguration' } };
    expect(await read(cors, missing, { status: 404 })).toEqual({ raw: null, entries: [], missing: true });
    await expect(read(cors, { Error: { Code: 'NoSuchBucket' } }, { status: 404 })).rejects.toMatchObject({ code: 'PROVIDER_NOT_FOUND' });
    for (const status of [401, 403]) await expect(read(cors, missing, { status })).rejects.toMatchObject({ code: 'PROVIDER_AUTH' });
  });
});

describe('a version', () => {
  const etag: ParentSpec = { path: '/x', method: 'PUT', list_path: 'a', shape: 'array', version: { from: 'ETag', header: 'If-Match' } };

  it('from a header or member of the read is named by the write', async () => {
    const live = await read(etag, { a: [] }, { headers: { etag: '"7"' } });
    const http = fakeHttp(() => ({}));
    await writeParent(http, etag, { a: ['x'] }, { signal, version: live.version });
    expect(http.sent[0]?.request).toMatchObject({ method: 'PUT', headers: { 'If-Match': '"7"' } });
    const member: ParentSpec = { ...etag, version: { from: '/meta/v', query: 'if' } };
    const { version } = await read(member, { a: [], meta: { v: 3 } }, { headers: {} });
    await writeParent(http, member, { a: ['x'] }, { signal, version });
    expect(http.sent[1]?.request).toMatchObject({ query: { if: '3' } });
  });

  it('that the read does not show leads to an error, not to a write without a version', async () => {
    await expect(read(etag, { a: [] }, { headers: {} })).rejects.toMatchObject({
      detail: expect.stringContaining('without a version at ETag'),
    });
  });
});

describe('a dropped member', () => {
  it('is cut at every place that the pointer names, and nothing else is copied', () => {
    const body = { envs: { dev: { rules: [{ a: 1, b: 2 }, { b: 3 }] }, prod: { rules: [], x: 1 } } };
    expect(without(body, ['/envs/*/rules/*/b', '/envs/prod/x'])).toEqual({
      envs: { dev: { rules: [{ a: 1 }, {}] }, prod: { rules: [] } },
    });
    expect(without(body, ['/envs/*/none', '/none', '/envs/dev/rules/7/a'])).toBe(body);
  });
});

describe('params that contradict each other', () => {
  const line: Params = { parent: { path: '/x', method: 'PUT' }, list_path: '/a', key_field: 'id', item: 'i', value: { on: true } };
  const parent = (more: object): Params => ({ ...line, parent: { ...(line.parent as object), ...more } as Params });

  it.each<[object, string]>([
    [{ if_missing: 'empty', missing_match: {} }, 'parent.missing_match is empty'],
    [{ drop: [''] }, 'parent.drop holds an empty pointer'],
    [{ version: { from: 'etag' } }, 'either header, query or body'],
    [{ version: { from: 'etag', header: 'If-Match', query: 'v' } }, 'either header, query or body'],
    [{ version: { from: '/v', query: 'v', body: '/v' } }, 'either header, query or body'],
    [{ version: { from: '/v', query: 'v', original: '/was' } }, 'original belongs to parent.version.body'],
    [{ version: { from: '/v', body: '/v' }, send: 'collection' }, 'no place in a body that is the collection'],
    [{ version: { from: '/v', body: '/v' }, body: { v: 1 } }, 'parent.body and parent.version both give /v'],
    [{ version: { from: '/v', body: '/v', original: '/was' }, drop: ['/*'] }, 'parent.drop takes /was out of every write again'],
    [{ require: { match: {}, fix: 'Name another one.' } }, 'parent.require.match is empty'],
    [{ require: { match: { '/kind': 'boolean' } } }, 'parent.require.fix is missing'],
    [{ version: { from: 'etag', header: 'If-Match' }, headers: { 'if-match': '*' } }, 'both give the header If-Match'],
    [{ version: { from: '/v', query: 'v' }, query: { v: '1' } }, 'both give v'],
  ])('are refused: %j', (more, words) => {
    expect(problemsOf(listItem, parent(more)).join(' ')).toContain(words);
  });

  it.each<[object, string]>([
    [{ when_empty: 'delete', empty_as: [] }, 'both say what happens to an empty collection'],
    [{ shape: 'map', parent: { path: '/x', method: 'PATCH' }, empty_as: {} }, 'empty_as has no meaning'],
    [{ when_empty: 'delete', parent: { path: '/x', method: 'PUT', version: { from: '/v', body: '/v' } } }, 'no place in a delete'],
  ])('are refused outside of `parent` too: %j', (more, words) => {
    const { key_field: _, ...rest } = line;
    expect(problemsOf(listItem, { ...rest, ...('shape' in more ? {} : { key_field: 'id' }), ...more }).join(' ')).toContain(words);
  });

  it('a planned member that every write drops is refused', () => {
    const block = { api: 'x', base_url: 'https://x.test', auth: null };
    expect(() => bindListItem(parent({ drop: ['/a/*/on'] }), { block })).toThrow('PARAM_INVALID');
    expect(bindListItem(parent({ drop: ['/a/*/off'] }), { block }).reach).toMatchObject({ parent: { drop: ['/a/*/off'] } });
  });

  it('a line without any of these keys is reached as before', () => {
    const block = { api: 'x', base_url: 'https://x.test', auth: null };
    expect(bindListItem(line, { block }).reach).toEqual({
      kind: 'item',
      item: 'i',
      parent: { path: '/x', method: 'PUT', list_path: 'a', shape: 'array', key_field: 'id' },
    });
  });
});
