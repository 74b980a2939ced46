import { asking } from 'pilotfish-sandbox/ask';
import { type Auth0Options, type Auth0World, auth0 } from 'pilotfish-sandbox/auth0/index';
import { type Simulation, type Tokens, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, describe, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';

let simulations: Simulation<Auth0World>[] = [];
afterEach(() => {
  verifyHandled(simulations);
  expectContracts(simulations);
  simulations = [];
});

const path = '/api/v2/clients/shop';

/** A tenant with one application, and somebody who asks with a fresh token. */
async function world(options: Auth0Options = {}, tier: keyof Tokens = 'full') {
  const simulation = auth0(options);
  simulations.push(simulation);
  simulation.world.addClient('shop', { name: 'Shop' });
  const token = await tokenOf(simulation, tier);
  return { simulation, ask: asking(simulation, { authorization: `Bearer ${token}` }) };
}

const credentials = (simulation: Simulation<Auth0World>, tier: keyof Tokens = 'full') => ({
  grant_type: 'client_credentials',
  client_id: simulation.world.machineClients[tier],
  client_secret: simulation.tokens[tier],
  audience: `${simulation.origin}/api/v2/`,
});

const askToken = (simulation: Simulation<Auth0World>, fields: Record<string, string>) =>
  asking(simulation, {})('POST', '/oauth/token', new URLSearchParams(fields));

const tokenOf = async (simulation: Simulation<Auth0World>, tier: keyof Tokens) =>
  String((await askToken(simulation, credentials(simulation, tier))).at('access_token'));

describe('auth0 tokens', () => {
  it('are handed out for a secret and the audience, and counted', async () => {
    const { simulation } = await world();
    const answer = await askToken(simulation, credentials(simulation));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 86_400, scope: 'read:clients update:clients' });
    expect(simulation.world.tokensIssued()).toBe(2);
    expect(simulation.writes()).toEqual([]);
  });

  it.each([
    ['a wrong secret', { client_secret: 'nonsense' }, 401, 'access_denied'],
    ['an unknown client', { client_id: 'nobody' }, 401, 'access_denied'],
    ['no audience', { audience: '' }, 400, 'invalid_request'],
    ['an audience without its last slash', { audience: 'https://acme.eu.auth0.com/api/v2' }, 403, 'access_denied'],
  ])('are refused for %s', async (_, change, status, error) => {
    const { simulation } = await world();
    const answer = await askToken(simulation, { ...credentials(simulation), ...change });
    expect([answer.status, answer.at('error')]).toEqual([status, error]);
    expect(simulation.world.tokensIssued()).toBe(1);
  });

  it('are refused for another grant and for a JSON body', async () => {
    const { simulation } = await world();
    const other = await askToken(simulation, { ...credentials(simulation), grant_type: 'password' });
    expect([other.status, other.at('error')]).toEqual([400, 'unsupported_grant_type']);
    expect((await asking(simulation, {})('POST', '/oauth/token', credentials(simulation))).status).toBe(400);
  });

  it('end with their time, and when they are revoked', async () => {
    let now = 0;
    const { simulation, ask } = await world({ ahead: 0, clock: { now: () => now, mono: () => now, sleep: async () => {} } });
    expect((await ask('GET', path)).status).toBe(200);
    now = 86_400_000;
    const late = await ask('GET', path);
    expect([late.status, late.at('message')]).toEqual([401, 'Expired token received for JSON Web Token validation']);
    now = 0;
    simulation.world.revokeTokens();
    const revoked = await ask('GET', path);
    expect([revoked.status, revoked.at('message')]).toEqual([401, 'Invalid token']);
  });
});

describe('auth0 applications', () => {
  it('leave out what was never set', async () => {
    const { ask } = await world();
    const read = await ask('GET', path);
    expect(read.body).toEqual({ client_id: 'shop', name: 'Shop', tenant: 'acme', global: false, app_type: 'regular_web' });
    expect((await ask('GET', `${path}?fields=callbacks,web_origins&include_fields=true`)).body).toEqual({});
  });

  it('answer the named fields, or all but those', async () => {
    const { ask } = await world();
    expect((await ask('GET', `${path}?fields=name,callbacks`)).body).toEqual({ name: 'Shop' });
    expect((await ask('GET', `${path}?fields=name,tenant,global&include_fields=false`)).body).toEqual({
      client_id: 'shop',
      app_type: 'regular_web',
    });
    expect((await ask('GET', `${path}?include_fields=maybe`)).status).toBe(400);
    expect((await ask('GET', `${path}?page=1`)).status).toBe(400);
  });

  it('take an update that leaves everything else, and replaces a list whole', async () => {
    const { simulation, ask } = await world();
    await ask('PATCH', path, { callbacks: ['https://a.example/cb', 'https://b.example/cb'], web_origins: ['https://a.example'] });
    const changed = await ask('PATCH', path, { callbacks: ['https://c.example/cb'] });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      client_id: 'shop',
      name: 'Shop',
      callbacks: ['https://c.example/cb'],
      web_origins: ['https://a.example'],
    });
    expect(simulation.world.client('shop').callbacks).toEqual(['https://c.example/cb']);
    expect((await ask('PATCH', path, { callbacks: [] })).at('callbacks')).toEqual([]);
  });

  it.each([
    ['an unknown property', { callback_urls: [] }],
    ['its own id', { client_id: 'other' }],
    ['a list that is text', { callbacks: 'https://a.example' }],
    ['an address without scheme', { callbacks: ['a.example/cb'] }],
    ['a name with a bracket', { name: '<shop>' }],
    ['a body that is a list', []],
  ])('refuse %s', async (_, body) => {
    const { simulation, ask } = await world();
    const before = simulation.dump();
    const answer = await ask('PATCH', path, body);
    expect([answer.status, answer.at('errorCode')]).toEqual([400, 'invalid_body']);
    expect(simulation.dump()).toEqual(before);
  });

  it('take addresses with wildcards and with schemes of their own', async () => {
    const { ask } = await world();
    expect((await ask('PATCH', path, { callbacks: ['https://*.preview.example/cb', 'shop.app://callback'] })).status).toBe(200);
  });

  it('are 404 when absent', async () => {
    const { ask } = await world();
    for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }]] as const) {
      const answer = await ask(method, '/api/v2/clients/none', body);
      expect([answer.status, answer.at('errorCode')]).toEqual([404, 'inexistent_client']);
    }
  });

  it('show their secret only to a token that may read keys', async () => {
    const { simulation, ask } = await world();
    simulation.world.client('shop').client_secret = 'planted';
    expect((await ask('GET', path)).at('client_secret')).toBeUndefined();
    simulation.world.state.scopes.full = ['read:clients', 'read:client_keys'];
    expect((await ask('GET', path)).at('client_secret')).toBe('planted');
  });
});

describe('auth0 limits', () => {
  it('a scope that is missing is 403', async () => {
    const reader = await world({}, 'readOnly');
    expect((await reader.ask('GET', path)).status).toBe(200);
    const write = await reader.ask('PATCH', path, { name: 'x' });
    expect([write.status, write.at('errorCode')]).toEqual([403, 'insufficient_scope']);
    const blind = await world({}, 'blind');
    expect((await blind.ask('GET', path)).status).toBe(403);
  });

  it('a missing or unknown token is 401', async () => {
    const { simulation } = await world();
    expect((await asking(simulation, {})('GET', path)).at('message')).toBe('Missing authentication');
    expect((await asking(simulation, { authorization: 'Bearer nonsense' })('GET', path)).at('message')).toBe('Invalid token');
  });

  it('too many requests in one second are 429 with the limit in headers', async () => {
    let now = 10_000;
    const { simulation, ask } = await world({ ahead: 0, clock: { now: () => now, mono: () => now, sleep: async () => {} } });
    simulation.world.state.rateLimit = 1;
    const first = await ask('GET', path);
    expect([first.status, first.headers.get('x-ratelimit-remaining')]).toEqual([200, '0']);
    const second = await ask('GET', path);
    expect([second.status, second.headers.get('x-ratelimit-limit'), second.headers.get('x-ratelimit-reset')]).toEqual([429, '1', '11']);
    now = 11_000;
    expect((await ask('GET', path)).status).toBe(200);
  });
});
