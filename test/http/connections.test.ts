import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { Redactor } from '../../src/core/redact.ts';
import { createClient } from '../../src/http/client.ts';
import { Connections } from '../../src/http/connections.ts';
import { json, WireServer } from '../support/wire-server.ts';
import { failureOf } from './harness.ts';

const read = { method: 'GET', path: '/x' } as const;

async function wired() {
  const server = await WireServer.listen(({ socket, number }) => void socket.write(json(200, { number })));
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, ...clientFor(server.url) };
}

function clientFor(url: string, env: NodeJS.ProcessEnv = {}) {
  const later = { ms: 0 };
  const clock = { ...systemClock, mono: () => systemClock.mono() + later.ms };
  const client = createClient({ env, redactor: new Redactor(), signal: new AbortController().signal, clock });
  onTestFinished(() => client.close());
  const api = client.api({ api: 'wire', base_url: url, auth: null });
  const passes = (ms: number): void => {
    later.ms += ms;
  };
  return { client, api, passes };
}

describe('a connection', () => {
  it('goes from request to request: no more are opened than may be under way', async () => {
    const { server, api } = await wired();
    await Promise.all([...Array(200).keys()].map((n) => api.send({ method: 'GET', path: `/${n}` }, { purpose: 'read' })));
    expect([server.accepted, server.calls.length]).toEqual([16, 200]);
  });
});

describe('a connection that is opened ahead', () => {
  it('is taken by the first request, and opened once however often it is expected', async () => {
    const { server, client, api } = await wired();
    client.expect({ base_url: `${server.url}/v1` }, 1);
    client.expect({ base_url: server.url }, 1);
    await vi.waitFor(() => expect(server.accepted).toBe(1));
    expect(server.calls).toEqual([]);
    await api.send(read, { purpose: 'read' });
    await api.send(read, { purpose: 'read' });
    expect([server.accepted, server.calls.length]).toEqual([1, 2]);
  });

  it('is one of those that requests side by side need', async () => {
    const { server, client, api } = await wired();
    client.expect({ base_url: server.url }, 1);
    await Promise.all([1, 2, 3].map((n) => api.send({ method: 'GET', path: `/${n}` }, { purpose: 'read' })));
    expect(server.accepted).toBe(3);
  });

  it('stands beside others for as many requests as are expected, and no more than may be under way', async () => {
    const { server, client, api } = await wired();
    client.expect({ base_url: server.url }, 3);
    await vi.waitFor(() => expect(server.accepted).toBe(3));
    await api.send(read, { purpose: 'read' });
    client.expect({ base_url: server.url }, 2);
    client.expect({ base_url: server.url }, 200);
    await vi.waitFor(() => expect(server.accepted).toBe(16));
    await Promise.all([...Array(16).keys()].map((n) => api.send({ method: 'GET', path: `/${n}` }, { purpose: 'read' })));
    await pause(20);
    expect([server.accepted, server.calls.length]).toEqual([16, 17]);
  });

  it('is none of more than the block of its API allows at once', async () => {
    const { server, client } = await wired();
    client.expect({ base_url: server.url, concurrency: 2 }, 200);
    await vi.waitFor(() => expect(server.accepted).toBe(2));
    await pause(20);
    expect(server.accepted).toBe(2);
  });

  it('takes the place of one that has ended', async () => {
    const { server, client, api } = await wired();
    client.expect({ base_url: server.url }, 1);
    await vi.waitFor(() => expect(server.open).toBe(1));
    server.hangUp();
    await vi.waitFor(() => expect(server.open).toBe(0));
    await pause(20);
    client.expect({ base_url: server.url }, 1);
    await vi.waitFor(() => expect(server.accepted).toBe(2));
    await api.send(read, { purpose: 'read' });
    expect(server.accepted).toBe(2);
  });

  it('that the server ended meanwhile is not taken: a write goes out over a new one, once', async () => {
    const { server, client, api } = await wired();
    client.expect({ base_url: server.url }, 1);
    await vi.waitFor(() => expect(server.open).toBe(1));
    server.hangUp();
    await vi.waitFor(() => expect(server.open).toBe(0));
    const answer = await api.send({ method: 'POST', path: '/x', body: {} }, { purpose: 'write', retry: 'none' });
    expect([answer.status, server.accepted, server.calls.length]).toEqual([200, 2, 1]);
  });

  it('is not taken when it stood idle for long', async () => {
    const { server, client, api, passes } = await wired();
    client.expect({ base_url: server.url }, 1);
    await vi.waitFor(() => expect(server.open).toBe(1));
    passes(4_001);
    await api.send(read, { purpose: 'read' });
    expect(server.accepted).toBe(2);
    await vi.waitFor(() => expect(server.open).toBe(1));
  });

  it('is ended with the run when no request took it', async () => {
    const { server, client } = await wired();
    client.expect({ base_url: server.url }, 1);
    await vi.waitFor(() => expect(server.open).toBe(1));
    client.close();
    await vi.waitFor(() => expect(server.open).toBe(0));
  });

  it('that cannot be had is the failure of the request, told as without it', async () => {
    const gone = await WireServer.listen(() => undefined);
    const { url } = gone;
    await gone[Symbol.asyncDispose]();
    const { client, api } = clientFor(url);
    client.expect({ base_url: url }, 1);
    await pause(20);
    const failure = await failureOf(api.send({ method: 'POST', path: '/x', body: {} }, { purpose: 'write', retry: 'none' }));
    expect(failure).toMatchObject({ unanswered: false, detail: expect.stringContaining('the connection was refused') });
  });

  it.each(['', 'nowhere', 'ftp://127.0.0.1', 'http://127.0.0.1:25'])('is not opened for %j', (base_url) => {
    const opened = vi.spyOn(Connections.prototype, 'openAhead').mockReturnValue();
    const { client } = clientFor('http://127.0.0.1:1');
    client.expect({ base_url }, 1);
    expect(opened).not.toHaveBeenCalled();
    client.expect({ base_url: 'http://127.0.0.1:1025' }, 1);
    expect(opened).toHaveBeenCalledTimes(1);
  });

  it('is left to the proxy where one is named', async () => {
    const server = await WireServer.listen(() => undefined);
    onTestFinished(() => server[Symbol.asyncDispose]());
    const { client } = clientFor(server.url, { http_proxy: 'http://127.0.0.1:1' });
    client.expect({ base_url: server.url }, 1);
    await pause(20);
    expect(server.accepted).toBe(0);
  });
});
