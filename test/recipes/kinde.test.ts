import { kinde } from 'pilotfish-sandbox/kinde';
import type { Simulation } from 'pilotfish-sandbox/kit/index';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';

const app_id = '3b0b5c6c8fcc464fab397f4969b5f482';
const own = 'https://pr-12.acme.example/api/auth/kinde_callback?next=a,b';
const theirs = 'https://pr-13.acme.example/api/auth/kinde_callback';

type World = ReturnType<typeof kinde>['world'];
/** Token endpoint and audience follow from it. */
const addresses = ({ origin, basePath }: Simulation<World>) => ({ KINDE_API_URL: origin + basePath });

for (const [op, list] of [
  ['callback_url', 'redirect_urls'],
  ['logout_url', 'logout_urls'],
] as const) {
  describeRecipe(`kinde.${op}`, {
    simulate: kinde,
    subject: (simulation) => {
      const { tokens, world } = simulation;
      const application = world.addApplication(app_id, { redirect_urls: [theirs], logout_urls: [theirs] });
      const entries = () => application[list] ?? [];
      const mine = () => entries().filter((entry) => entry === own);
      return {
        credential: (tier) => ({
          KINDE_MANAGEMENT_CLIENT_ID: world.machineClients[tier],
          KINDE_MANAGEMENT_CLIENT_SECRET: tokens[tier],
        }),
        env: addresses(simulation),
        params: { app_id, url: own },
        mine,
        others: () => ({ ...application, [list]: entries().filter((entry) => entry !== own) }),
        remove: () => Object.assign(application, { [list]: entries().filter((entry) => entry !== own) }),
        foreign: () => Object.assign(application, { [list]: [...entries(), own] }),
        secrets: () => Object.keys(world.state.issued),
        requests: { create: { method: 'PUT' }, remove: { method: 'PUT' } },
      };
    },
    skip: { twoMatches: 'an entry is its own name: two of them are one' },
  });
}

async function openShop(env: Readonly<Record<string, string>>) {
  const clock = new LeapingClock();
  const simulation = kinde({ clock });
  const line = (op: string) => ({ id: op, recipe: `kinde.${op}`, app_id, url: own });
  const stage = await openStage({
    simulations: [simulation],
    clock,
    env: {
      ...addresses(simulation),
      KINDE_MANAGEMENT_CLIENT_ID: simulation.world.machineClients.full,
      KINDE_MANAGEMENT_CLIENT_SECRET: simulation.tokens.full,
      ...env,
    },
    plan: JSON.stringify({ version: 1, changes: [line('callback_url'), line('logout_url')] }),
  });
  return { simulation, stage };
}

it('an application whose lists were never set gets them, and both lines use one token', async () => {
  const { simulation, stage } = await openShop({});
  const application = simulation.world.addApplication(app_id);
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(application).toEqual({ redirect_urls: [own], logout_urls: [own] });
  expect(Object.keys(simulation.world.state.issued)).toHaveLength(1);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(application).toEqual({ redirect_urls: [], logout_urls: [] });
  await stage.close();
});

it('an audience with a final slash or with the version gets no token, and nothing is made', async () => {
  for (const audience of ['https://acme.kinde.com/api/', 'https://acme.kinde.com/api/v1']) {
    const { simulation, stage } = await openShop({ KINDE_MANAGEMENT_AUDIENCE: audience });
    const application = simulation.world.addApplication(app_id);
    expect(await stage.apply()).toMatchObject({ ok: false });
    expect(application).toEqual({});
    await stage.close();
  }
});

it('a token is asked for where a variable says, and nowhere else', async () => {
  const { simulation, stage } = await openShop({ KINDE_TOKEN_URL: 'https://tokens.acme.example/oauth2/token' });
  const application = simulation.world.addApplication(app_id);
  expect(await stage.apply()).toMatchObject({ ok: false });
  expect(simulation.world.state.issued).toEqual({});
  expect(application).toEqual({});
  await stage.close();
});
