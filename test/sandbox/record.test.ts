import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alike } from 'pilotfish-sandbox/kit/alike';
import { record } from 'pilotfish-sandbox/kit/record';
import type { Exchange } from 'pilotfish-sandbox/kit/types';
import { stripe } from 'pilotfish-sandbox/stripe/index';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';

const exchange: Exchange = {
  provider: 'notes',
  origin: 'https://api.notes.example',
  method: 'POST',
  path: '/v1/notes/n-123',
  query: { page: '2' },
  headers: { 'content-type': 'application/json' },
  credentials: ['authorization bearer'],
  contentType: 'application/json',
  body: { text: 'hello', size: 3 },
  status: 201,
  answer: { headers: {}, contentType: 'application/json', body: { id: 'n-124', at: '2026-03-01T04:00:00Z' } },
  injected: false,
};

describe('exchanges that a description judges alike', () => {
  const differs = (change: Partial<Exchange>): boolean => alike({ ...exchange, ...change }) !== alike(exchange);

  it('ids, times, digits and the way of the bytes make no difference', () => {
    expect(differs({ path: '/v1/notes/n-999', headers: { ...exchange.headers, 'content-length': '90' } })).toBe(false);
    expect(differs({ body: { size: 4, text: 'hello' } })).toBe(false);
    expect(differs({ answer: { ...exchange.answer, body: { id: 'n-777', at: '2027-12-31T23:59:59Z' } } })).toBe(false);
  });

  it.each<[string, Partial<Exchange>]>([
    ['a word', { body: { text: 'Hello', size: 3 } }],
    ['a member', { body: { text: 'hello', size: 3, colour: 'red' } }],
    ['a type', { body: { text: 'hello', size: '3' } }],
    ['the length of an id', { path: '/v1/notes/n-1234' }],
    ['a query parameter', { query: { page: '2', limit: '5' } }],
    ['a header', { headers: { ...exchange.headers, 'x-version': '1' } }],
    ['the credential', { credentials: [] }],
    ['the status', { status: 200 }],
    ['an answer', { answer: { ...exchange.answer, body: { id: 'n-124', at: null } } }],
    ['an empty list', { body: [] }],
  ])('%s makes one', (_, change) => {
    expect(differs(change)).toBe(true);
  });

  it('a long list of equal entries is one kind, another entry makes another', () => {
    const list = (length: number) => Array.from({ length }, (_, index) => ({ id: 100 + index }));
    expect(alike({ ...exchange, body: list(40) })).toBe(alike({ ...exchange, body: list(41) }));
    expect(alike({ ...exchange, body: [...list(40), { id: 'x' }] })).not.toBe(alike({ ...exchange, body: list(41) }));
  });
});

describe('recording', () => {
  const recordedIn = (folder: string): readonly unknown[] =>
    readdirSync(folder).flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    );

  it('writes one line for equal exchanges, with the place where the first was seen', async () => {
    const folder = await tempFolder('recorded');
    const env = { PILOTFISH_CONTRACTS_RECORD: folder, PILOTFISH_CONTRACTS_PLACE: 'test/notes.test.ts > keeps a note' };
    record(exchange, env);
    record({ ...exchange, path: '/v1/notes/n-555' }, env);
    record({ ...exchange, status: 409 }, env);
    expect(recordedIn(folder)).toEqual([
      { ...exchange, place: env.PILOTFISH_CONTRACTS_PLACE },
      { ...exchange, status: 409, place: env.PILOTFISH_CONTRACTS_PLACE },
    ]);
  });

  it('nothing is written without a folder', async () => {
    expect(() => record(exchange, {})).not.toThrow();
    expect(() => record(exchange, { PILOTFISH_CONTRACTS_RECORD: '' })).not.toThrow();
  });

  it('whatever is sent to a simulation is there: answered, lost, and without a route', async () => {
    const folder = await tempFolder('recorded');
    const before = process.env.PILOTFISH_CONTRACTS_RECORD;
    process.env.PILOTFISH_CONTRACTS_RECORD = folder;
    onTestFinished(() => {
      if (before === undefined) delete process.env.PILOTFISH_CONTRACTS_RECORD;
      else process.env.PILOTFISH_CONTRACTS_RECORD = before;
    });
    const simulation = stripe();
    const ask = (path: string) =>
      simulation.handle(new Request(`https://api.stripe.com${path}`, { headers: { authorization: `Bearer ${simulation.tokens.full}` } }));
    await ask('/v1/webhook_endpoints');
    simulation.faults.loseRequest('GET /v1/webhook_endpoints');
    await expect(ask('/v1/webhook_endpoints')).rejects.toThrow();
    await ask('/v1/nowhere');
    expect(recordedIn(folder)).toMatchObject([
      { provider: 'stripe', path: '/v1/webhook_endpoints', status: 200, injected: false, credentials: ['authorization bearer'] },
      { path: '/v1/webhook_endpoints', status: 0, injected: true },
      { path: '/v1/nowhere', status: 0, injected: true },
    ]);
    expect(JSON.stringify(recordedIn(folder))).not.toContain(simulation.tokens.full);
  });
});
