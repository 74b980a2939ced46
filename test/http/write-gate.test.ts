import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/core/errors.ts';
import { rest } from '../support/virtual-clock.ts';
import { failureOf, lost, ok, openGate, world } from './harness.ts';

const write = { purpose: 'write' } as const;

describe('the write gate', () => {
  it('is asked, checked and told for each attempt of a write, and never for a read', async () => {
    const { gate, log } = openGate();
    const { api, clock } = world((_, n) => (n === 1 ? lost() : ok()), { gate });
    const sending = api.send({ method: 'PUT', path: '/a', body: {} }, write);
    await clock.advance(1_000);
    await sending;
    expect(log).toEqual(['open', 'check', 'sent', 'lost', 'open', 'check', 'sent', 'answered']);
    await api.send({ method: 'POST', path: '/search', body: {} }, { purpose: 'read' });
    expect(log).toHaveLength(8);
  });

  it('lets the sender look once more before each send, repeats included', async () => {
    let left = 1;
    const { api, clock, requests } = world(() => lost(), { gate: openGate().gate });
    const told: boolean[] = [];
    const lock = {
      check: (): void => {
        left -= 1;
        if (left < 0) throw new Failure('LEASE_LOST', { detail: 'The lock ran out.' });
      },
      sent: () => (answered: boolean) => void told.push(answered),
    };
    const failing = expect(api.send({ method: 'PUT', path: '/a', body: {} }, { ...write, lock })).rejects.toMatchObject({
      code: 'LEASE_LOST',
    });
    await clock.advance(10_000);
    await failing;
    expect(requests).toHaveLength(1);
    expect(told).toEqual([false]);
  });

  it('holds a write back without holding a slot of its host', async () => {
    const opened = Promise.withResolvers<void>();
    const { gate } = openGate({ onOpen: () => opened.promise });
    const { client, requests } = world(() => ok(), { gate });
    const api = client.api({ api: 'acme', base_url: 'https://api.acme.example', auth: null, concurrency: 1 });
    const writing = api.send({ method: 'POST', path: '/w', body: {} }, write);
    await rest();
    await api.send({ method: 'GET', path: '/r' }, { purpose: 'read' });
    expect(requests.map((request) => request.method)).toEqual(['GET']);
    opened.resolve();
    await writing;
    expect(requests.map((request) => request.method)).toEqual(['GET', 'POST']);
  });

  it('keeps a write from being sent when the lease has too little left at the send', async () => {
    const leaseLost = new Failure('LEASE_LOST', { detail: 'Less than 30 s are left.' });
    const { gate, log } = openGate({
      onCheck: () => {
        throw leaseLost;
      },
    });
    const { api, client, requests } = world(() => ok(), { gate });
    await expect(api.send({ method: 'POST', path: '/a', body: {} }, write)).rejects.toBe(leaseLost);
    expect(requests).toEqual([]);
    expect(client.stats.requests).toBe(0);
    expect(log).toEqual(['open', 'check']);
  });

  it('checks in the turn of the send, after the credential was asked for', async () => {
    const order: string[] = [];
    const { gate } = openGate({ onCheck: () => order.push('check') });
    const tokens = world(
      (request) => {
        order.push(new URL(request.url).pathname);
        return request.url.endsWith('/oauth/token') ? ok({ access_token: 'token-token-1', token_type: 'Bearer', expires_in: 600 }) : ok();
      },
      { gate, env: { ID: 'client', SECRET: 'client-secret-1' } },
    );
    const auth = { oauth_client_credentials: { client_id_env: 'ID', client_secret_env: 'SECRET' } };
    await tokens.client
      .api({ api: 'idp', base_url: 'https://idp.example/api', auth })
      .send({ method: 'POST', path: '/a', body: {} }, write);
    expect(order).toEqual(['/oauth/token', 'check', '/api/a']);
  });

  it('ends the wait of a write with the run', async () => {
    const { gate } = openGate({ onOpen: () => new Promise(() => {}) });
    const waiting = {
      ...gate,
      open: (signal: AbortSignal) => new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    };
    const { api, run, requests } = world(() => ok(), { gate: waiting });
    const sending = api.send({ method: 'POST', path: '/a', body: {} }, write);
    await rest();
    run.abort(new Error('interrupted'));
    await expect(sending).rejects.toThrow('interrupted');
    expect(requests).toEqual([]);
  });

  it('learns that nothing can land of a write that a gateway answered, only when the answer was its own', async () => {
    for (const [status, told] of [
      [200, 'answered'],
      [409, 'answered'],
      [500, 'answered'],
      [502, 'lost'],
      [504, 'lost'],
    ] as const) {
      const { gate, log } = openGate();
      const { api } = world(() => ok({}, status), { gate });
      const sending = api.send({ method: 'POST', path: '/a', body: {} }, { ...write, retry: 'none' });
      await (status === 200 ? sending : failureOf(sending));
      expect(log.at(-1), `${status}`).toBe(told);
    }
  });
});
