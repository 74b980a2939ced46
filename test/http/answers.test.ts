import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Sealed } from '../../src/core/sealed.ts';
import { decodeBody } from '../../src/http/encodings/decode.ts';
import type { Refused } from '../../src/http/types.ts';
import { block, failureOf, lost, ok, token, world } from './harness.ts';

const read = { purpose: 'read' } as const;
const write = { purpose: 'write', retry: 'none' } as const;

describe('what is sent', () => {
  it('goes to the path below the base URL with credential, block headers and query', async () => {
    const { client, requests } = world(() => ok());
    const api = client.api({ ...block, headers: { 'X-Version': '7' } });
    await api.send({ method: 'GET', path: '/items?kept=1', query: { name: 'a b&c', tag: ['x', 'y'] }, headers: { 'x-own': 'z' } }, read);
    const [request] = requests;
    expect(request?.url).toBe('https://api.acme.example/v1/items?kept=1&name=a%20b%26c&tag=x&tag=y');
    await api.send({ method: 'GET', path: '/items', query: { "it's": '?#' } }, read);
    await api.send({ method: 'GET', path: '/items?', query: { a: '' } }, read);
    expect(requests.map(({ url }) => url.slice('https://api.acme.example/v1'.length)).slice(1)).toEqual([
      '/items?it%27s=%3F%23',
      '/items?a=',
    ]);
    expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
      authorization: `Bearer ${token}`,
      'x-version': '7',
      'x-own': 'z',
      accept: 'application/json',
      'user-agent': 'pilotfish',
    });
    expect(request?.headers.has('content-type')).toBe(false);
  });

  it('reveals sealed leaves only in the body and headers that leave', async () => {
    const { api, requests, redactor } = world(() => ok());
    const secret = new Sealed('hunter2-hunter2', 'env://HOOK_SECRET');
    await api.send({ method: 'POST', path: '/hooks', body: { secret, list: [secret] }, headers: { 'x-secret': secret } }, write);
    expect(await requests[0]?.json()).toEqual({ secret: 'hunter2-hunter2', list: ['hunter2-hunter2'] });
    expect(requests[0]?.headers.get('x-secret')).toBe('hunter2-hunter2');
    expect(redactor.text('hunter2-hunter2')).toBe('***');
  });

  it('sends a versioned media type as Accept and Content-Type, and a form as a form', async () => {
    const { client, requests } = world(() => ok());
    await client.api({ ...block, media_type: 'application/vnd.acme+json;v=2' }).send({ method: 'POST', path: '/a', body: { x: 1 } }, write);
    expect(requests[0]?.headers.get('accept')).toBe('application/vnd.acme+json;v=2');
    expect(requests[0]?.headers.get('content-type')).toBe('application/vnd.acme+json;v=2');
    await client.api({ ...block, encoding: 'form' }).send({ method: 'POST', path: '/a', body: { events: ['x', 'y'] } }, write);
    expect(requests[1]?.headers.get('content-type')).toBe('application/x-www-form-urlencoded');
    expect(decodeURIComponent((await requests[1]?.text()) ?? '')).toBe('events[]=x&events[]=y');
  });

  it('sends no content type without a body, even where the block names one', async () => {
    const { client, requests } = world(() => ok());
    await client.api({ ...block, headers: { 'Content-Type': 'application/json' } }).send({ method: 'DELETE', path: '/a/1' }, write);
    expect(requests[0]?.headers.has('content-type')).toBe(false);
  });

  it('sends an idempotency key as a header', async () => {
    const { api, requests } = world(() => ok());
    await api.send({ method: 'POST', path: '/a', body: {} }, { ...write, idempotencyKey: 'key-1' });
    expect(requests[0]?.headers.get('idempotency-key')).toBe('key-1');
  });

  it('sends a bare request without credential and block headers, wherever it goes', async () => {
    const { client, requests } = world(() => ok());
    const api = client.api({ ...block, headers: { 'x-version': '7' } });
    await api.send({ method: 'POST', path: 'https://hooks.other.example/T1', body: { text: 'hi' } }, { ...write, bare: true });
    expect(requests[0]?.url).toBe('https://hooks.other.example/T1');
    expect(requests[0]?.headers.has('authorization')).toBe(false);
    expect(requests[0]?.headers.has('x-version')).toBe(false);
  });

  it('never takes the credential to another host, and never climbs out of a path', async () => {
    const { api, requests } = world(() => ok());
    for (const path of [
      'https://evil.example/x',
      '/items/../admin',
      '/items/%2E%2e/admin',
      '/a\nb',
      'items',
      'https://api.acme.example.evil.example/',
    ]) {
      await expect(api.send({ method: 'GET', path }, read), path).rejects.toMatchObject({ code: 'PARAM_INVALID' });
    }
    expect(requests).toEqual([]);
    await api.send({ method: 'GET', path: '/items/a#b' }, read);
    expect(requests[0]?.url).toBe('https://api.acme.example/v1/items/a%23b');
  });

  it('tells of each attempt, counts it for its line and hides secrets of the URL', async () => {
    const { client, api, facts } = world((_, n) => (n === 1 ? ok({}, 503) : ok()), {});
    const sending = api.send({ method: 'GET', path: '/a', query: { api_key: 'abc', q: token } }, { ...read, retry: 'none' });
    await failureOf(sending);
    await api.send({ method: 'PUT', path: '/a', body: {} }, write);
    expect(facts.map(({ line, method, status, attempt }) => [line, method, status, attempt])).toEqual([
      ['hook', 'GET', 503, 1],
      ['hook', 'PUT', 200, 1],
    ]);
    expect(facts[0]?.url).toBe('https://api.acme.example/v1/a?api_key=***&q=***');
    expect(client.stats).toEqual({ requests: 2, writes: 1 });
    expect([client.requestsOf('hook'), client.requestsOf('other')]).toEqual([2, 0]);
  });

  it('hides what stands under a secret-looking name also where no query begins', async () => {
    const { api, facts } = world(() => ok());
    await api.send({ method: 'GET', path: '/a&token=abc' }, read);
    expect(facts[0]?.url).toBe('https://api.acme.example/v1/a&token=***');
  });
});

describe('what is answered', () => {
  const answerTo = async (response: Response, accept: readonly number[] = []) =>
    world(() => response).api.send({ method: 'GET', path: '/x' }, { ...read, accept });

  it('is JSON by content type, null when empty, text otherwise', async () => {
    expect((await answerTo(ok({ a: 1 }))).body).toEqual({ a: 1 });
    expect(
      (await answerTo(new Response('{"a":1}', { headers: { 'content-type': 'application/vnd.api+json; charset=utf-8' } }))).body,
    ).toEqual({ a: 1 });
    expect((await answerTo(new Response(null, { status: 204 }))).body).toBeNull();
    expect((await answerTo(new Response('{"a":1}', { headers: { 'content-type': 'text/plain' } }))).body).toBe('{"a":1}');
    expect((await answerTo(new Response(new TextEncoder().encode('{"a":1}')))).body).toEqual({ a: 1 });
  });

  it('keeps whole numbers beyond 2^53 as text', async () => {
    const body = '{"id": 9007199254740993, "n": 9007199254740991, "f": 1.25}';
    expect((await answerTo(new Response(body, { headers: { 'content-type': 'application/json' } }))).body).toEqual({
      id: '9007199254740993',
      n: 9007199254740991,
      f: 1.25,
    });
  });

  it('is an answer for the statuses the caller accepts', async () => {
    expect(await answerTo(ok({ gone: true }, 404), [404])).toMatchObject({ status: 404, body: { gone: true } });
  });

  it('has lower-case header names', async () => {
    expect((await answerTo(ok({}, 200, { ETag: '"1"' }))).headers.etag).toBe('"1"');
  });

  it('is PROVIDER_RESPONSE where JSON is promised and not given', async () => {
    const failure = await failureOf(answerTo(new Response('<html>', { headers: { 'content-type': 'application/json' } })));
    expect(failure).toMatchObject({ code: 'PROVIDER_RESPONSE', status: 200, unanswered: false });
  });

  it.each([
    ['lists', '['.repeat(12_000) + ']'.repeat(12_000)],
    ['objects', `${'{"a":'.repeat(12_000)}1${'}'.repeat(12_000)}`],
  ])('is PROVIDER_RESPONSE where %s are nested without end, and brackets inside of texts do not count', (_, text) => {
    expect(() => decodeBody(Buffer.from(text), 'application/json')).toThrow(/500 levels deep/);
    expect(decodeBody(Buffer.from(text), undefined)).toBe(text);
    const quoted = JSON.stringify({ said: `"${text}\\` });
    expect(decodeBody(Buffer.from(quoted), 'application/json')).toEqual(JSON.parse(quoted));
  });

  it('counts brackets in no text, whatever is quoted in it, and all that stand beside texts', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\\', '[', '}', 'a', ' ') });
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const beside = { texts, long: '['.repeat(600) };
        expect(decodeBody(Buffer.from(JSON.stringify(beside)), 'application/json')).toEqual(beside);
        const deep = `${JSON.stringify([texts]).slice(0, -1)},${'['.repeat(500)}${']'.repeat(500)}]`;
        expect(() => decodeBody(Buffer.from(deep), 'application/json')).toThrow(/500 levels deep/);
        const justNot = `${JSON.stringify([texts]).slice(0, -1)},${'['.repeat(499)}${']'.repeat(499)}]`;
        expect(decodeBody(Buffer.from(justNot), 'application/json')).toEqual(JSON.parse(justNot));
      }),
    );
  });

  it('keeps the status of an error whose JSON is broken', async () => {
    const failure = await failureOf(answerTo(new Response('<html>', { status: 404, headers: { 'content-type': 'application/json' } })));
    expect(failure).toMatchObject({ code: 'PROVIDER_NOT_FOUND', status: 404 });
  });

  it('is refused beyond 20 MB', async () => {
    const big = new Response(new Uint8Array(21 * 1024 * 1024), { headers: { 'content-type': 'text/plain' } });
    expect(await failureOf(answerTo(big))).toMatchObject({
      code: 'PROVIDER_RESPONSE',
      status: 200,
      detail: expect.stringContaining('20 MB'),
    });
  });
});

describe('a failure', () => {
  const failed = (status: number, headers: Record<string, string> = {}, body: unknown = {}) =>
    failureOf(world(() => ok(body, status, headers)).api.send({ method: 'POST', path: '/x', body: {} }, write));

  it('has the code of its status', async () => {
    const codes: Record<string, readonly number[]> = {
      PROVIDER_AUTH: [401, 403],
      PROVIDER_NOT_FOUND: [404, 410],
      PROVIDER_CONFLICT: [409, 412],
      PROVIDER_QUOTA: [402, 507],
      PROVIDER_INVALID: [400, 405, 415, 422],
      PROVIDER_TRANSIENT: [408, 423, 429, 500, 502, 503, 504],
      PROVIDER_RESPONSE: [301, 302, 307, 308],
    };
    for (const [code, statuses] of Object.entries(codes))
      for (const status of statuses) expect(await failed(status)).toMatchObject({ code, status });
  });

  it('says who answered what, in the words of the provider, and how to go on', async () => {
    const failure = await failed(403, {}, { error: { code: 'forbidden', message: 'missing scope hooks:write' }, trace: 'internal-7' });
    expect(failure.detail).toBe('acme answered 403 to POST /v1/x: missing scope hooks:write.');
    expect(failure.fix).toBe('Give the credential in ACME_TOKEN the permission for this request.');
    expect(failure.body).toMatchObject({ trace: 'internal-7' });
    for (const printed of [JSON.stringify(failure), inspect(failure)]) expect(printed).not.toContain('internal-7');
  });

  it('of a write that says that the account is full is PROVIDER_QUOTA, and no wait makes room', async () => {
    for (const status of [400, 403, 412, 429]) {
      const { client, requests } = world(() => ok({ message: 'no room' }, status, { 'retry-after': '1' }));
      const isFull = (refused: Refused) => refused.status === status && JSON.stringify(refused.body).includes('room');
      const api = client.api(block, { known: { isFull } });
      const failure = await failureOf(api.send({ method: 'PUT', path: '/x', body: {} }, write));
      expect(failure).toMatchObject({ code: 'PROVIDER_QUOTA', status, retryAfter: null, repeatable: false });
      expect(requests).toHaveLength(1);
    }
    const { client } = world(() => ok({ message: 'limit must be at most 100' }, 400));
    const look = client.api(block, { known: { isFull: () => true } }).send({ method: 'GET', path: '/x' }, read);
    expect(await failureOf(look)).toMatchObject({ code: 'PROVIDER_INVALID' });
  });

  it('for want of a permission names what the credential needs, where that is known', async () => {
    const { client } = world(() => ok({}, 403));
    const api = client.api(block, { known: { needs: 'A token with hooks:write.' } });
    expect((await failureOf(api.send({ method: 'GET', path: '/x' }, read))).fix).toBe(
      'Give the credential in ACME_TOKEN the permission for this request. What it needs, and no more: A token with hooks:write.',
    );
  });

  it('names only the origin of a redirect, which is not followed', async () => {
    const { api, requests } = world(() => ok({}, 302, { location: `https://login.example/in?token=${token}` }));
    const failure = await failureOf(api.send({ method: 'GET', path: '/x' }, read));
    expect(failure.detail).toContain('to https://login.example. ');
    expect(failure.detail).not.toContain('token=');
    expect(requests).toHaveLength(1);
  });

  it('never quotes a secret, however the provider writes it', async () => {
    for (const said of [`bad token ${token}`, `bad header ${Buffer.from(`u:${token}`).toString('base64')}`, `${'x'.repeat(290)}${token}`]) {
      const failure = await failed(401, {}, { message: said, errors: [{ detail: said }] });
      expect(failure.detail).toContain('***');
      expect(failure.detail).not.toContain(token.slice(0, 8));
      expect(failure.message).not.toContain(token.slice(0, 8));
    }
  });

  it('keeps the path of a request free of secrets', async () => {
    const { api, redactor } = world(() => ok({}, 404));
    redactor.add('path-secret-1');
    const failure = await failureOf(api.send({ method: 'GET', path: '/hooks/path-secret-1' }, read));
    expect(failure.detail).toBe('acme answered 404 to GET /v1/hooks/***.');
  });

  it('says for a lost answer that the write may have taken effect, and for a lost read nothing of the kind', async () => {
    const broken = world(lost);
    expect(await failureOf(broken.api.send({ method: 'POST', path: '/x', body: {} }, write))).toMatchObject({
      code: 'PROVIDER_TRANSIENT',
      status: null,
      unanswered: true,
      repeatable: true,
      detail: 'acme did not answer POST /v1/x: the connection was reset. The request may have taken effect.',
    });
    const reading = await failureOf(broken.api.send({ method: 'POST', path: '/search', body: {} }, { purpose: 'read', retry: 'none' }));
    expect(reading).toMatchObject({ unanswered: false, detail: 'acme did not answer POST /v1/search: the connection was reset.' });
  });

  it('counts a gateway that gave up as unanswered: what stands behind it may have worked', async () => {
    for (const status of [502, 504, 524]) expect(await failed(status)).toMatchObject({ unanswered: true, repeatable: true });
    for (const status of [500, 400, 409, 503]) expect(await failed(status)).toMatchObject({ unanswered: false });
    for (const status of [423, 429, 503]) expect(await failed(status)).toMatchObject({ repeatable: true });
  });

  it('is made before anything is sent when a body cannot be', async () => {
    const { api, requests } = world(() => ok());
    await expect(api.send({ method: 'GET', path: '/x', body: { a: 1 } }, read)).rejects.toMatchObject({ code: 'PLAN_INVALID' });
    await expect(api.send({ method: 'POST', path: '/x', headers: { 'x-bad': 'a\nb' } }, write)).rejects.toMatchObject({
      code: 'PARAM_INVALID',
    });
    expect(requests).toEqual([]);
  });
});
