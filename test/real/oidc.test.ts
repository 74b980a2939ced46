import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errors } from 'oidc-provider';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { openField } from './kit/field.ts';
import { startOidc } from './kit/oidc.ts';
import { planOfThings, serveThings, type Things } from './kit/things.ts';

/** Characters that a form must encode, and that a header could not carry. */
const secret = 'p+l us&a=m%p/-0123456789';
const audience = 'https://things.acme.example/';
const env = { THINGS_CLIENT_ID: 'release-tool', THINGS_CLIENT_SECRET: secret };

let oidc: Awaited<ReturnType<typeof startOidc>>;
let things: Things;
/** Runs after the door let a request pass, and before it is answered. */
let passed: (token: string) => Promise<void>;
let lifetime: number;

beforeAll(async () => {
  oidc = await startOidc({
    client: { client_id: 'release-tool', client_secret: secret, token_endpoint_auth_method: 'client_secret_post' },
    configuration: {
      ttl: { ClientCredentials: () => lifetime },
      features: {
        clientCredentials: { enabled: true },
        devInteractions: { enabled: false },
        resourceIndicators: {
          enabled: true,
          // Vendors with an `audience` parameter of their own do it like this: it names the resource.
          defaultResource: (context) => String(context.oidc.body?.audience ?? ''),
          getResourceServerInfo: (_, resource) => {
            if (resource !== audience) throw new errors.InvalidTarget(`nothing is known of ${resource}`);
            return { scope: 'things:read things:write', audience: resource, accessTokenFormat: 'opaque' };
          },
        },
      },
    },
  });
});
afterAll(() => oidc.stop());

beforeEach(async () => {
  passed = async () => undefined;
  lifetime = 600;
  oidc.requests.length = 0;
  things = await serveThings(async ({ headers }) => {
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    const { isActive, audience: granted } = await oidc.check(token);
    if (!isActive || granted !== audience) return 401;
    await passed(token);
    return null;
  });
});
afterEach(() => things.stop());

const open = (o: { readonly names?: readonly string[]; readonly env?: { readonly [name: string]: string }; readonly clock?: Clock } = {}) =>
  openField({
    env: o.env ?? env,
    ...(o.clock && { clock: o.clock }),
    plan: planOfThings(
      `
      base_url: ${things.base}
      auth:
        oauth_client_credentials:
          client_id_env: THINGS_CLIENT_ID
          client_secret_env: THINGS_CLIENT_SECRET
          token_url: ${oidc.issuer}/token
          audience: ${audience}`,
      o.names ?? ['one'],
    ),
  });

const tokensUsed = (): readonly string[] => [...new Set(things.seen.map((request) => request.authorization))];

it('gets one token for all lines of a run, by a form that the server reads whole', async () => {
  const names = Array.from({ length: 24 }, (_, i) => `thing-${i}`);
  const field = await open({ names });
  const applied = await field.apply();
  expect(applied).toMatchObject({ ok: true, status: 'complete' });
  expect([...things.things.values()].map((thing) => thing.name).sort()).toEqual([...names].sort());
  expect(oidc.requests).toHaveLength(1);
  expect(oidc.requests[0]).toMatchObject({ status: 200, authorization: undefined });
  expect(oidc.requests[0]?.type).toMatch(/^application\/x-www-form-urlencoded(;|$)/);
  expect(Object.fromEntries(oidc.requests[0]?.body ?? [])).toEqual({
    grant_type: 'client_credentials',
    client_id: 'release-tool',
    client_secret: secret,
    audience,
  });
  expect(tokensUsed()).toHaveLength(1);
});

it('writes nothing in a second apply, and destroys with a token of its own', async () => {
  const field = await open();
  await field.apply();
  const before = things.seen.length;
  expect(await field.apply()).toMatchObject({ ok: true });
  expect(things.seen.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(await field.destroy()).toMatchObject({ ok: true });
  expect(things.things.size).toBe(0);
});

it('names the variables of a client whose secret is wrong, and shows none of them', async () => {
  const wrong = 'this-is-not-the-secret-0123';
  const field = await open({ env: { ...env, THINGS_CLIENT_SECRET: wrong } });
  const applied = await field.apply();
  expect(applied.ok).toBe(false);
  const [line] = applied.lines;
  expect(line?.error).toMatchObject({ code: 'PROVIDER_AUTH', fix: expect.stringContaining('THINGS_CLIENT_SECRET') });
  expect(line?.error?.detail).toContain('invalid_client');
  expect(JSON.stringify(applied)).not.toContain(wrong);
  expect(things.seen).toEqual([]);
  expect(oidc.requests.map(({ status }) => status)).toEqual([401]);
});

it('says what the server says of an audience that it does not know', async () => {
  const field = await open();
  const text = await readFile(join(field.folder, 'release.plan.yaml'), 'utf8');
  await field.write(text.replace(audience, 'https://elsewhere.acme.example/'));
  const applied = await field.apply();
  expect(applied.lines[0]?.error).toMatchObject({
    code: 'PROVIDER_AUTH',
    detail: expect.stringContaining('https://elsewhere.acme.example/'),
  });
  expect(things.seen).toEqual([]);
});

it('names the API by a resource indicator and asks for scopes, where the server wants them', async () => {
  const field = await open();
  const text = await readFile(join(field.folder, 'release.plan.yaml'), 'utf8');
  await field.write(text.replace(`audience: ${audience}`, `resource: ${audience}\n          scope: things:read things:write`));
  expect(await field.apply()).toMatchObject({ ok: true });
  expect(Object.fromEntries(oidc.requests[0]?.body ?? [])).toEqual({
    grant_type: 'client_credentials',
    client_id: 'release-tool',
    client_secret: secret,
    resource: audience,
    scope: 'things:read things:write',
  });
  const [token = ''] = tokensUsed();
  expect(await oidc.check(token.replace('Bearer ', ''))).toMatchObject({ isActive: true, scope: 'things:read things:write' });
  // Destroy reads the form from the ledger alone.
  await field.write('version: 1\nchanges: []\n');
  expect(await field.destroy()).toMatchObject({ ok: true });
  expect(things.things.size).toBe(0);
  expect(oidc.requests[1]?.body.get('scope')).toBe('things:read things:write');
});

it('gets another token before the server takes the first for expired', async () => {
  lifetime = 60;
  const offset = { ms: 0 };
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + offset.ms, mono: () => systemClock.mono() + offset.ms };
  const field = await open({ clock });
  const first = { token: '' };
  passed = async (token) => {
    // After the first request half a minute passes for the tool; for the server, the token is good the whole time.
    if (offset.ms === 0) {
      first.token = token;
      offset.ms = 31_000;
    }
  };
  expect(await field.apply()).toMatchObject({ ok: true });
  expect(oidc.requests).toHaveLength(2);
  expect(things.seen.every(({ status }) => status < 300)).toBe(true);
  expect(await oidc.check(first.token)).toMatchObject({ isActive: true });
});

it('uses a token of ten seconds more than once', async () => {
  lifetime = 10;
  const field = await open();
  expect(await field.apply()).toMatchObject({ ok: true });
  expect(oidc.requests).toHaveLength(1);
  expect(things.seen.map(({ method }) => method)).toEqual(['GET', 'POST']);
});

it('sends a write again, once, when its token was taken back in between', async () => {
  const field = await open();
  const revoked = new Set<string>();
  passed = async (token) => {
    if (revoked.size > 0) return;
    revoked.add(token);
    await oidc.revoke(token);
  };
  expect(await field.apply()).toMatchObject({ ok: true });
  expect(things.things.size).toBe(1);
  expect(oidc.requests).toHaveLength(2);
  expect(things.seen.filter(({ status }) => status === 401)).toHaveLength(1);
});

it('gives up when every token is taken back at once', async () => {
  const field = await open();
  await things.stop();
  things = await serveThings(async () => 401);
  const applied = await field.apply({ env: { THINGS_API_URL: things.base } });
  expect(applied.lines[0]?.error).toMatchObject({ code: 'PROVIDER_AUTH', fix: expect.stringContaining('THINGS_CLIENT_SECRET') });
  expect(oidc.requests).toHaveLength(2);
  expect(things.seen.map(({ status }) => status)).toEqual([401, 401]);
});
