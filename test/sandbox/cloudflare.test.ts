import { asking } from 'pilotfish-sandbox/ask';
import { cloudflare } from 'pilotfish-sandbox/cloudflare';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, describe, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';

const zone = '0123456789abcdef0123456789abcdef';
const records = `/client/v4/zones/${zone}/dns_records`;
let simulations: ReturnType<typeof cloudflare>[] = [];
afterEach(() => {
  verifyHandled(simulations);
  expectContracts(simulations);
  simulations = [];
});

function world(token: 'full' | 'readOnly' | 'blind' = 'full') {
  const simulation = cloudflare();
  simulations.push(simulation);
  simulation.world.addZone('acme.example', zone);
  return { simulation, ask: asking(simulation, { authorization: `Bearer ${simulation.tokens[token]}` }) };
}
const cname = (name: string, content = 'shop.host.example', more = {}) => ({ type: 'CNAME', name, content, ttl: 1, ...more });

describe('cloudflare DNS records', () => {
  it('a record comes back fully qualified, in lower case, in the envelope', async () => {
    const { ask } = world();
    const made = await ask('POST', records, cname('PR-7', 'Shop.Host.example.', { proxied: true, comment: 'preview' }));
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({
      success: true,
      errors: [],
      messages: [],
      result: {
        type: 'CNAME',
        name: 'pr-7.acme.example',
        content: 'shop.host.example',
        ttl: 1,
        proxied: true,
        proxiable: true,
        comment: 'preview',
      },
    });
    expect((await ask('GET', `${records}/${String(made.at('result', 'id'))}`)).body).toEqual(made.body);
    expect((await ask('POST', records, cname('@'))).at('result', 'name')).toBe('acme.example');
  });

  it.each(['A', 'AAAA', 'CNAME'])('a host that has a record of type %s takes no CNAME: 400 with code 81053', async (type) => {
    const { simulation, ask } = world();
    simulation.world.addRecord(zone, { type, name: 'pr-7.acme.example', content: '192.0.2.1' });
    const made = await ask('POST', records, cname('pr-7.acme.example'));
    expect([made.status, made.at('errors', 0, 'code'), made.at('success'), made.at('result')]).toEqual([400, 81053, false, null]);
  });

  it('a text record beside it is no clash', async () => {
    const { simulation, ask } = world();
    simulation.world.addRecord(zone, { type: 'TXT', name: 'pr-7.acme.example', content: 'hello' });
    expect((await ask('POST', records, cname('pr-7.acme.example'))).status).toBe(200);
  });

  it('a list is filtered by exact name and type, and goes on by page number', async () => {
    const { simulation, ask } = world();
    for (let i = 1; i <= 120; i += 1)
      simulation.world.addRecord(zone, { type: 'CNAME', name: `pr-${i}.acme.example`, content: 'a.example' });
    simulation.world.addRecord(zone, { type: 'TXT', name: 'pr-1.acme.example', content: 'x' });
    const first = await ask('GET', records);
    expect(first.at('result')).toHaveLength(100);
    expect(first.at('result_info')).toEqual({ page: 1, per_page: 100, count: 100, total_count: 121, total_pages: 2 });
    expect((await ask('GET', `${records}?page=2`)).at('result')).toHaveLength(21);
    const exact = await ask('GET', `${records}?name.exact=PR-1.acme.example&type=CNAME`);
    expect(exact.at('result')).toHaveLength(1);
    expect((await ask('GET', `${records}?name.exact=pr-1.acme.example`)).at('result')).toHaveLength(2);
    expect((await ask('GET', `${records}?name.startswith=pr-12.&type=TXT&match=any`)).at('result')).toHaveLength(2);
    expect((await ask('GET', `${records}?name.exact=none.acme.example`)).at('result')).toEqual([]);
    expect((await ask('GET', `${records}?per_page=0`)).status).toBe(400);
  });

  it('a partial update changes what is sent, an overwrite the whole record', async () => {
    const { ask } = world();
    const made = await ask('POST', records, cname('pr-7', 'a.example', { proxied: true, comment: 'preview' }));
    const path = `${records}/${String(made.at('result', 'id'))}`;
    const part = await ask('PATCH', path, { content: 'b.example' });
    expect(part.at('result')).toMatchObject({ name: 'pr-7.acme.example', content: 'b.example', proxied: true, comment: 'preview' });
    const whole = await ask('PUT', path, cname('pr-8', 'c.example', { ttl: 300 }));
    expect(whole.at('result')).toMatchObject({ name: 'pr-8.acme.example', content: 'c.example', proxied: false, ttl: 300 });
    expect(whole.at('result', 'comment')).toBeUndefined();
  });

  it('an update may not move a record onto another one', async () => {
    const { simulation, ask } = world();
    simulation.world.addRecord(zone, { type: 'A', name: 'a.acme.example', content: '192.0.2.1' });
    const { id } = simulation.world.addRecord(zone, { type: 'CNAME', name: 'b.acme.example', content: 'x.example' });
    expect((await ask('PATCH', `${records}/${id}`, { name: 'a.acme.example' })).at('errors', 0, 'code')).toBe(81053);
    expect((await ask('PATCH', `${records}/${id}`, { name: 'b.acme.example' })).status).toBe(200);
  });

  it('a deleted record is gone, for a second delete too', async () => {
    const { simulation, ask } = world();
    const { id } = simulation.world.addRecord(zone, { type: 'CNAME', name: 'b.acme.example', content: 'x.example' });
    expect((await ask('DELETE', `${records}/${id}`)).at('result')).toEqual({ id });
    const again = await ask('DELETE', `${records}/${id}`);
    expect([again.status, again.at('errors', 0)]).toEqual([404, { code: 81044, message: 'Record does not exist.' }]);
    expect((await ask('GET', `${records}/${id}`)).status).toBe(404);
    expect((await ask('PATCH', `${records}/${id}`, { ttl: 300 })).status).toBe(404);
  });

  it.each([
    ['no ttl', { type: 'CNAME', name: 'a', content: 'b.example' }],
    ['a ttl that is too short', cname('a', 'b.example', { ttl: 30 })],
    ['a ttl that is text', cname('a', 'b.example', { ttl: '1' })],
    ['a name that is none', cname('a b')],
    ['a content that is no host name', cname('a', 'https://b.example/')],
    ['a content that is its own name', cname('a', 'a.acme.example')],
    ['a proxied that is text', cname('a', 'b.example', { proxied: 'yes' })],
    ['nothing but text', 'hello'],
  ])('a body with %s is 400 and makes nothing', async (_, body) => {
    const { simulation, ask } = world();
    const made = await ask('POST', records, body);
    expect([made.status, made.at('success')]).toEqual([400, false]);
    expect(simulation.world.records(zone)).toEqual([]);
  });

  it('a zone has room for a number of records', async () => {
    const { simulation, ask } = world();
    simulation.world.state.recordLimit = 1;
    await ask('POST', records, cname('a'));
    expect((await ask('POST', records, cname('b'))).at('errors', 0, 'code')).toBe(81045);
  });

  it('credentials: none is 400, a wrong one and an unseen zone are 403, a reading one may not write', async () => {
    const { ask } = world();
    expect((await ask('GET', records, undefined, { authorization: '' })).status).toBe(400);
    expect((await ask('GET', records, undefined, { authorization: 'Bearer no' })).at('errors', 0, 'code')).toBe(9109);
    expect((await world('blind').ask('GET', records)).status).toBe(403);
    const reader = world('readOnly').ask;
    expect((await reader('GET', records)).status).toBe(200);
    expect((await reader('POST', records, cname('a'))).at('errors', 0, 'code')).toBe(10000);
  });

  it('an id that cannot be a zone is 404', async () => {
    expect((await world().ask('GET', '/client/v4/zones/acme/dns_records')).at('errors', 0, 'code')).toBe(7003);
  });
});
