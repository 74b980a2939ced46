import { createWorld, type World } from 'pilotfish-sandbox/all';
import { type Served, serve, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { fetch } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';

let world: World | null = null;
let served: Served | null = null;
afterEach(async () => {
  await served?.stop();
  served = null;
  const { simulations } = world ?? { simulations: [] };
  verifyHandled(simulations);
  expectContracts(simulations);
});

async function open() {
  const fresh = createWorld({ now: () => Date.parse('2026-03-01T04:00:00Z') });
  const server = await serve(fresh.simulations);
  world = fresh;
  served = server;
  return { ...fresh, server };
}

describe('a whole world', () => {
  it('every provider opens to its credential at the address that its variable names', async () => {
    const { server, credentials: is, seed } = await open();
    const token = await fetch(`${new URL(server.base('auth0')).origin}/auth0/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: is.AUTH0_CLIENT_ID ?? '',
        client_secret: is.AUTH0_CLIENT_SECRET ?? '',
        audience: 'https://acme.eu.auth0.com/api/v2/',
      }),
    });
    const issued = Object(await token.json());
    const flag = `/api/admin/projects/${seed.flag.project}/features/${seed.flag.name}/environments/${seed.flag.environment}`;
    const bearer = (value: unknown) => ({ authorization: `Bearer ${String(value)}` });
    const doors: readonly (readonly [name: string, path: string, headers: Record<string, string>])[] = [
      ['neon', `/projects/${seed.neonProject}/branches`, bearer(is.NEON_API_KEY)],
      ['vercel', `/v9/projects/${seed.vercelProject}`, bearer(is.VERCEL_TOKEN)],
      ['auth0', `/clients/${seed.auth0Client}`, bearer(issued.access_token)],
      ['github', `/repos/${seed.repository}/hooks`, { ...bearer(is.GITHUB_TOKEN), 'user-agent': 'test' }],
      ['stripe', '/v1/webhook_endpoints', bearer(is.STRIPE_SECRET_KEY)],
      ['unleash', `${flag}/strategies`, { authorization: String(is.UNLEASH_API_TOKEN) }],
      ['cloudflare', `/zones/${seed.zone.id}/dns_records`, bearer(is.CLOUDFLARE_API_TOKEN)],
      ['sentry', `/api/0/organizations/${seed.sentry.organization}/releases/`, bearer(is.SENTRY_AUTH_TOKEN)],
    ];
    for (const [name, path, headers] of doors) {
      const base = server.env[`${name.toUpperCase()}_API_URL`];
      expect([name, (await fetch(`${base}${path}`, { headers })).status]).toEqual([name, 200]);
    }
    const report = await fetch(`${server.base('rollbar')}/deploy`, {
      method: 'POST',
      headers: { 'x-rollbar-access-token': String(is.ROLLBAR_ACCESS_TOKEN), 'content-type': 'application/json' },
      body: JSON.stringify({ environment: 'preview', revision: 'abc' }),
    });
    expect(report.status).toBe(200);
  });

  it('two worlds share nothing, and the same steps give the same ids', () => {
    const [one, other] = [createWorld({ now: () => 0 }), createWorld({ now: () => 0 })];
    const hook = { url: 'https://a.example' };
    const made = one.github.world.addHook(one.seed.repository, hook);
    expect(other.github.world.hooks(other.seed.repository)).toEqual([]);
    expect(other.github.world.addHook(other.seed.repository, hook)).toEqual(made);
  });

  it('every provider has an origin of its own', () => {
    const { simulations } = createWorld();
    expect(new Set(simulations.map(({ origin }) => origin)).size).toBe(simulations.length);
  });

  it('no credential looks like a live key', () => {
    expect(createWorld().credentials.STRIPE_SECRET_KEY).toMatch(/^sk_test_/);
  });
});
