import { okta } from 'pilotfish-sandbox/okta';
import { expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';
import { livesOn } from '../support/suite/kept.ts';

const app_id = '0oa1gjh63g214q0Hq0g4';
const own = 'https://pr-12.acme.example/callback?next=/';
const theirs = 'https://pr-13.acme.example/callback';
const address = 'https://pr-12.acme.example:8443';
const once = 'an entry is its own name: two of them are one';

describeRecipe('okta.trusted_origin', {
  simulate: okta,
  subject: ({ origin, world }) => {
    world.addOrigin({ name: 'shop pr-13', origin: 'https://pr-13.acme.example', scopes: [{ type: 'CORS' }] });
    world.addOrigin({ name: 'no port', origin: 'https://pr-12.acme.example', scopes: [{ type: 'REDIRECT' }] });
    const mine = () => world.state.origins.filter((one) => one.origin === address);
    const isOfCrowd = ({ name }: { readonly name: string }) => name.startsWith('crowd');
    return {
      credential: 'OKTA_API_TOKEN',
      env: { OKTA_API_URL: origin },
      params: { origin: address, name: 'shop pr-12' },
      mine,
      others: () => world.state.origins.filter((one) => one.origin !== address && !isOfCrowd(one)),
      stands: { name: 'shop pr-12', origin: address, scopes: [{ type: 'CORS' }, { type: 'REDIRECT' }], status: 'ACTIVE' },
      edits: { name: { name: 'renamed' }, scopes: { scopes: [{ type: 'CORS' }] } },
      same: { scopes: { scopes: [{ type: 'REDIRECT' }, { type: 'CORS' }] } },
      changes: { name: { name: 'shop pr-12b' }, scopes: { scopes: [{ type: 'REDIRECT' }] } },
      undeclared: { status: 'INACTIVE' },
      remove: () => {
        world.state.origins = world.state.origins.filter((one) => one.origin !== address);
      },
      foreign: () => world.addOrigin({ name: 'by hand', origin: address }),
      isUnique: true,
      // An origin is asked for by its text.
      crowd: {
        fill: () => {
          for (let n = 0; n < 250; n += 1) world.addOrigin({ name: `crowd ${n}`, origin: `https://pr-${100 + n}.acme.example` });
        },
        looks: 1,
      },
    };
  },
  skip: { twoMatches: 'an organisation has an origin once' },
});

it('a name that another origin of the organisation has is told as a conflict, and nothing is made', async () => {
  const { stage, world } = await openShop([{ id: 'cors', recipe: 'okta.trusted_origin', origin: address, name: 'shop' }]);
  world.addOrigin({ name: 'shop', origin: 'https://acme.example' });
  expect(await stage.apply()).toMatchObject({
    ok: false,
    error: { code: 'PROVIDER_CONFLICT', fix: expect.stringContaining('another name') },
  });
  expect(world.state.origins).toHaveLength(1);
  const { intents, records } = await stage.ledger();
  expect([intents.size, records.size]).toEqual([0, 0]);
  await stage.close();
});

/** An application that has other URIs, and one whose list was never set. */
for (const others of [[theirs, 'https://acme.example/callback'], undefined]) {
  for (const [op, list] of [
    ['redirect_uri', 'redirect_uris'],
    ['post_logout_redirect_uri', 'post_logout_redirect_uris'],
  ] as const) {
    describeRecipe(`okta.${op}`, {
      simulate: okta,
      subject: ({ origin, world }) => {
        const app = world.addApp(app_id, {
          redirect_uris: [theirs],
          [list]: others,
          // Without a grant that needs no redirect URI the last one could not go; that is tried below.
          ...(others === undefined && { grant_types: ['authorization_code', 'client_credentials'] }),
        });
        const { client_secret: secret } = (app.credentials as { readonly oauthClient: { readonly client_secret: string } }).oauthClient;
        const entries = (): readonly string[] => app.settings.oauthClient[list] ?? [];
        const rest = () => entries().filter((entry) => entry !== own);
        // Okta keeps the one list in its order, and the other as a set.
        const inOrder = (uris: readonly string[]) => (list === 'redirect_uris' ? uris : [...uris].sort());
        const put = (uris: readonly string[]) => Object.assign(app.settings.oauthClient, { [list]: uris });
        return {
          credential: 'OKTA_API_TOKEN',
          env: { OKTA_API_URL: origin },
          params: { app_id, uri: own },
          mine: () => entries().filter((entry) => entry === own),
          // Every member of the application, so that one which a write forgets would be missed.
          others: () => ({
            ...app,
            lastUpdated: '',
            settings: { ...app.settings, oauthClient: { ...app.settings.oauthClient, [list]: inOrder(rest()) } },
          }),
          remove: () => put(rest()),
          foreign: () => put([...entries(), own]),
          secrets: () => [secret],
          requests: { create: { method: 'PUT' }, remove: { method: 'PUT' } },
        };
      },
      skip: { twoMatches: once },
    });
  }
}

async function openShop(changes: readonly Readonly<Record<string, unknown>>[]) {
  const simulation = okta();
  const stage = await openStage({
    simulations: [simulation],
    env: { OKTA_CLIENT_ORGURL: simulation.origin, OKTA_API_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes }),
  });
  return { simulation, stage, world: simulation.world };
}

it('the last redirect URI of an application stays at destroy, and its record with it', async () => {
  const { stage, world } = await openShop([{ id: 'login', recipe: 'okta.redirect_uri', app_id, uri: own }]);
  const { oauthClient } = world.addApp(app_id, { redirect_uris: [theirs] }).settings;
  await stage.apply();
  const app = world.state.apps[app_id];
  Object.assign(app?.settings.oauthClient ?? {}, { redirect_uris: [own] });
  expect(await stage.destroy()).toMatchObject({ ok: false, error: { code: 'PROVIDER_INVALID' } });
  expect((await stage.ledger()).records.size).toBe(1);
  Object.assign(app?.settings.oauthClient ?? {}, { redirect_uris: [own, theirs] });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(app?.settings.oauthClient).toEqual(oauthClient);
  await stage.close();
});

it('lines of both lists of one application write it one after the other, and neither loses the other', async () => {
  const uris = [1, 2, 3].map((n) => `https://pr-12.acme.example/callback/${n}`);
  const { stage, world } = await openShop([
    ...uris.map((uri, i) => ({ id: `login${i}`, recipe: 'okta.redirect_uri', app_id, uri })),
    ...uris.map((uri, i) => ({ id: `logout${i}`, recipe: 'okta.post_logout_redirect_uri', app_id, uri })),
  ]);
  world.addApp(app_id, { redirect_uris: [theirs], post_logout_redirect_uris: [theirs] });
  expect(await stage.apply()).toMatchObject({ ok: true });
  const lists = () => {
    const { redirect_uris: login = [], post_logout_redirect_uris: logout = [] } = world.state.apps[app_id]?.settings.oauthClient ?? {};
    return [login, logout].map((list) => [...list].sort());
  };
  expect(lists()).toEqual([[...uris, theirs].sort(), [...uris, theirs].sort()]);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(lists()).toEqual([[theirs], [theirs]]);
  await stage.close();
});

it.each(['redirect_uri', 'post_logout_redirect_uri'])(
  '%s: no read-only member of an application, keys included, is sent back',
  async (op) => {
    const { simulation, stage, world } = await openShop([{ id: 'login', recipe: `okta.${op}`, app_id, uri: own }]);
    const key = { kty: 'RSA', kid: 'k1', use: 'sig', alg: 'RS256', status: 'ACTIVE', e: 'AQAB', n: 'c2hvcC1wdWJsaWMta2V5' };
    const time = '2026-11-01T00:00:00.000Z';
    const href = `https://acme.okta.com/api/v1/apps/${app_id}/credentials/jwks/pks1`;
    const app = world.addApp(app_id, {
      redirect_uris: [theirs],
      jwks: { keys: [{ ...key, id: 'pks1', created: time, lastUpdated: time, _links: { delete: { href } } }] },
    });
    const { credentials, settings } = structuredClone(app);
    Object.assign(app, {
      expressConfiguration: { enabledCapabilities: ['SSO'], supportedCapabilities: ['SSO', 'UNIVERSAL_LOGOUT'] },
      universalLogout: { status: 'ENABLED', supportType: 'FULL', identityStack: 'NOT_SHARED', protocol: 'GLOBAL_TOKEN_REVOCATION' },
      _embedded: { user: {} },
      credentials: { ...(credentials as object), signing: { kid: 'ZcLGYsl4D2Xka', lastRotated: time, nextRotation: time } },
      settings: { ...settings, emOptInStatus: 'NONE' },
    });
    expect(await stage.apply()).toMatchObject({ ok: true });
    const [write] = simulation.writes();
    const written = ['accessibility', 'credentials', 'label', 'name', 'profile', 'settings', 'signOnMode', 'visibility'];
    expect(Object.keys(write?.body ?? {}).sort()).toEqual(written);
    const uris = { redirect_uris: [theirs], [`${op}s`]: op === 'redirect_uri' ? [theirs, own] : [own] };
    expect(write?.body).toMatchObject({ name: 'oidc_client', profile: { team: 'web' }, credentials });
    expect(write?.body).toHaveProperty('credentials.signing', { kid: 'ZcLGYsl4D2Xka' });
    expect(write?.body).toHaveProperty('settings', {
      ...settings,
      oauthClient: { ...settings.oauthClient, ...uris, jwks: { keys: [key] } },
    });
    expectContracts([simulation]);
    await stage.close();
  },
);

it('the order of the sign-in URIs of others stands through every write, and that of a set is nobody’s', async () => {
  const shop = 'https://acme.example/callback';
  for (const list of ['redirect_uris', 'post_logout_redirect_uris']) {
    await livesOn(
      `okta.${list.slice(0, -1)}`,
      okta,
      ({ origin, world }) => {
        const app = world.addApp(app_id, { redirect_uris: [theirs, shop], post_logout_redirect_uris: [theirs, shop, theirs] });
        const entries = () => Object(app.settings.oauthClient)[list] as readonly string[];
        const others = () => app.settings.oauthClient.redirect_uris?.filter((entry) => entry !== own);
        return {
          credential: 'OKTA_API_TOKEN',
          env: { OKTA_API_URL: origin },
          params: { app_id, uri: own },
          mine: () => entries().filter((entry) => entry === own),
          others,
          stands: own,
        };
      },
      (_, { world }) => {
        const { redirect_uris: login, post_logout_redirect_uris: logout } = world.state.apps[app_id]?.settings.oauthClient ?? {};
        expect(login).toEqual(list === 'redirect_uris' ? [theirs, shop, own] : [theirs, shop]);
        expect(logout).toEqual(list === 'redirect_uris' ? [shop, theirs] : [shop, own, theirs]);
        return Promise.resolve();
      },
    );
  }
});

it('an application that was made a second ago and is missed once is never taken for one that is gone', async () => {
  const { stage, world } = await openShop([{ id: 'login', recipe: 'okta.redirect_uri', app_id, uri: own }]);
  world.addYoungApp(app_id, { redirect_uris: [theirs] });
  const uris = () => world.state.apps[app_id]?.settings.oauthClient.redirect_uris;
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_NOT_FOUND' } });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(uris()).toEqual([theirs, own]);
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'none' }] });
  // The read that misses it falls into the destroy.
  world.state.young[app_id] = 1;
  expect(await stage.destroy()).toMatchObject({ ok: false, error: { code: 'PROVIDER_NOT_FOUND' } });
  expect((await stage.ledger()).records.size).toBe(1);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(uris()).toEqual([theirs]);
  expect((await stage.ledger()).records.size).toBe(0);
  await stage.close();
});
