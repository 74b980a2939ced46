import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Redactor } from '../../src/core/redact.ts';
import { type ClientOptions, createClient } from '../../src/http/client.ts';
import type { ProviderBlock } from '../../src/http/types.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { json, type WireCall, WireServer } from '../support/wire-server.ts';
import { failureOf, openGate } from './harness.ts';

const none = { purpose: 'write', retry: 'none' } as const;

/** The client's own connections against a real socket. Back-offs pass at once; the deadline never comes. */
async function wired(answer: (call: WireCall) => void, options: Partial<ClientOptions> = {}) {
  const server = await WireServer.listen(answer);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, ...clientFor(server.url, options) };
}

function clientFor(url: string, options: Partial<ClientOptions> = {}) {
  const clock = new VirtualClock();
  const impatient = {
    now: () => clock.now(),
    mono: () => clock.mono(),
    sleep: (ms: number, signal?: AbortSignal) => (ms === 30_000 ? clock.sleep(ms, signal) : Promise.resolve()),
  };
  const client = createClient({ env: {}, redactor: new Redactor(), signal: new AbortController().signal, clock: impatient, ...options });
  onTestFinished(() => client.close());
  const block: ProviderBlock = { api: 'wire', base_url: url, auth: null };
  return { client, api: client.api(block), clock };
}

describe('on a real connection', () => {
  it('an answer is read whole, over HTTP/1.1', async () => {
    const { api, server } = await wired(({ socket }) => socket.write(json(200, { a: 'ü' })));
    expect(await api.send({ method: 'POST', path: '/x', body: { n: 1 } }, none)).toMatchObject({ status: 200, body: { a: 'ü' } });
    expect(server.calls[0]?.text).toMatch(/^POST \/x HTTP\/1\.1\r\n/);
    expect(server.calls[0]?.text).toMatch(/\r\n\r\n\{"n":1\}$/);
  });

  it('an answer may be compressed', async () => {
    const body = gzipSync(JSON.stringify({ a: 1 }));
    const { api } = await wired(({ socket }) => {
      socket.write(`HTTP/1.1 200 X\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`);
      socket.write(body);
    });
    expect((await api.send({ method: 'GET', path: '/x' }, { purpose: 'read' })).body).toEqual({ a: 1 });
  });

  it('a redirect is not followed', async () => {
    const { api, server } = await wired(({ socket }) =>
      socket.write('HTTP/1.1 307 X\r\nlocation: http://127.0.0.1:1/elsewhere\r\ncontent-length: 0\r\n\r\n'),
    );
    expect(await failureOf(api.send({ method: 'POST', path: '/x', body: {} }, none))).toMatchObject({
      code: 'PROVIDER_RESPONSE',
      status: 307,
      detail: expect.stringContaining('to http://127.0.0.1:1.'),
    });
    expect(server.calls).toHaveLength(1);
  });

  it('a connection reset leaves a write unanswered and a read repeated', async () => {
    const { gate, log } = openGate();
    const { api, server } = await wired(
      ({ socket, number }) => (number < 3 ? socket.resetAndDestroy() : socket.write(json(200, { number }))),
      { gate },
    );
    expect(await failureOf(api.send({ method: 'POST', path: '/x', body: {} }, none))).toMatchObject({
      code: 'PROVIDER_TRANSIENT',
      unanswered: true,
    });
    expect(log.at(-1)).toBe('lost');
    expect((await api.send({ method: 'GET', path: '/x' }, { purpose: 'read' })).body).toEqual({ number: 3 });
    expect(server.calls).toHaveLength(3);
  });

  it('an answer cut short is no answer, whatever its status said', async () => {
    const { api } = await wired(({ socket }) =>
      socket.end('HTTP/1.1 201 X\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"id":'),
    );
    expect(await failureOf(api.send({ method: 'POST', path: '/x', body: {} }, none))).toMatchObject({
      code: 'PROVIDER_TRANSIENT',
      status: null,
      unanswered: true,
      detail: expect.stringContaining('The request may have taken effect.'),
    });
  });

  it('a connection that nobody accepts was surely not used: any method is tried again, and nothing may have landed', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => {
      closed.listen(0, '127.0.0.1', resolve);
    });
    const address = closed.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await new Promise<void>((resolve) => {
      closed.close(() => resolve());
    });
    const { gate, log } = openGate();
    const { api, client } = clientFor(`http://127.0.0.1:${port}`, { gate });
    expect(await failureOf(api.send({ method: 'POST', path: '/x', body: {} }, none))).toMatchObject({
      code: 'PROVIDER_TRANSIENT',
      unanswered: false,
      detail: `wire did not answer POST /x at 127.0.0.1:${port}: the connection was refused.`,
      fix: 'Check the address and the network, then run again.',
    });
    expect(client.stats.requests).toBe(5);
    expect(log.filter((entry) => entry === 'answered')).toHaveLength(5);
  });

  it('a host that does not exist is named as that', async () => {
    const { api } = clientFor('http://no-such-host.invalid');
    const failure = await failureOf(api.send({ method: 'GET', path: '/x' }, { purpose: 'read' }));
    expect(failure.detail).toMatch(/ at no-such-host\.invalid: (its host name does not exist|the look-up of its host name failed)/);
    expect(failure.fix).toMatch(/^Check the (address and the )?network, then run again\.$/);
  });

  it('a port that no request is sent to is a mistake of the base URL, and not tried again', async () => {
    const { api, client } = clientFor('http://127.0.0.1:9');
    expect(await failureOf(api.send({ method: 'GET', path: '/x' }, { purpose: 'read' }))).toMatchObject({
      detail: 'wire did not answer GET /x at 127.0.0.1:9: pilotfish sends no request to its port.',
      fix: 'Correct the port of the address.',
    });
    expect(client.stats.requests).toBe(1);
  });

  it('a server that hangs in the middle of its answer is left at the deadline', async () => {
    const arrived = Promise.withResolvers<void>();
    const { api, clock } = await wired(({ socket }) => {
      socket.write('HTTP/1.1 200 X\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"id":');
      arrived.resolve();
    });
    const sending = failureOf(api.send({ method: 'POST', path: '/x', body: {} }, none));
    await arrived.promise;
    await clock.advance(30_000);
    expect(await sending).toMatchObject({ unanswered: true, detail: expect.stringContaining('no complete answer came within 30 s') });
  });

  it('an HTTPS address that speaks something else is not retried and nothing was sent', async () => {
    const { server } = await wired(({ socket }) => socket.end('HTTP/1.1 400 X\r\n\r\n'));
    const { api, client } = clientFor(server.url.replace('http:', 'https:'));
    expect(await failureOf(api.send({ method: 'PUT', path: '/x', body: {} }, { purpose: 'write' }))).toMatchObject({
      code: 'PROVIDER_TRANSIENT',
      unanswered: false,
      fix: 'Name the certificate authority of your network in NODE_EXTRA_CA_CERTS.',
    });
    expect(client.stats.requests).toBe(1);
  });

  it('a proxy of the environment is used, and named when it refuses', async () => {
    const { server: proxy } = await wired(({ socket, text }) =>
      text.startsWith('CONNECT')
        ? socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
        : socket.write(json(200, { asked: text.split('\r\n')[0] })),
    );
    const env = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
    const plain = clientFor('http://api.acme.example', { env });
    expect((await plain.api.send({ method: 'GET', path: '/x' }, { purpose: 'read' })).body).toEqual({
      asked: 'GET http://api.acme.example/x HTTP/1.1',
    });
    const secure = clientFor('https://api.acme.example', { env });
    expect(await failureOf(secure.api.send({ method: 'POST', path: '/x', body: {} }, none))).toMatchObject({
      unanswered: false,
      detail: 'wire did not answer POST /x at api.acme.example: the proxy refused the connection with 403.',
      fix: 'Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY.',
    });
  });

  it('connections are reused, and closed with the client', async () => {
    const sockets = new Set<unknown>();
    const { api, client } = await wired(({ socket }) => {
      sockets.add(socket);
      socket.write(json(200, {}));
    });
    for (let i = 0; i < 20; i += 1) await api.send({ method: 'GET', path: '/x' }, { purpose: 'read' });
    expect(sockets.size).toBeLessThan(5);
    client.close();
    await expect(api.send({ method: 'GET', path: '/x' }, { purpose: 'read' })).rejects.toMatchObject({ code: 'PROVIDER_TRANSIENT' });
  });
});
