import { asking } from 'pilotfish-sandbox/ask';
import { type Simulation, type SimulationOptions, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { type StripeWorld, stripe } from 'pilotfish-sandbox/stripe/index';
import { afterEach, describe, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';

const path = '/v1/webhook_endpoints';
let simulations: Simulation<StripeWorld>[] = [];
afterEach(() => {
  verifyHandled(simulations);
  expectContracts(simulations);
  simulations = [];
});

function world(options: SimulationOptions = {}) {
  const simulation = stripe(options);
  simulations.push(simulation);
  return {
    simulation,
    ask: asking(simulation, { authorization: `Bearer ${simulation.tokens.full}`, 'stripe-version': '2026-07-29.dahlia' }),
  };
}

const form = (...fields: [string, string][]) => new URLSearchParams(fields);
const wanted = (url = 'https://pr-1.example/hook') =>
  form(['url', url], ['enabled_events[]', 'charge.succeeded'], ['enabled_events[]', 'charge.failed'], ['metadata[scope]', 'pr-1']);

describe('stripe webhook endpoints', () => {
  it('a create answers 200 with the secret, which no read shows again', async () => {
    const { ask } = world();
    const made = await ask('POST', path, wanted());
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({
      object: 'webhook_endpoint',
      url: 'https://pr-1.example/hook',
      enabled_events: ['charge.succeeded', 'charge.failed'],
      metadata: { scope: 'pr-1' },
      livemode: false,
      status: 'enabled',
    });
    expect(made.at('secret')).toMatch(/^whsec_\w{32}$/);
    expect(made.headers.get('stripe-version')).toBe('2026-07-29.dahlia');
    const read = await ask('GET', `${path}/${String(made.at('id'))}`);
    const list = await ask('GET', path);
    const { secret: _, ...rest } = made.body as Record<string, unknown>;
    expect(read.body).toEqual(rest);
    expect(list.body).toEqual({ object: 'list', data: [rest], has_more: false, url: path });
  });

  it('a repeated create makes a second endpoint of the same address', async () => {
    const { simulation, ask } = world();
    await ask('POST', path, wanted());
    await ask('POST', path, wanted());
    expect(simulation.world.endpoints()).toHaveLength(2);
  });

  it('lists may also be written with an index', async () => {
    const { ask } = world();
    const made = await ask(
      'POST',
      path,
      form(['url', 'https://a.example'], ['enabled_events[0]', 'charge.succeeded'], ['enabled_events[1]', 'charge.failed']),
    );
    expect(made.at('enabled_events')).toEqual(['charge.succeeded', 'charge.failed']);
  });

  it('an update changes what was sent, merges metadata and removes a key sent empty', async () => {
    const { simulation, ask } = world();
    const { id } = simulation.world.addEndpoint('https://a.example', { metadata: { keep: '1', drop: '2' }, description: 'old' });
    const changed = await ask(
      'POST',
      `${path}/${id}`,
      form(['metadata[drop]', ''], ['metadata[new]', '3'], ['description', ''], ['disabled', 'true']),
    );
    expect(changed.body).toMatchObject({
      url: 'https://a.example',
      metadata: { keep: '1', new: '3' },
      description: null,
      status: 'disabled',
    });
    const cleared = await ask('POST', `${path}/${id}`, form(['metadata', ''], ['disabled', 'false']));
    expect(cleared.body).toMatchObject({ metadata: {}, status: 'enabled' });
  });

  it('a delete answers deleted, and then the endpoint is missing', async () => {
    const { simulation, ask } = world();
    const { id } = simulation.world.addEndpoint('https://a.example');
    expect((await ask('DELETE', `${path}/${id}`)).body).toEqual({ id, object: 'webhook_endpoint', deleted: true });
    for (const [method, body] of [['GET'], ['DELETE'], ['POST', form(['url', 'https://b.example'])]] as const) {
      const answer = await ask(method, `${path}/${id}`, body);
      expect([answer.status, answer.at('error', 'code')]).toEqual([404, 'resource_missing']);
    }
  });

  it('pages go from the newest to the oldest by the last id', async () => {
    const { simulation, ask } = world();
    const made = ['a', 'b', 'c'].map((name) => simulation.world.addEndpoint(`https://${name}.example`).id);
    const first = await ask('GET', `${path}?limit=2`);
    expect([first.at('data', 0, 'id'), first.at('data', 1, 'id'), first.at('has_more')]).toEqual([made[2], made[1], true]);
    const second = await ask('GET', `${path}?limit=2&starting_after=${made[1]}`);
    expect([second.at('data', 0, 'id'), second.at('has_more')]).toEqual([made[0], false]);
    const back = await ask('GET', `${path}?limit=1&ending_before=${made[0]}`);
    expect([back.at('data', 0, 'id'), back.at('has_more')]).toEqual([made[1], true]);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'starting_after=we_none', 'page=2'])('a list with %s is refused', async (query) => {
    const { ask } = world();
    const answer = await ask('GET', `${path}?${query}`);
    expect([answer.status, answer.at('error', 'type')]).toEqual([400, 'invalid_request_error']);
  });

  it.each([
    ['an unknown field', form(['url', 'https://a.example'], ['enabled_events[]', '*'], ['name', 'x']), 'parameter_unknown'],
    [
      'a create-only field misspelled',
      form(['url', 'https://a.example'], ['enabled_events[]', '*'], ['disabled', 'true']),
      'parameter_unknown',
    ],
    ['no url', form(['enabled_events[]', '*']), 'parameter_missing'],
    ['no events', form(['url', 'https://a.example']), 'parameter_missing'],
    ['an address without scheme', form(['url', 'a.example'], ['enabled_events[]', '*']), 'url_invalid'],
    ['events that are no list', form(['url', 'https://a.example'], ['enabled_events', '*']), undefined],
    ['an event that is none', form(['url', 'https://a.example'], ['enabled_events[]', 'everything']), undefined],
    ['metadata that is text', form(['url', 'https://a.example'], ['enabled_events[]', '*'], ['metadata', 'x']), undefined],
    ['a field given twice', form(['url', 'https://a.example'], ['url', 'https://b.example'], ['enabled_events[]', '*']), undefined],
  ])('a create with %s is refused', async (_, body, code) => {
    const { simulation, ask } = world();
    const answer = await ask('POST', path, body);
    expect([answer.status, answer.at('error', 'code')]).toEqual([400, code]);
    expect(simulation.world.endpoints()).toEqual([]);
  });

  it('a JSON body is refused', async () => {
    const { ask } = world();
    const answer = await ask('POST', path, { url: 'https://a.example', enabled_events: ['*'] });
    expect([answer.status, answer.at('error', 'message')]).toEqual([400, expect.stringContaining('application/x-www-form-urlencoded')]);
  });

  it('api_version and connect cannot be changed', async () => {
    const { simulation, ask } = world();
    const { id } = simulation.world.addEndpoint('https://a.example');
    expect((await ask('POST', `${path}/${id}`, form(['api_version', '2026-07-29.dahlia']))).at('error', 'param')).toBe('api_version');
  });

  it('an account has at most 16 endpoints', async () => {
    const { simulation, ask } = world();
    for (let i = 0; i < 16; i += 1) simulation.world.addEndpoint(`https://${i}.example`);
    const answer = await ask('POST', path, wanted());
    expect([answer.status, answer.at('error', 'message')]).toEqual([400, expect.stringContaining('maximum of 16 test webhook endpoints')]);
  });
});

describe('stripe idempotency keys', () => {
  it('the same request under one key gets the first answer, secret included', async () => {
    const { simulation, ask } = world();
    const first = await ask('POST', path, wanted(), { 'idempotency-key': 'k1' });
    const again = await ask('POST', path, wanted(), { 'idempotency-key': 'k1' });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(simulation.world.endpoints()).toHaveLength(1);
  });

  it('another body under one key is refused', async () => {
    const { simulation, ask } = world();
    await ask('POST', path, wanted(), { 'idempotency-key': 'k1' });
    const other = await ask('POST', path, wanted('https://other.example'), { 'idempotency-key': 'k1' });
    expect([other.status, other.at('error', 'type')]).toEqual([400, 'idempotency_error']);
    expect(simulation.world.endpoints()).toHaveLength(1);
  });

  it('a refused request leaves its key free, and a day forgets it', async () => {
    let now = 0;
    const { simulation, ask } = world({ clock: { now: () => now, mono: () => now, sleep: async () => {} } });
    await ask('POST', path, form(['url', 'https://a.example']), { 'idempotency-key': 'k1' });
    expect((await ask('POST', path, wanted(), { 'idempotency-key': 'k1' })).status).toBe(200);
    now = 86_400_000;
    await ask('POST', path, wanted(), { 'idempotency-key': 'k1' });
    expect(simulation.world.endpoints()).toHaveLength(2);
  });
});

describe('stripe credentials', () => {
  it('a missing or wrong key is 401, a restricted one 403 for writes, another account sees nothing', async () => {
    const { simulation } = world();
    const { id } = simulation.world.addEndpoint('https://a.example');
    const as = (key: string) => asking(simulation, { authorization: `Bearer ${key}` });
    expect((await asking(simulation, {})('GET', path)).status).toBe(401);
    expect((await as('sk_test_nonsense')('GET', path)).status).toBe(401);
    expect((await as(simulation.tokens.readOnly)('GET', path)).status).toBe(200);
    expect((await as(simulation.tokens.readOnly)('POST', path, wanted())).status).toBe(403);
    expect((await as(simulation.tokens.blind)('GET', path)).at('data')).toEqual([]);
    expect((await as(simulation.tokens.blind)('GET', `${path}/${id}`)).status).toBe(404);
  });

  it('a key may also come as basic user', async () => {
    const { simulation } = world();
    const basic = Buffer.from(`${simulation.tokens.full}:`).toString('base64');
    expect((await asking(simulation, { authorization: `Basic ${basic}` })('GET', path)).status).toBe(200);
  });

  it('a live key makes live endpoints, sees no test ones, and needs https', async () => {
    const { simulation, ask } = world({ tokens: { full: 'sk_live_full0123456789abcdef' } });
    simulation.world.addEndpoint('https://test.example', { livemode: false });
    expect((await ask('POST', path, wanted('http://a.example'))).at('error', 'code')).toBe('url_invalid');
    const made = await ask('POST', path, wanted());
    expect(made.at('livemode')).toBe(true);
    expect((await ask('GET', path)).at('data')).toHaveLength(1);
  });

  it('a version that is none is refused, and nothing happens', async () => {
    const { simulation, ask } = world();
    expect((await ask('POST', path, wanted(), { 'stripe-version': 'newest' })).status).toBe(400);
    expect(simulation.world.endpoints()).toEqual([]);
  });
});
