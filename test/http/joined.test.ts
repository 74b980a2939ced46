import { describe, expect, it } from 'vitest';
import { Sealed } from '../../src/core/sealed.ts';
import { findAll } from '../../src/remote/find.ts';
import type { FindSpec } from '../../src/remote/reach.ts';
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

describe('a list that must show what is there from now on', () => {
  const fresh = { signal, share: false };

  it('is read once for all who ask before it begins, and what is under way is taken by nobody', async () => {
    const held = Promise.withResolvers<void>();
    const { client, requests } = world(async (request, number) => {
      if (number > 2) return paged(request);
      const answer = request.url.includes('cursor') ? ok({ data: [], next: null }) : ok(firstPage);
      if (number === 2) await held.promise;
      return answer;
    });
    const early = findAll(client.api(block, { line: 'early' }), find, fresh);
    while (requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const late = ['one', 'other', 'third'].map((line) => findAll(client.api(block, { line }), find, fresh));
    held.resolve();
    expect(await early).toEqual([]);
    expect((await Promise.all(late)).map(([found]) => found?.id)).toEqual(['2', '2', '2']);
    expect(requests).toHaveLength(4);
  });

  it('is not what others read before, and leaves nothing for those who come later', async () => {
    const { client, requests } = world(paged);
    const api = client.api(block);
    await findAll(api, find, { signal, share: true });
    for (let n = 0; n < 2; n += 1) await findAll(api, find, fresh);
    expect(requests).toHaveLength(6);
    await findAll(api, find, { signal, share: true });
    expect(requests).toHaveLength(6);
  });

  it('is read for those who wait, also when the one before them could not be', async () => {
    const held = Promise.withResolvers<void>();
    const { client, requests } = world(async (request, number) => {
      if (number > 1) return paged(request);
      await held.promise;
      return ok({ message: 'no' }, 400);
    });
    const first = findAll(client.api(block), find, fresh);
    while (requests.length < 1) await new Promise((resolve) => setImmediate(resolve));
    const rest = [0, 1].map(() => findAll(client.api(block), find, fresh));
    held.resolve();
    await expect(first).rejects.toMatchObject({ status: 400 });
    for (const one of rest) expect(await one).toHaveLength(1);
    expect(requests).toHaveLength(3);
  });

  it('changes for nobody what another line does with its answer', async () => {
    const { client } = world(() => ok({ data: [{ id: 1, name: 'b' }], next: null }));
    const found = await Promise.all([0, 1].map(() => findAll(client.api(block), find, fresh)));
    expect(found[0]?.[0]?.item).toBe(found[1]?.[0]?.item);
    expect(() => Object.assign(found[0]?.[0]?.item as object, { name: 'c' })).toThrow(TypeError);
  });
});

describe('a read that must show what is there from now on', () => {
  const read = { purpose: 'read', signal, share: false } as const;

  it('is joined with equal ones alone, and only before it begins', async () => {
    const held = Promise.withResolvers<void>();
    let states = 0;
    const { client, requests } = world(async (_, number) => {
      states += 1;
      const answer = ok({ state: states });
      if (number === 1) await held.promise;
      return answer;
    });
    const api = client.api(block);
    const send = async (path: string) => (await api.send({ method: 'GET', path }, read)).body;
    const first = send('/things/1');
    while (requests.length < 1) await new Promise((resolve) => setImmediate(resolve));
    const later = [send('/things/1'), send('/things/1')];
    expect(await send('/things/2')).toEqual({ state: 2 });
    held.resolve();
    expect(await first).toEqual({ state: 1 });
    expect(await Promise.all(later)).toEqual([{ state: 3 }, { state: 3 }]);
  });

  it('ends for the one who is told to stop, and for no other', async () => {
    const held = Promise.withResolvers<void>();
    const { client, requests } = world(async () => {
      await held.promise;
      return ok({});
    });
    const stop = new AbortController();
    const api = client.api(block);
    const [one, other] = [stop.signal, signal].map((mine) => api.send({ method: 'GET', path: '/x' }, { ...read, signal: mine }));
    while (requests.length < 1) await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error('stopped'));
    await expect(one).rejects.toThrow('stopped');
    held.resolve();
    expect(await other).toMatchObject({ status: 200 });
    expect(requests).toHaveLength(1);
  });
});
