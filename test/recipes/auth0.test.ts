import { auth0 } from 'pilotfish-sandbox/auth0/index';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';

const client_id = 'shopWebAbCdEfGhIjKlMnOpQrStUvWxY';
const own = 'https://pr-12.acme.example';
const theirs = 'https://pr-13.acme.example';

for (const [op, list, param] of [
  ['callback_url', 'callbacks', 'url'],
  ['logout_url', 'allowed_logout_urls', 'url'],
  ['web_origin', 'web_origins', 'origin'],
  ['allowed_origin', 'allowed_origins', 'origin'],
] as const) {
  describeRecipe(`auth0.${op}`, {
    simulate: auth0,
    subject: ({ origin, basePath, tokens, world }) => {
      const client = world.addClient(client_id, {
        callbacks: [theirs],
        web_origins: [theirs],
        allowed_origins: [theirs],
        [list]: [theirs],
      });
      const entries = (): readonly unknown[] => (Array.isArray(client[list]) ? client[list] : []);
      const mine = () => entries().filter((entry) => entry === own);
      return {
        credential: (tier) => ({ AUTH0_CLIENT_ID: world.machineClients[tier], AUTH0_CLIENT_SECRET: tokens[tier] }),
        env: { AUTH0_API_URL: origin + basePath },
        params: { client_id, [param]: own },
        mine,
        others: () => ({ ...client, [list]: entries().filter((entry) => entry !== own) }),
        remove: () => Object.assign(client, { [list]: entries().filter((entry) => entry !== own) }),
        foreign: () => Object.assign(client, { [list]: [...entries(), own] }),
        secrets: () => Object.keys(world.state.issued),
        requests: { create: { method: 'PATCH' }, remove: { method: 'PATCH' } },
      };
    },
    skip: { twoMatches: 'an entry is its own name: two of them are one' },
  });
}

const lines = [
  ...(['callback_url', 'logout_url'] as const).map((op) => ({ id: op, recipe: `auth0.${op}`, client_id, url: own })),
  ...(['web_origin', 'allowed_origin'] as const).map((op) => ({ id: op, recipe: `auth0.${op}`, client_id, origin: own })),
];

/** A tenant with one application, and a plan of these lines. */
async function openTenant(changes: readonly object[], { domain, env = {} }: { readonly domain?: string; readonly env?: Env } = {}) {
  const clock = new LeapingClock();
  const simulation = auth0({ clock, ...(domain !== undefined && { origin: domain }) });
  const { origin, basePath, tokens, world } = simulation;
  const stage = await openStage({
    simulations: [simulation],
    clock,
    env: {
      AUTH0_API_URL: origin + basePath,
      AUTH0_CLIENT_ID: world.machineClients.full,
      AUTH0_CLIENT_SECRET: tokens.full,
      ...env,
    },
    plan: JSON.stringify({ version: 1, changes }),
  });
  return { simulation, stage, state: world.state, client: world.addClient(client_id, { client_secret: 'secret-of-the-shop' }) };
}
type Env = Readonly<Record<string, string>>;

it.each(lines.map((line) => [line.id, line] as const))(
  '%s: what a token may see of the client secret is not asked for',
  async (_, line) => {
    const { simulation, stage, state } = await openTenant([line]);
    Object.assign(state.scopes, { full: ['read:clients', 'update:clients', 'read:client_keys'] });
    expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'create' }] });
    expect(simulation.exchanges.filter(({ path }) => path.includes(client_id))).not.toEqual([]);
    expect(JSON.stringify(simulation.exchanges.map(({ answer }) => answer.body))).not.toContain('secret-of-the-shop');
    await stage.close();
  },
);

it('behind a custom domain a token is had for the audience that a variable names, and for no other', async () => {
  const audience = 'https://acme.eu.auth0.com/api/v2/';
  for (const [named, ok] of [
    [audience, true],
    [undefined, false],
  ] as const) {
    const { stage, state, client } = await openTenant(lines, {
      domain: 'https://login.acme.example',
      env: named === undefined ? {} : { AUTH0_MANAGEMENT_AUDIENCE: named },
    });
    state.audiences.splice(0, 1, audience);
    expect(await stage.apply()).toMatchObject({ ok });
    expect(client.callbacks).toEqual(ok ? [own] : undefined);
    await stage.close();
  }
});

it('a token is asked for where a variable says, and nowhere else', async () => {
  const { stage, state, client } = await openTenant(lines, { env: { AUTH0_TOKEN_URL: 'https://tokens.acme.example/oauth/token' } });
  expect(await stage.apply()).toMatchObject({ ok: false });
  expect(state.issued).toEqual({});
  expect(client.callbacks).toBeUndefined();
  await stage.close();
});
