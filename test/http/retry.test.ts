import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/core/errors.ts';
import type { HttpFailureFacts, SendOptions } from '../../src/http/types.ts';
import { rest } from '../support/virtual-clock.ts';
import { failureOf, lost, ok, openGate, world } from './harness.ts';

const table = { purpose: 'write' } as const;

/** How often a request is sent when the provider always answers so. */
async function sendsOf(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', answer: () => Response, options: Partial<SendOptions> = {}) {
  const { api, clock, requests } = world(answer);
  const sending = failureOf(
    api.send({ method, path: '/x', ...(method !== 'GET' && { body: {} }) }, { purpose: method === 'GET' ? 'read' : 'write', ...options }),
  );
  await clock.advance(120_000);
  await sending;
  return requests.length;
}

describe('the retry table', () => {
  it('repeats 423, 429 and 503 for any method, at most four times', async () => {
    for (const status of [423, 429, 503]) {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE'] as const)
        expect(await sendsOf(method, () => ok({}, status)), `${method} ${status}`).toBe(5);
    }
  });

  it('repeats other 5xx and broken connections only where a repeat is harmless', async () => {
    for (const answer of [() => ok({}, 500), () => ok({}, 502), () => ok({}, 504), lost]) {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) expect(await sendsOf(method, answer), method).toBe(5);
      for (const method of ['POST', 'PATCH'] as const) expect(await sendsOf(method, answer), method).toBe(1);
      expect(await sendsOf('POST', answer, { idempotent: true })).toBe(5);
      expect(await sendsOf('POST', answer, { idempotencyKey: 'k' })).toBe(5);
      expect(await sendsOf('PUT', answer, { idempotent: false })).toBe(1);
    }
  });

  it('repeats no other refusal', async () => {
    for (const status of [400, 401, 403, 404, 409, 422, 507]) expect(await sendsOf('GET', () => ok({}, status)), `${status}`).toBe(1);
  });

  it('repeats nothing under `none`, except what was not sent', async () => {
    for (const answer of [() => ok({}, 429), () => ok({}, 503), () => ok({}, 500), lost]) {
      expect(await sendsOf('POST', answer, { retry: 'none' })).toBe(1);
      expect(await sendsOf('GET', answer, { retry: 'none' })).toBe(1);
    }
  });

  it('returns the answer of the attempt that succeeds', async () => {
    const { api, clock, facts } = world((_, n) => (n < 3 ? ok({}, 503) : ok({ n })));
    const sending = api.send({ method: 'POST', path: '/x', body: {} }, table);
    await clock.advance(10_000);
    expect((await sending).body).toEqual({ n: 3 });
    expect(facts.map((fact) => fact.attempt)).toEqual([1, 2, 3]);
  });

  it('backs off from 250 ms, doubling, spread by chance', async () => {
    for (const [random, waits] of [
      [0, [250, 500, 1000, 2000]],
      [0.5, [375, 750, 1500, 3000]],
    ] as const) {
      const { api, clock } = world(() => ok({}, 500), { random: () => random });
      const sending = failureOf(api.send({ method: 'GET', path: '/x' }, { purpose: 'read' }));
      await clock.advance(60_000);
      await sending;
      expect(clock.asked.filter((ms) => ms !== 30_000)).toEqual(waits);
    }
  });

  it('says at the end that an earlier attempt may have landed, whatever the last one says', async () => {
    const { api, clock } = world((_, n) => (n === 1 ? lost() : ok({}, 409)));
    const sending = failureOf(api.send({ method: 'PUT', path: '/x', body: {} }, table));
    await clock.advance(10_000);
    expect(await sending).toMatchObject({ code: 'PROVIDER_CONFLICT', status: 409, unanswered: true, repeatable: true });
  });
});

describe('a Retry-After', () => {
  it('holds back every request to that host, and none to another', async () => {
    const { client, api, clock, requests } = world((request, n) =>
      n === 1 ? ok({}, 429, { 'retry-after': '7' }) : ok({ url: request.url }),
    );
    const first = api.send({ method: 'GET', path: '/a' }, { purpose: 'read' });
    await rest();
    const second = api.send({ method: 'GET', path: '/b' }, { purpose: 'read' });
    await client
      .api({ api: 'other', base_url: 'https://other.example', auth: null })
      .send({ method: 'GET', path: '/c' }, { purpose: 'read' });
    await clock.advance(6_900);
    expect(requests.map((request) => new URL(request.url).pathname)).toEqual(['/v1/a', '/c']);
    await clock.advance(200);
    await Promise.all([first, second]);
    expect(requests).toHaveLength(4);
  });

  it('counts to its latest end', async () => {
    const { api, clock, requests } = world((_, n) => (n < 3 ? ok({}, 503, { 'retry-after': n === 1 ? '20' : '5' }) : ok()));
    const both = Promise.all(['/a', '/b'].map((path) => api.send({ method: 'GET', path }, { purpose: 'read' })));
    await clock.advance(19_900);
    expect(requests).toHaveLength(2);
    await clock.advance(200);
    await both;
  });

  it("may be a date of the provider's own clock", async () => {
    const theirs = Date.UTC(2026, 10, 21) - 3_600_000;
    const date = new Date(theirs).toUTCString();
    const { api, clock, requests } = world((_, n) =>
      n === 1 ? ok({}, 429, { date, 'retry-after': new Date(theirs + 9_000).toUTCString() }) : ok(),
    );
    const sending = api.send({ method: 'GET', path: '/a' }, { purpose: 'read' });
    await clock.advance(8_900);
    expect(requests).toHaveLength(1);
    await clock.advance(200);
    await sending;
  });

  it('of more than a minute fails at once, with what the provider asked', async () => {
    const { api, requests } = world(() => ok({}, 429, { 'retry-after': '3600' }));
    const failure = await failureOf(api.send({ method: 'GET', path: '/a' }, { purpose: 'read' }));
    expect(failure).toMatchObject({ code: 'PROVIDER_TRANSIENT', status: 429, retryAfter: 3_600_000, repeatable: true });
    expect(failure.fix).toContain('3600 s');
    expect(requests).toHaveLength(1);
  });

  it('is understood from a spent rate limit that answers 403', async () => {
    const theirs = Date.UTC(2026, 10, 21) + 3_600_000;
    const reset = String(theirs / 1000 + 5);
    const { api, clock, requests } = world((_, n) =>
      n === 1 ? ok({}, 403, { date: new Date(theirs).toUTCString(), 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }) : ok(),
    );
    const sending = api.send({ method: 'POST', path: '/a', body: {} }, table);
    await clock.advance(4_900);
    expect(requests).toHaveLength(1);
    await clock.advance(200);
    await sending;
  });

  it.each([
    ['seconds from now', '20'],
    ['a moment', String(Date.UTC(2026, 10, 21) / 1000 + 20)],
  ])('may be the reset of a rate limit, as %s: the request waits so long, once', async (_, reset) => {
    const date = new Date(Date.UTC(2026, 10, 21)).toUTCString();
    const { api, clock, requests } = world((_request, n) => (n === 1 ? ok({}, 429, { date, 'x-ratelimit-reset': reset }) : ok()));
    const sending = api.send({ method: 'GET', path: '/a' }, { purpose: 'read' });
    await clock.advance(19_900);
    expect(requests).toHaveLength(1);
    await clock.advance(200);
    await sending;
    expect(requests).toHaveLength(2);
  });

  it('that is the reset of a rate limit in an hour fails at once', async () => {
    const { api, requests } = world(() => ok({}, 429, { 'x-ratelimit-reset': '3600' }));
    const failure = await failureOf(api.send({ method: 'GET', path: '/a' }, { purpose: 'read' }));
    expect(failure).toMatchObject({ code: 'PROVIDER_TRANSIENT', retryAfter: 3_600_000 });
    expect(requests).toHaveLength(1);
  });

  it('does not outlive the client', async () => {
    const { client, api, clock, run } = world(() => ok({}, 429, { 'retry-after': '50' }));
    const sending = api.send({ method: 'GET', path: '/a' }, { purpose: 'read' });
    await rest();
    run.abort(new Error('interrupted'));
    await expect(sending).rejects.toThrow('interrupted');
    client.close();
    await clock.advance(0);
  });
});

describe('ending a run', () => {
  it('ends reads at once, whether they wait, back off or are under way', async () => {
    const hang = world(() => new Promise<Response>(() => {}));
    const underWay = hang.api.send({ method: 'GET', path: '/a' }, { purpose: 'read' });
    await rest();
    hang.run.abort(new Error('interrupted'));
    await expect(underWay).rejects.toThrow('interrupted');

    const busy = world(() => ok({}, 503));
    const backingOff = busy.api.send({ method: 'GET', path: '/a' }, { purpose: 'read' });
    await rest();
    busy.run.abort(new Error('interrupted'));
    await expect(backingOff).rejects.toThrow('interrupted');
    await expect(busy.api.send({ method: 'GET', path: '/b' }, { purpose: 'read' })).rejects.toThrow('interrupted');
  });

  it('lets a write under way end, sends no new one, and tells of one whose answer was lost', async () => {
    const answer = Promise.withResolvers<Response>();
    const { api, run, requests } = world((_, n) => (n === 1 ? answer.promise : ok()));
    const underWay = api.send({ method: 'POST', path: '/a', body: {} }, table);
    await rest();
    run.abort(new Error('interrupted'));
    await expect(api.send({ method: 'POST', path: '/b', body: {} }, table)).rejects.toThrow('interrupted');
    answer.resolve(ok({ id: 1 }));
    expect((await underWay).body).toEqual({ id: 1 });
    expect(requests).toHaveLength(1);

    const lossy = world(lost);
    const repeating = failureOf(lossy.api.send({ method: 'PUT', path: '/a', body: {} }, table));
    await rest();
    lossy.run.abort(new Error('interrupted'));
    expect(await repeating).toMatchObject({ code: 'PROVIDER_TRANSIENT', unanswered: true });
    expect(lossy.requests).toHaveLength(1);
  });

  it('tells of a write whose answer was lost also where its repeat waits for the host', async () => {
    const { api, run, requests, clock } = world((request) => (request.method === 'GET' ? ok({}, 429, { 'retry-after': '50' }) : lost()));
    const failures: unknown[] = [];
    const onFailure = ({ unanswered }: HttpFailureFacts): number => failures.push(unanswered);
    const repeating = failureOf(api.send({ method: 'PUT', path: '/a', body: {} }, { ...table, onFailure }));
    const reading = api.send({ method: 'GET', path: '/b' }, { purpose: 'read' });
    await rest();
    // The back-off of the write is over before the host may be asked again.
    await clock.advance(1_000);
    run.abort(new Failure('INTERRUPTED', { detail: 'SIGINT' }));
    await expect(reading).rejects.toThrow('SIGINT');
    expect(await repeating).toMatchObject({ code: 'PROVIDER_TRANSIENT', unanswered: true });
    expect([requests.length, failures]).toEqual([2, [true]]);
  });

  it('gives a write up at its own signal, as one that may have landed', async () => {
    const { gate, log } = openGate();
    const { api } = world(() => new Promise<Response>(() => {}), { gate });
    const drain = new AbortController();
    const sending = failureOf(api.send({ method: 'POST', path: '/a', body: {} }, { ...table, signal: drain.signal }));
    await rest();
    drain.abort(new Error('four seconds are over'));
    expect(await sending).toMatchObject({ code: 'PROVIDER_TRANSIENT', unanswered: true, status: null });
    expect(log).toEqual(['open', 'check', 'sent', 'lost']);
  });
});

describe('the deadline of an attempt', () => {
  it('ends a read that hangs, which is then repeated', async () => {
    const { api, clock, requests } = world((_, n) => (n === 1 ? new Promise<Response>(() => {}) : ok({ n })));
    const sending = api.send({ method: 'GET', path: '/a' }, { purpose: 'read' });
    await clock.advance(29_900);
    expect(requests).toHaveLength(1);
    await clock.advance(500);
    expect((await sending).body).toEqual({ n: 2 });
  });

  it('leaves a write unanswered', async () => {
    const { api, clock } = world(() => new Promise<Response>(() => {}), { deadlineMs: 5_000 });
    const sending = failureOf(api.send({ method: 'POST', path: '/a', body: {} }, table));
    await clock.advance(5_000);
    expect(await sending).toMatchObject({
      unanswered: true,
      detail: 'acme did not answer POST /v1/a: no complete answer came within 5 s. The request may have taken effect.',
    });
  });

  it('does not run while a request waits for its turn', async () => {
    const first = Promise.withResolvers<Response>();
    const { client, clock, requests } = world((_, n) => (n === 1 ? first.promise : ok({ n })), { deadlineMs: 5_000 });
    const api = client.api({ api: 'acme', base_url: 'https://api.acme.example', auth: null, concurrency: 1 });
    const sending = [
      api.send({ method: 'GET', path: '/a' }, { purpose: 'read' }),
      api.send({ method: 'GET', path: '/b' }, { purpose: 'read' }),
    ];
    await clock.advance(4_000);
    first.resolve(ok());
    await clock.advance(2_000);
    await Promise.all(sending);
    expect(requests).toHaveLength(2);
  });
});
