import { describe, expect, it } from 'vitest';
import { Sealed } from '../../src/core/sealed.ts';
import { DigestGuard, type GuardOptions } from '../support/digest-guard.ts';
import { loopback, type WireReply } from '../support/loopback.ts';
import { failureOf } from './harness.ts';

const user = 'public-key';
const password = 'private-key-0123456789';
const block = { auth: { digest: { user_env: 'ATLAS_PUBLIC_ID', password_env: 'ATLAS_PRIVATE_KEY' } } };
const env = { ATLAS_PUBLIC_ID: user, ATLAS_PRIVATE_KEY: password };
const read = { purpose: 'read', retry: 'none' } as const;
const write = { purpose: 'write', retry: 'none' } as const;

async function guarded(o: GuardOptions = {}, as: { readonly user?: string; readonly password?: string } = {}) {
  const guard = new DigestGuard(as.user ?? user, as.password ?? password, o);
  const world = await loopback((request) => guard.check(request, () => ({ status: 200, body: '{"in":true}' })), {
    block,
    env: as.user === undefined ? env : { ...env, ATLAS_PUBLIC_ID: as.user },
  });
  return { ...world, guard };
}

describe('a request to a server that asks for HTTP Digest', () => {
  it.each<[string, GuardOptions]>([
    ['MD5 and SHA-256 in one header', {}],
    ['SHA-256 and MD5 in two headers', { algorithms: ['SHA-256', 'MD5'], apart: true }],
    ['MD5 alone', { algorithms: ['MD5'] }],
    ['SHA-512-256', { algorithms: ['SHA-512-256'] }],
    ['MD5-sess', { algorithms: ['MD5-sess'] }],
    ['SHA-256-sess', { algorithms: ['SHA-256-sess'] }],
    ['no quality of protection', { qop: null }],
    ['a misspelt quality of protection', { qop: null, more: ', op="auth"' }],
    ['auth-int as well', { qop: 'auth-int,auth' }],
    ['a hashed user name', { userhash: true }],
  ])('is let in after one challenge: %s', async (_, o) => {
    const { api, requests, guard } = await guarded(o);
    const path = '/api/groups/1%2F2?pretty=a,b&x="y"';
    for (const _again of [1, 2, 3]) expect(await api.send({ method: 'GET', path }, read)).toMatchObject({ body: { in: true } });
    expect(requests).toHaveLength(4);
    expect(guard.counts).toEqual(o.qop === null ? [0, 0, 0] : [1, 2, 3]);
    const strongest = o.algorithms?.find((name) => name.startsWith('SHA')) ?? (o.algorithms ? 'MD5' : 'SHA-256');
    expect(requests.at(-1)?.headers.authorization).toContain(`algorithm=${strongest}`);
  });

  it.each([true, false])('says a user name that is not ASCII in UTF-8 (hashed: %s)', async (userhash) => {
    const { api } = await guarded({ userhash }, { user: 'Jäsøn "D,oe"' });
    expect(await api.send({ method: 'GET', path: '/a' }, read)).toMatchObject({ status: 200 });
  });

  it('is challenged once for all that are sent at once, and each of them has a count of its own', async () => {
    const { client, block: named, requests, guard } = await guarded();
    const paths = Array.from({ length: 40 }, (_, i) => `/a${i}`);
    await Promise.all(paths.map((path) => client.api(named).send({ method: 'GET', path }, read)));
    expect(requests).toHaveLength(41);
    expect(guard.counts.toSorted((a, b) => a - b)).toEqual(paths.map((_, i) => i + 1));
  });

  it('is challenged once where only one may be in flight', async () => {
    const { client, block: named, requests } = await guarded();
    const slow = client.api({ ...named, concurrency: 1 });
    await Promise.all([1, 2, 3].map((n) => slow.send({ method: 'GET', path: `/a${n}` }, read)));
    expect(requests).toHaveLength(4);
  });

  it('is sent again with the new nonce when the old one is stale, also a write, and counts as one write', async () => {
    const { api, client, guard, requests, facts } = await guarded();
    await api.send({ method: 'POST', path: '/a', body: { n: 1 } }, write);
    expect(client.stats).toEqual({ requests: 2, writes: 1 });
    guard.expire();
    expect(await api.send({ method: 'POST', path: '/a', body: { n: 2 } }, write)).toMatchObject({ status: 200 });
    expect(client.stats).toEqual({ requests: 4, writes: 2 });
    expect(requests.map(({ body }) => body.toString())).toEqual(['{"n":1}', '{"n":1}', '{"n":2}', '{"n":2}']);
    expect(facts.map(({ status }) => status)).toEqual([401, 200, 401, 200]);
  });

  it('gets one new nonce for all that were refused with the old one', async () => {
    const { client, block: named, guard } = await guarded();
    const sendAll = () =>
      Promise.all(Array.from({ length: 16 }, (_, i) => client.api(named).send({ method: 'GET', path: `/a${i}` }, read)));
    await sendAll();
    const offered = guard.nonces.length;
    guard.expire();
    await sendAll();
    expect(guard.counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 32 }, (_, i) => 1 + Math.floor(i / 2)));
    expect(guard.nonces.length).toBeGreaterThan(offered);
  });

  it('is sent again when a nonce that had worked is refused by a server that says nothing of stale', async () => {
    const { api, requests } = await guarded({ uses: 2, saysStale: false });
    for (let i = 0; i < 5; i += 1) expect(await api.send({ method: 'GET', path: '/a' }, read)).toMatchObject({ status: 200 });
    expect(requests).toHaveLength(8);
  });

  it('goes on with the nonce that the server gives for the next request', async () => {
    const { api, requests, guard } = await guarded({ uses: 2, givesNext: true });
    for (let i = 0; i < 6; i += 1) await api.send({ method: 'GET', path: '/a' }, read);
    expect(requests).toHaveLength(7);
    expect(guard.counts).toEqual([1, 2, 1, 2, 1, 2]);
  });

  it('ends when each nonce is stale at once', async () => {
    const { api, requests } = await guarded({ uses: 0 });
    expect(await failureOf(api.send({ method: 'GET', path: '/a' }, { purpose: 'read' }))).toMatchObject({ code: 'PROVIDER_AUTH' });
    expect(requests).toHaveLength(3);
  });

  it('gets through one by one where counts must rise, in whatever order they come', async () => {
    const { api, guard } = await guarded({ strict: true });
    for (let i = 0; i < 4; i += 1) await api.send({ method: 'GET', path: '/a' }, read);
    expect(guard.counts).toEqual([1, 2, 3, 4]);
  });

  it('with a wrong key is sent once more and then PROVIDER_AUTH with the variables', async () => {
    const { api, requests, redactor } = await guarded({}, { password: 'another-key' });
    const failure = await failureOf(api.send({ method: 'POST', path: '/a', body: {} }, { purpose: 'write' }));
    expect(failure).toMatchObject({
      code: 'PROVIDER_AUTH',
      status: 401,
      fix: 'Check ATLAS_PUBLIC_ID and ATLAS_PRIVATE_KEY: the provider does not accept them.',
    });
    expect(requests).toHaveLength(2);
    expect(redactor.text(`${user} ${password}`)).toBe(`${user} ***`);
    expect(JSON.stringify(failure.toData())).not.toContain(password);
    expect(requests.map(({ headers }) => JSON.stringify(headers)).join()).not.toContain(password);
  });

  it('takes the key of a line instead, and hashes what no header could carry', async () => {
    const own = 'pässwörd→0123';
    const guard = new DigestGuard(user, own);
    const { client, block: named } = await loopback((request) => guard.check(request, () => ({ status: 204 })), {
      block,
      env: { ATLAS_PUBLIC_ID: user },
    });
    const api = client.api(named, { credential: new Sealed(own, 'keys.private') });
    expect(await api.send({ method: 'GET', path: '/a' }, read)).toMatchObject({ status: 204 });
  });
});

describe('a 401 that cannot be answered', () => {
  it.each<[string, WireReply['headers'], string]>([
    ['no challenge', {}, 'The provider refused the request without any challenge'],
    ['another scheme', { 'www-authenticate': 'Basic realm="x"' }, 'without a Digest challenge (it offers basic)'],
    ['auth-int alone', { 'www-authenticate': 'Digest realm="x", nonce="n", qop="auth-int"' }, 'quality of protection auth-int alone'],
    ['an unknown hash', { 'www-authenticate': 'Digest realm="x", nonce="n", algorithm=SHA3' }, 'a Digest challenge for SHA3'],
  ])('says so: %s', async (_, headers, words) => {
    const { api, requests } = await loopback(() => ({ status: 401, ...(headers && { headers }) }), { block, env });
    expect(await failureOf(api.send({ method: 'GET', path: '/a' }, { purpose: 'read' }))).toMatchObject({
      code: 'PROVIDER_AUTH',
      status: 401,
      detail: expect.stringContaining(words),
      fix: 'See whether the address of acme is right and its API takes HTTP Digest.',
    });
    expect(requests).toHaveLength(1);
  });
});

describe('who waits for the first challenge', () => {
  it('is not held back when the first request never gets an answer', async () => {
    const guard = new DigestGuard(user, password);
    let first = true;
    const { client, block: named } = await loopback(
      (request) => {
        if (!first) return guard.check(request, () => ({ status: 200, body: '{}' }));
        first = false;
        return { status: 500 };
      },
      { block, env },
    );
    const sent = [1, 2, 3].map((n) => client.api(named).send({ method: 'GET', path: `/a${n}` }, read));
    const ends = await Promise.allSettled(sent);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  });

  it('goes without a proof where none is asked for', async () => {
    const { client, block: named, requests } = await loopback(() => ({ status: 200, body: '{}' }), { block, env });
    await Promise.all([1, 2, 3].map((n) => client.api(named).send({ method: 'GET', path: `/a${n}` }, read)));
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined, undefined]);
  });
});
