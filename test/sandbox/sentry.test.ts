import { asking } from 'pilotfish-sandbox/ask';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { sentry } from 'pilotfish-sandbox/sentry';
import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { expectContracts } from '../contracts/expect.ts';

const releases = '/api/0/organizations/acme/releases/';
let simulations: ReturnType<typeof sentry>[] = [];
afterEach(() => {
  verifyHandled(simulations);
  expectContracts(simulations);
  simulations = [];
});

function world(token: 'full' | 'readOnly' | 'blind' = 'full') {
  let time = Date.parse('2026-03-01T04:00:00Z');
  const clock: Clock = { now: () => time, mono: () => time, sleep: async () => {} };
  const simulation = sentry({ ahead: 0, clock });
  simulations.push(simulation);
  simulation.world.addOrganization('acme', ['shop', 'admin']);
  const pass = (ms: number) => {
    time += ms;
  };
  return { simulation, pass, ask: asking(simulation, { authorization: `Bearer ${simulation.tokens[token]}` }) };
}
const wanted = { version: 'shop@1.2.0', projects: ['shop'], ref: 'abc', dateReleased: '2026-03-01T05:00:00.000+01:00' };
const path = (version: string) => `${releases}${encodeURIComponent(version)}/`;

describe('sentry releases', () => {
  it('a created release can be read, with its date in UTC', async () => {
    const { ask } = world();
    const made = await ask('POST', releases, wanted);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      version: 'shop@1.2.0',
      ref: 'abc',
      url: null,
      dateReleased: '2026-03-01T04:00:00Z',
      dateCreated: '2026-03-01T04:00:00Z',
      projects: [{ slug: 'shop' }],
      deployCount: 0,
    });
    expect((await ask('GET', path('shop@1.2.0'))).body).toEqual(made.body);
  });

  it('an existing version only gains the projects: 201 where it got one, and 208 where it had them all', async () => {
    const { simulation, ask } = world();
    await ask('POST', releases, wanted);
    const again = await ask('POST', releases, { ...wanted, projects: ['admin'], ref: 'other' });
    expect(again.status).toBe(201);
    expect((await ask('POST', releases, { ...wanted, projects: ['shop', 'admin'] })).status).toBe(208);
    expect(again.body).toMatchObject({ ref: 'abc', projects: [{ slug: 'shop' }, { slug: 'admin' }] });
    expect(simulation.world.releases('acme')).toHaveLength(1);
  });

  it('a release without a date is not finalized until one is put', async () => {
    const { ask } = world();
    expect((await ask('POST', releases, { version: '1', projects: ['shop'] })).at('dateReleased')).toBeNull();
    const put = await ask('PUT', path('1'), { dateReleased: '2026-03-02T00:00:00.25Z', url: 'https://a.example/1', projects: ['admin'] });
    expect(put.body).toMatchObject({
      dateReleased: '2026-03-02T00:00:00.250000Z',
      url: 'https://a.example/1',
      projects: [{ slug: 'shop' }],
    });
    expect((await ask('PUT', path('1'), { ref: 'abc' })).body).toMatchObject({ ref: 'abc', url: 'https://a.example/1' });
  });

  it('a version with a slash is one part of the path', async () => {
    const { ask } = world();
    await ask('POST', releases, { ...wanted, version: 'feature/x' });
    expect((await ask('GET', path('feature/x'))).at('version')).toBe('feature/x');
  });

  it('the list is filtered by text, newest first, and its Link header names a next page even when there is none', async () => {
    const { simulation, ask } = world();
    for (let i = 1; i <= 120; i += 1) simulation.world.addRelease('acme', { version: `pr-${i}` });
    const first = await ask('GET', releases);
    expect(first.body).toHaveLength(100);
    expect(first.at(0, 'version')).toBe('pr-120');
    expect(first.headers.get('link')).toMatch(/cursor=0:100:0>; rel="next"; results="true"; cursor="0:100:0"/);
    const second = await ask('GET', `${releases}?cursor=0:100:0`);
    expect(second.body).toHaveLength(20);
    expect(second.headers.get('link')).toMatch(/rel="previous"; results="true".*rel="next"; results="false"/);
    expect((await ask('GET', `${releases}?query=PR-12&per_page=2`)).body).toHaveLength(2);
    expect((await ask('GET', `${releases}?project=admin`)).body).toEqual([]);
    expect((await ask('GET', `${releases}?per_page=101`)).status).toBe(400);
  });

  it('a deleted release is gone; one that issues or health data refer to stays', async () => {
    const { simulation, ask } = world();
    simulation.world.addRelease('acme', { version: '1' });
    simulation.world.addRelease('acme', { version: '2', heldBy: 'issues' });
    expect((await ask('DELETE', path('1'))).status).toBe(204);
    expect((await ask('DELETE', path('1'))).status).toBe(404);
    const held = await ask('DELETE', path('2'));
    expect([held.status, held.at('detail')]).toEqual([400, 'This release is referenced by issues and cannot be removed.']);
  });

  it.each([
    ['no version', { projects: ['shop'] }, 'version'],
    ['no projects', { version: '1' }, 'projects'],
    ['an empty list of projects', { version: '1', projects: [] }, 'projects'],
    ['an unknown project', { version: '1', projects: ['none'] }, 'projects'],
    ['a version of more than 200 characters', { version: 'v'.repeat(201), projects: ['shop'] }, 'version'],
    ['a version that is a dot', { version: '.', projects: ['shop'] }, 'version'],
    ['a url that is none', { version: '1', projects: ['shop'], url: 'here' }, 'url'],
    ['a date that is none', { version: '1', projects: ['shop'], dateReleased: 'today' }, 'dateReleased'],
  ])('a release with %s is 400 and names the field', async (_, body, field) => {
    const { simulation, ask } = world();
    const made = await ask('POST', releases, body);
    expect([made.status, Array.isArray(made.at(field))]).toEqual([400, true]);
    expect(simulation.world.releases('acme')).toEqual([]);
  });
});

describe('sentry deploys', () => {
  it('every report makes another deploy, and the list shows the last one of each environment', async () => {
    const { simulation, ask } = world();
    simulation.world.addRelease('acme', { version: '1' });
    const body = { environment: 'preview', name: 'pr-7', url: 'https://pr-7.example' };
    const first = await ask('POST', `${path('1')}deploys/`, body);
    expect(first.body).toEqual({ ...body, id: first.at('id'), dateStarted: null, dateFinished: '2026-03-01T04:00:00Z' });
    const second = await ask('POST', `${path('1')}deploys/`, { environment: 'preview', dateFinished: '2026-03-01T05:00:00Z' });
    expect(second.at('id')).not.toBe(first.at('id'));
    expect((await ask('GET', `${path('1')}deploys/`)).body).toEqual([second.body]);
    expect((await ask('GET', path('1'))).body).toMatchObject({ deployCount: 2, lastDeploy: { id: second.at('id') } });
  });

  it('an environment is needed, and has at most 64 characters; the projects must exist', async () => {
    const { simulation, ask } = world();
    simulation.world.addRelease('acme', { version: '1' });
    for (const body of [{}, { environment: 'e'.repeat(65) }, { environment: 'preview', projects: ['none'] }]) {
      expect((await ask('POST', `${path('1')}deploys/`, body)).status).toBe(400);
    }
    expect((await ask('POST', `${path('2')}deploys/`, { environment: 'preview' })).status).toBe(404);
  });
});

describe('sentry access', () => {
  it('a wrong token is 401, a reading one may not write, and an unseen organization is missing', async () => {
    const { ask } = world();
    expect((await ask('GET', releases, undefined, { authorization: 'Bearer no' })).body).toEqual({ detail: 'Invalid token' });
    expect((await ask('GET', releases, undefined, { authorization: '' })).status).toBe(401);
    expect((await world('blind').ask('GET', releases)).status).toBe(404);
    const reader = world('readOnly').ask;
    expect((await reader('GET', releases)).status).toBe(200);
    expect((await reader('POST', releases, wanted)).status).toBe(403);
  });

  it('more requests than a window takes are 429 until the next window', async () => {
    const { simulation, ask, pass } = world();
    simulation.world.state.limit = { requests: 1, seconds: 2 };
    expect((await ask('GET', releases)).status).toBe(200);
    const refused = await ask('GET', releases);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(refused.headers.get('x-sentry-rate-limit-remaining')).toBe('0');
    pass(2000);
    expect((await ask('GET', releases)).status).toBe(200);
  });
});
