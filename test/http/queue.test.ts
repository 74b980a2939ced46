import { describe, expect, it } from 'vitest';
import type { ProviderBlock } from '../../src/http/types.ts';
import { rest } from '../support/virtual-clock.ts';
import { block, failureOf, ok, world } from './harness.ts';

const read = { purpose: 'read', retry: 'none' } as const;

/** A provider that answers only when told to, and counts what is under way. */
function held() {
  const waiting: ((response: Response) => void)[] = [];
  const seen = world(() => new Promise<Response>((resolve) => waiting.push(resolve)));
  return { ...seen, waiting, answerAll: (response: () => Response) => waiting.splice(0).map((resolve) => resolve(response())) };
}

const many = (count: number, send: (path: string) => Promise<unknown>) =>
  Array.from({ length: count }, (_, i) => send(`/x${i}`).catch(() => null));

describe('requests to one host', () => {
  it('are at most 16 at a time, and after a first round fewer until it has answered some more', async () => {
    const { api, waiting, answerAll } = held();
    const all = many(52, (path) => api.send({ method: 'GET', path }, read));
    for (const limit of [16, 10, 16, 10]) {
      await rest();
      expect(waiting).toHaveLength(limit);
      answerAll(() => ok());
    }
    await Promise.all(all);
  });

  it('are as many as the API block says, and the lowest counts where two blocks share a host', async () => {
    const { client, waiting, answerAll } = held();
    const wide: ProviderBlock = { ...block, concurrency: 20 };
    const all = many(30, (path) => client.api(wide).send({ method: 'GET', path }, read));
    await rest();
    expect(waiting).toHaveLength(20);
    answerAll(() => ok());
    await rest();
    answerAll(() => ok());
    await Promise.all(all);

    const narrow = many(5, (path) => client.api({ ...block, api: 'second', concurrency: 2 }).send({ method: 'GET', path }, read));
    const wider = many(5, (path) => client.api(wide).send({ method: 'GET', path: `/more${path}` }, read));
    for (let left = 10; left > 0; left -= 2) {
      await rest();
      expect(waiting).toHaveLength(2);
      answerAll(() => ok());
    }
    await Promise.all([...narrow, ...wider]);
  });

  it('are half as many after a 429, once for those refused together, and never none', async () => {
    const { api, clock, waiting, answerAll } = held();
    const first = many(30, (path) => api.send({ method: 'GET', path }, read));
    for (let n = 0; n < 4; n += 1) {
      await rest();
      answerAll(() => ok());
    }
    await Promise.all(first);
    await clock.advance(1_000);
    const all = many(100, (path) => api.send({ method: 'GET', path }, read));
    for (const limit of [16, 8, 4, 2, 1, 1]) {
      await rest();
      expect(waiting).toHaveLength(limit);
      await clock.advance(1);
      answerAll(() => ok({}, 429));
    }
    for (let i = 0; i < 80; i += 1) {
      await rest();
      answerAll(() => ok());
    }
    await Promise.all(all);
  });

  it('to one that takes 20 a second keep to it: few are refused, and the rate is used', async () => {
    const taken: number[] = [];
    let refused = 0;
    const limited = world(async () => {
      const at = limited.clock.mono();
      const isFull = taken.filter((one) => one > at - 1_000).length >= 20;
      if (isFull) refused += 1;
      else taken.push(at);
      await limited.clock.sleep(50);
      return isFull ? ok({}, 429, { 'retry-after': '1' }) : ok();
    });
    const { api, clock } = limited;
    await Promise.all([
      ...many(200, (path) => api.send({ method: 'GET', path }, { purpose: 'read' })),
      // Steps of 5 ms, to the end of what the rate allows for 200, and a quarter more.
      (async () => {
        for (let ms = 0; ms < 12_500; ms += 5) await clock.advance(5);
      })(),
    ]);
    expect(taken).toHaveLength(200);
    expect(refused).toBeLessThanOrEqual(10);
    // A part of one may be too little for a clock to move at all.
    expect(clock.asked.filter((ms) => !Number.isInteger(ms))).toEqual([]);
  });

  it('come soon to what a host takes where a run that ended just before had spent most of its first second', async () => {
    const taken = Array.from({ length: 14 }, () => 0);
    const limited = world(async () => {
      const at = limited.clock.mono();
      const isFull = taken.filter((one) => one > at - 1_000).length >= 20;
      if (!isFull) taken.push(at);
      await limited.clock.sleep(50);
      return isFull ? ok({}, 429, { 'retry-after': '1' }) : ok();
    });
    const { api, clock } = limited;
    const all = Promise.all(many(150, (path) => api.send({ method: 'GET', path }, { purpose: 'read' })));
    let ms = 0;
    for (; taken.length < 164 && ms < 60_000; ms += 5) await clock.advance(5);
    await clock.advance(50);
    await all;
    // At the six a second of its first refusal it would take 27 seconds, at what the host takes 8.
    expect(ms).toBeLessThan(15_000);
  });

  it('go faster again when nothing was refused for long', async () => {
    let isFull = false;
    const { api, clock, requests } = world(() => (isFull ? ok({}, 429) : ok()));
    const send = (count: number) => many(count, (path) => api.send({ method: 'GET', path }, read));
    await Promise.all(send(10));
    isFull = true;
    await Promise.all(send(1));
    isFull = false;
    const sentIn = async (seconds: number): Promise<number> => {
      const before = requests.length;
      for (let n = 0; n < seconds * 100; n += 1) await clock.advance(10);
      return requests.length - before;
    };
    const all = send(900);
    expect(await sentIn(10)).toBeLessThanOrEqual(100);
    await sentIn(10);
    expect(await sentIn(10)).toBeGreaterThan(110);
    await sentIn(70);
    await Promise.all(all);
  });

  it('hold no slot while they back off', async () => {
    const { client, clock, requests } = world((_, n) => (n === 1 ? ok({}, 500) : ok()));
    const api = client.api({ ...block, concurrency: 1 });
    const first = api.send({ method: 'GET', path: '/a' }, { purpose: 'read' });
    await rest();
    await api.send({ method: 'GET', path: '/b' }, { purpose: 'read' });
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(['/v1/a', '/v1/b']);
    await clock.advance(1_000);
    await first;
  });

  it('that are given up while they wait for a slot are never sent, whatever the host waits for', async () => {
    const { api, run, requests, waiting, clock, answerAll } = held();
    const impatient = new AbortController();
    const all = many(16, (path) => api.send({ method: 'GET', path }, read));
    const givenUp = api.send({ method: 'GET', path: '/given-up' }, { ...read, signal: impatient.signal });
    const patient = api.send({ method: 'GET', path: '/patient' }, read);
    await rest();
    impatient.abort(new Error('given up'));
    await expect(givenUp).rejects.toThrow('given up');
    await expect(api.send({ method: 'GET', path: '/late' }, { ...read, signal: impatient.signal })).rejects.toThrow('given up');
    answerAll(() => ok({}, 429, { 'retry-after': '20' }));
    await Promise.all(all);
    await rest();
    expect(waiting).toHaveLength(0);
    await clock.advance(20_000);
    answerAll(() => ok());
    await patient;
    expect(requests.map(({ url }) => new URL(url).pathname.slice('/v1'.length)).slice(16)).toEqual(['/patient']);

    const last = many(17, (path) => api.send({ method: 'GET', path: `/last${path}` }, read));
    await rest();
    run.abort(new Error('interrupted'));
    expect(await Promise.all(last)).toEqual(Array.from({ length: 17 }, () => null));
  });

  it('do not wait for those to another host', async () => {
    const { client, waiting, answerAll } = held();
    const all = many(20, (path) => client.api({ ...block, concurrency: 16 }).send({ method: 'GET', path }, read));
    const other = many(1, (path) => client.api({ ...block, base_url: 'https://other.example' }).send({ method: 'GET', path }, read));
    await rest();
    expect(waiting).toHaveLength(17);
    for (let i = 0; i < 2; i += 1) {
      answerAll(() => ok());
      await rest();
    }
    await Promise.all([...all, ...other]);
  });
});

describe('a shared read', () => {
  const shared = { purpose: 'read', share: true } as const;
  const get = (path: string) => ({ method: 'GET', path }) as const;

  it('is sent once for all who ask the same, also after it ended', async () => {
    const { api, requests } = world((_, n) => ok({ n }));
    const [a, b] = await Promise.all([api.send(get('/a'), shared), api.send(get('/a'), shared)]);
    const c = await api.send(get('/a'), shared);
    expect([a.body, b.body, c.body]).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }]);
    expect(requests).toHaveLength(1);
    await api.send(get('/a'), { purpose: 'read' });
    await api.send(get('/b'), shared);
    expect(requests).toHaveLength(3);
  });

  it('is not joined across credentials, headers or accepted statuses', async () => {
    const { client, requests } = world(() => ok(), { env: { ACME_TOKEN: 'token-one', OTHER_TOKEN: 'token-two' } });
    const one = client.api(block);
    const two = client.api({ ...block, auth: { bearer_env: 'OTHER_TOKEN' } });
    await one.send(get('/a'), shared);
    await two.send(get('/a'), shared);
    await one.send({ ...get('/a'), headers: { 'x-view': 'full' } }, shared);
    await one.send(get('/a'), { ...shared, accept: [404] });
    expect(requests).toHaveLength(4);
  });

  it('is forgotten when a write to the host is sent, and again when it is answered', async () => {
    const answer = Promise.withResolvers<Response>();
    const { api, requests } = world((request, n) => (request.method === 'POST' ? answer.promise : ok({ n })));
    await api.send(get('/a'), shared);
    const writing = api.send({ method: 'POST', path: '/w', body: {} }, { purpose: 'write' });
    await rest();
    expect((await api.send(get('/a'), shared)).body).toEqual({ n: 3 });
    answer.resolve(ok());
    await writing;
    expect((await api.send(get('/a'), shared)).body).toEqual({ n: 4 });
    expect(requests).toHaveLength(4);
  });

  it('is not believed while a write whose answer was lost may still land', async () => {
    const { api, clock } = world((request, n) => (request.method === 'POST' ? Response.error() : ok({ n })));
    await failureOf(api.send({ method: 'POST', path: '/w', body: {} }, { purpose: 'write' }));
    expect((await api.send(get('/a'), shared)).body).toEqual({ n: 2 });
    expect((await api.send(get('/a'), shared)).body).toEqual({ n: 3 });
    await clock.advance(30_000);
    expect((await api.send(get('/a'), shared)).body).toEqual({ n: 4 });
    expect((await api.send(get('/a'), shared)).body).toEqual({ n: 4 });
  });

  it('goes on for the others when one who joined gives up', async () => {
    const answer = Promise.withResolvers<Response>();
    const { api, requests } = world(() => answer.promise);
    const impatient = new AbortController();
    const first = api.send(get('/a'), { ...shared, signal: impatient.signal });
    const second = api.send(get('/a'), shared);
    await rest();
    impatient.abort(new Error('given up'));
    await expect(first).rejects.toThrow('given up');
    answer.resolve(ok({ n: 1 }));
    expect((await second).body).toEqual({ n: 1 });
    expect(requests).toHaveLength(1);
  });

  it('that failed is sent again', async () => {
    const { api } = world((_, n) => (n === 1 ? ok({}, 404) : ok({ n })));
    await failureOf(api.send(get('/a'), shared));
    expect((await api.send(get('/a'), shared)).body).toEqual({ n: 2 });
  });

  it('cannot be changed by one who holds it', async () => {
    const { api } = world(() => ok({ list: [{ id: 1 }] }));
    const { body } = await api.send(get('/a'), shared);
    expect(() => Object.assign((body as { list: object[] }).list[0] ?? {}, { id: 2 })).toThrow(TypeError);
  });
});
