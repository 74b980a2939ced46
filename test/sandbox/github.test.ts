import { asking } from 'pilotfish-sandbox/ask';
import { github } from 'pilotfish-sandbox/github';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, describe, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';

const hooks = '/repos/acme/shop/hooks';
let simulations: ReturnType<typeof github>[] = [];
afterEach(() => {
  verifyHandled(simulations);
  expectContracts(simulations);
  simulations = [];
});

function world(token: 'full' | 'readOnly' | 'blind' = 'full') {
  const simulation = github();
  simulations.push(simulation);
  simulation.world.addRepository('acme/shop');
  const headers = { authorization: `Bearer ${simulation.tokens[token]}`, 'user-agent': 'test', 'x-github-api-version': '2022-11-28' };
  return { simulation, ask: asking(simulation, headers) };
}
const wanted = (url: string, events = ['push'], more = {}) => ({ config: { url, content_type: 'json', secret: 'whsec', ...more }, events });

describe('github webhooks', () => {
  it('a created hook shows its secret as asterisks, and keeps it', async () => {
    const { simulation, ask } = world();
    const made = await ask('POST', hooks, wanted('https://a.example/hook', ['push'], { insecure_ssl: 0 }));
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      type: 'Repository',
      name: 'web',
      active: true,
      events: ['push'],
      config: { url: 'https://a.example/hook', content_type: 'json', secret: '********', insecure_ssl: '0' },
    });
    const read = await ask('GET', `${hooks}/${String(made.at('id'))}`);
    expect(read.body).toEqual(made.body);
    expect(simulation.world.hooks('ACME/Shop')[0]?.config.secret).toBe('whsec');
  });

  it('the defaults are push, form and active', async () => {
    const { ask } = world();
    const made = await ask('POST', hooks, { config: { url: 'https://a.example' } });
    expect(made.body).toMatchObject({ events: ['push'], active: true, config: { content_type: 'form', insecure_ssl: '0' } });
    expect(made.at('config', 'secret')).toBeUndefined();
  });

  it('one address with overlapping events is refused, with other events it is not', async () => {
    const { ask } = world();
    await ask('POST', hooks, wanted('https://a.example', ['push', 'release']));
    const twice = await ask('POST', hooks, wanted('https://a.example', ['release', 'fork']));
    expect(twice.status).toBe(422);
    expect(twice.body).toMatchObject({
      message: 'Validation Failed',
      errors: [{ resource: 'Hook', code: 'custom', message: 'Hook already exists on this repository' }],
    });
    const other = await ask('POST', hooks, wanted('https://a.example', ['fork']));
    expect(other.status).toBe(201);
    expect((await ask('PATCH', `${hooks}/${String(other.at('id'))}`, { add_events: ['push'] })).status).toBe(422);
  });

  it('an update replaces the config whole, and takes events absolutely or by difference', async () => {
    const { simulation, ask } = world();
    const { id } = simulation.world.addHook('acme/shop', { url: 'https://a.example', secret: 'old', events: ['push', 'fork'] });
    const changed = await ask('PATCH', `${hooks}/${id}`, {
      config: { url: 'https://b.example' },
      add_events: ['release'],
      remove_events: ['fork'],
    });
    expect(changed.body).toMatchObject({ events: ['push', 'release'], config: { url: 'https://b.example', content_type: 'form' } });
    expect(simulation.world.hooks('acme/shop')[0]?.config).not.toHaveProperty('secret');
    expect((await ask('PATCH', `${hooks}/${id}`, { events: ['watch'], active: false })).body).toMatchObject({
      events: ['watch'],
      active: false,
    });
  });

  it('an update below /config changes only what is sent', async () => {
    const { simulation, ask } = world();
    const { id } = simulation.world.addHook('acme/shop', { url: 'https://a.example', secret: 'old' });
    const changed = await ask('PATCH', `${hooks}/${id}/config`, { url: 'https://b.example' });
    expect(changed.body).toEqual({ url: 'https://b.example', content_type: 'form', insecure_ssl: '0', secret: '********' });
    expect((await ask('GET', `${hooks}/${id}/config`)).body).toEqual(changed.body);
    expect(simulation.world.hooks('acme/shop')[0]?.config.secret).toBe('old');
  });

  it('lists come in pages of 30, at most 100, and go on by the Link header', async () => {
    const { simulation, ask } = world();
    for (let i = 0; i < 130; i += 1) simulation.world.addHook('acme/shop', { url: `https://${i}.example` });
    const first = await ask('GET', hooks);
    expect(first.body).toHaveLength(30);
    expect(first.headers.get('link')).toContain(`page=2>; rel="next"`);
    const wide = await ask('GET', `${hooks}?per_page=500`);
    expect(wide.body).toHaveLength(100);
    const second = await ask('GET', `${hooks}?per_page=100&page=2`);
    expect(second.body).toHaveLength(30);
    expect(second.headers.get('link')).not.toContain('rel="next"');
  });

  it('a deleted hook is gone, for a second delete too', async () => {
    const { simulation, ask } = world();
    const { id } = simulation.world.addHook('acme/shop', { url: 'https://a.example' });
    expect((await ask('DELETE', `${hooks}/${id}`)).status).toBe(204);
    expect((await ask('DELETE', `${hooks}/${id}`)).status).toBe(404);
    expect((await ask('GET', `${hooks}/${id}`)).body).toMatchObject({ message: 'Not Found', status: '404' });
  });

  it.each([
    [{ config: { url: 'https://a.example' }, branch: 'x' }, '"branch" is not a permitted key.'],
    [{ config: { url: 'https://a.example' }, events: 'push' }, "For 'events', the value is not array."],
  ])('a body that breaks the form is refused: %j', async (body, message) => {
    const { ask } = world();
    const made = await ask('POST', hooks, body);
    expect(made.status).toBe(422);
    expect(made.at('message')).toContain(message);
  });

  it.each([
    [{ name: 'irc', config: { url: 'https://a.example' } }],
    [{ config: {} }],
    [{ config: { url: 'not a url' } }],
    [{ config: { url: 'https://a.example', content_type: 'xml' } }],
    [{ config: { url: 'https://a.example', insecure_ssl: 'yes' } }],
  ])('a value that the provider does not take is refused: %j', async (body) => {
    const { simulation, ask } = world();
    expect((await ask('POST', hooks, body)).body).toMatchObject({ message: 'Validation Failed', errors: [{ resource: 'Hook' }] });
    expect(simulation.world.hooks('acme/shop')).toEqual([]);
  });

  it('a body that is not JSON is refused', async () => {
    const { ask } = world();
    expect((await ask('POST', hooks, '{', { 'content-type': 'application/json' })).status).toBe(400);
  });

  it('an event has room for a number of hooks', async () => {
    const { simulation, ask } = world();
    simulation.world.state.hooksPerEvent = 1;
    await ask('POST', hooks, wanted('https://a.example'));
    const full = await ask('POST', hooks, wanted('https://b.example'));
    expect(full.at('errors', 0, 'message')).toBe('The "push" event cannot have more than 1 hooks');
  });

  it('a wrong token is 401; one without permission sees a missing repository, and may not write', async () => {
    const { ask } = world();
    expect((await ask('GET', hooks, undefined, { authorization: 'Bearer nope' })).body).toMatchObject({ message: 'Bad credentials' });
    expect((await world('blind').ask('GET', hooks)).status).toBe(404);
    const reader = world('readOnly').ask;
    expect((await reader('GET', hooks)).status).toBe(200);
    expect((await reader('POST', hooks, wanted('https://a.example'))).status).toBe(403);
    expect((await reader('DELETE', `${hooks}/1`)).status).toBe(404);
  });

  it('a client that does not name itself is refused', async () => {
    const { ask } = world();
    expect((await ask('GET', hooks, undefined, { 'user-agent': '' })).status).toBe(403);
  });
});
