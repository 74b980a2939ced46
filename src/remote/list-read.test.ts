import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fakeHttp } from '../../test/support/fake-http.ts';
import type { Json } from '../core/json.ts';
import type { Http, Joined } from '../http/types.ts';
import { findAll } from './find.ts';
import type { FindSpec } from './reach.ts';
import { holds } from './read.ts';

const signal = new AbortController().signal;
const list: FindSpec = { request: { method: 'GET', path: '/things' }, list: '/data', match: {}, id: '/id' };

/** Joins several reads as a client does while nothing is written. */
function joining(http: Http): Http {
  const known = new Map<string, Promise<unknown>>();
  return {
    ...http,
    joined: <T>({ name, share }: Joined, read: () => Promise<T>): Promise<T> => {
      if (!share) return read();
      const reading = (known.get(name) as Promise<T> | undefined) ?? read();
      known.set(name, reading);
      return reading;
    },
  };
}

/** Counts the reads of entries' members while each of `count` lines looks for one of `count` entries. */
async function readsOf(count: number): Promise<{ reads: number; requests: number; found: number }> {
  let reads = 0;
  const watched = (item: object): object =>
    new Proxy(item, {
      get: (target, name): unknown => {
        reads += 1;
        return Reflect.get(target, name);
      },
    });
  const data = Array.from({ length: count }, (_, n) => watched({ id: n, name: `thing-${n}`, kind: 'widget' }));
  const size = 100;
  const http = fakeHttp((request) => {
    const at = Number(request.query?.from ?? 0);
    return { body: { data: data.slice(at, at + size), next: at + size < count ? String(at + size) : null } };
  });
  const shared = joining(http);
  const page = { kind: 'cursor', next: '/next', param: 'from' } as const;
  let found = 0;
  for (let n = 0; n < count; n += 1) {
    const match = { '/kind': 'widget', '/name': `thing-${n}` };
    found += (await findAll(shared, { ...list, match, page }, { signal, share: true })).length;
  }
  return { reads, requests: http.sent.length, found };
}

describe('a list that many lines look into', () => {
  it('is read once and walked once, however many they are', async () => {
    const small = await readsOf(200);
    const large = await readsOf(2_000);
    expect(small).toMatchObject({ requests: 2, found: 200 });
    expect(large).toMatchObject({ requests: 20, found: 2_000 });
    expect(large.reads).toBe(small.reads * 10);
    expect(large.reads).toBeLessThan(2_000 * 8);
  });

  it('gives the same as a walk over the whole list, for any entries and any match', async () => {
    const scalar = fc.constantFrom<Json>(1, '1', 1.5, '1.5', 0, '0', -0, '-0', true, 'true', false, null, 'null', '', '[1]', 1e21, '1e+21');
    const value = fc.oneof({ weight: 4, arbitrary: scalar }, fc.constantFrom<Json>([1], ['1'], { in: 1 }, { in: '1', more: 2 }));
    const entry = fc.record({ a: value, b: value, 'c/d': value }, { requiredKeys: [] });
    const match = fc.dictionary(fc.constantFrom('/a', 'b', '/c~1d', '/a/in', '/a/0'), value, { maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 12 }), fc.array(match, { maxLength: 5 }), async (entries, matches) => {
        const data = entries.map((one, id) => ({ ...one, id }));
        const shared = joining(fakeHttp(() => ({ body: { data } })));
        for (const wanted of matches) {
          const found = await findAll(shared, { ...list, match: wanted }, { signal, share: true });
          expect(found.map(({ item }) => item)).toEqual(data.filter((one) => holds(one, wanted)));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is read for each look that must not be shared', async () => {
    const http = fakeHttp(() => ({ body: { data: [{ id: 1, name: 'a' }] } }));
    const shared = joining(http);
    for (const share of [true, true, false, false]) await findAll(shared, { ...list, match: { '/name': 'a' } }, { signal, share });
    expect(http.sent.map(({ options }) => options.share)).toEqual([true, false, false]);
  });

  it('is not shared with lines that ask differently, or that know an empty list by another sign', async () => {
    const http = fakeHttp(({ query }) => ({ body: { data: query ? [] : [{ id: 1 }], rest: [{ id: 2 }, { id: 3 }] } }));
    const shared = joining(http);
    const look = async (spec: Partial<FindSpec>) => (await findAll(shared, { ...list, ...spec }, { signal, share: true })).length;
    expect(await look({})).toBe(1);
    expect(await look({ request: { ...list.request, query: { q: 'x' } } })).toBe(0);
    expect(await look({ list: '/rest' })).toBe(2);
    expect(await look({ none_match: { '/data/0/id': 1 } })).toBe(0);
  });
});
