import { describe, expect, it } from 'vitest';
import { findAll } from '../../src/adapters/http/find.ts';
import type { FindSpec } from '../../src/adapters/op.ts';
import { Sealed } from '../../src/core/sealed.ts';
import { block, lost, ok, world } from './harness.ts';

const find: FindSpec = {
  request: { method: 'GET', path: '/things' },
  list: '/data',
  match: { '/name': 'b' },
  id: '/id',
  page: { kind: 'cursor', next: '/next', param: 'cursor' },
};
const signal = new AbortController().signal;
const firstPage = { data: [{ id: 1, name: 'a' }], next: 'two' };
const lastPage = { data: [{ id: 2, name: 'b' }], next: null };
const paged = (request: Request): Response => ok(request.url.includes('cursor') ? lastPage : firstPage);

describe('a list that lines look into together', () => {
  it('is read again once something was written to its host', async () => {
    const { client, requests } = world((request) => (request.method === 'GET' ? paged(request) : ok({ id: 3 }, 201)));
    const [one, other] = [client.api(block, { line: 'one' }), client.api(block, { line: 'other' })];
    const look = async (api = one) => (await findAll(api, find, { signal, share: true })).map(({ id }) => id);
    expect([await look(), await look(other)]).toEqual([['2'], ['2']]);
    expect(requests).toHaveLength(2);
    await other.send({ method: 'POST', path: '/things', body: {} }, { purpose: 'write' });
    expect(await look()).toEqual(['2']);
    expect(requests).toHaveLength(5);
  });

  it('is no more than its pages: a write while they are read keeps those who look later from it', async () => {
    const held = Promise.withResolvers<void>();
    const { client, requests } = world(async (request) => {
      if (request.method === 'GET' && request.url.includes('cursor') && requests.length < 4) await held.promise;
      return request.method === 'GET' ? paged(request) : ok({}, 201);
    });
    const api = client.api(block);
    const early = findAll(api, find, { signal, share: true });
    while (requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await api.send({ method: 'POST', path: '/things', body: {} }, { purpose: 'write' });
    const late = await findAll(api, find, { signal, share: true });
    held.resolve();
    expect((await early).map(({ id }) => id)).toEqual(['2']);
    expect(late.map(({ id }) => id)).toEqual(['2']);
    expect(requests.map(({ method, url }) => `${method} ${new URL(url).search}`)).toEqual([
      'GET ',
      'GET ?cursor=two',
      'POST ',
      'GET ',
      'GET ?cursor=two',
    ]);
  });

  it('goes on for the others when one of them is told to stop', async () => {
    const held = Promise.withResolvers<void>();
    const { client, requests } = world(async (request) => {
      await held.promise;
      return paged(request);
    });
    const stop = new AbortController();
    const first = findAll(client.api(block), find, { signal: stop.signal, share: true });
    const second = findAll(client.api(block), find, { signal, share: true });
    while (requests.length < 1) await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error('stopped'));
    await expect(first).rejects.toThrow('stopped');
    held.resolve();
    expect(await second).toHaveLength(1);
    expect(requests).toHaveLength(2);
  });

  it('that could not be read is read again by who looks next', async () => {
    const { client, requests } = world((request, number) => (number === 1 ? ok({ message: 'no' }, 400) : paged(request)));
    const api = client.api(block);
    await expect(findAll(api, find, { signal, share: true })).rejects.toMatchObject({ status: 400 });
    expect(await findAll(api, find, { signal, share: true })).toHaveLength(1);
    expect(requests).toHaveLength(3);
  });

  it('is another one for another credential and for other headers of the API', async () => {
    const { client, requests } = world(paged);
    await findAll(client.api(block), find, { signal, share: true });
    await findAll(client.api(block, { credential: new Sealed('another-token-000', 'env://OTHER') }), find, { signal, share: true });
    await findAll(client.api({ ...block, headers: { 'x-version': '2' } }), find, { signal, share: true });
    expect(requests).toHaveLength(6);
  });

  it('is read by each while a write whose answer was lost may still land', async () => {
    const { client, requests, clock } = world((request) => (request.method === 'GET' ? paged(request) : lost()));
    const api = client.api(block);
    await expect(api.send({ method: 'POST', path: '/things', body: {} }, { purpose: 'write', retry: 'none' })).rejects.toThrow();
    const before = requests.length;
    for (let n = 0; n < 2; n += 1) await findAll(api, find, { signal, share: true });
    expect(requests.length - before).toBe(4);
    await clock.advance(31_000);
    for (let n = 0; n < 2; n += 1) await findAll(api, find, { signal, share: true });
    expect(requests.length - before).toBe(6);
  });
});
