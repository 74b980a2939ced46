import { workos } from 'pilotfish-sandbox/workos';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';
import { livesOn } from '../support/suite/kept.ts';

const uri = 'https://pr-12.acme.example/callback?from=shop';
const crowd = 'https://crowd.acme.example/';
const otherEnvironment = 'the key of another environment reads an empty list, as an empty environment does';

describeRecipe('workos.redirect_uri', {
  simulate: workos,
  subject: ({ world }) => {
    // More than a page of them, so that what is older is found only by the cursor.
    for (let n = 100; n < 220; n += 1) world.addUri(`https://pr-${n}.acme.example/callback`, { default: n === 100 });
    const mine = () => world.state.uris.filter((one) => one.uri === uri);
    return {
      credential: 'WORKOS_API_KEY',
      params: { uri },
      mine,
      others: () => world.state.uris.filter((one) => one.uri !== uri && !one.uri.startsWith(crowd)),
      stands: { uri, default: false },
      undeclared: { default: true },
      remove: () => world.removeUri(uri),
      foreign: () => {
        const made = world.addUri(uri);
        // The oldest one: it stands at the end of the last page.
        world.state.uris.unshift(...world.state.uris.splice(world.state.uris.indexOf(made), 1));
      },
      isUnique: true,
      crowd: {
        fill: () => {
          for (let n = 0; n < 100; n += 1) world.addUri(`${crowd}${n}`);
        },
        // As few as 221 of them need.
        looks: 3,
      },
    };
  },
  skip: {
    twoMatches: 'an environment has a URI once',
    blind: otherEnvironment,
    blindDestroy: otherEnvironment,
  },
});

async function openShop() {
  const simulation = workos();
  const stage = await openStage({
    simulations: [simulation],
    env: { WORKOS_API_KEY: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [{ id: 'login', recipe: 'workos.redirect_uri', uri }] }),
  });
  return { simulation, stage };
}

it('a redirect URI that somebody made the default stays at destroy, and its record with it', async () => {
  const { simulation, stage } = await openShop();
  await stage.apply();
  const [made] = simulation.world.state.uris;
  Object.assign(made ?? {}, { default: true });
  expect(await stage.destroy()).toMatchObject({
    ok: false,
    error: { code: 'PROVIDER_CONFLICT', fix: expect.stringContaining('another redirect URI') },
  });
  expect((await stage.ledger()).records.size).toBe(1);
  Object.assign(made ?? {}, { default: false });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(simulation.world.state.uris).toEqual([]);
  await stage.close();
});

it('a path follows the URI that another line gives', async () => {
  const simulation = workos();
  const line = { id: 'login', recipe: 'workos.redirect_uri', uri: 'https://pr-12.acme.example', path: '/callback' };
  const stage = await openStage({
    simulations: [simulation],
    env: { WORKOS_API_KEY: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [line] }),
  });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(simulation.world.state.uris).toMatchObject([{ uri: 'https://pr-12.acme.example/callback' }]);
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }] });
  await stage.close();
});

it('a redirect URI that somebody makes between the look and the create is not taken over', async () => {
  const { simulation, stage } = await openShop();
  let raced = false;
  simulation.watch(({ phase, method }) => {
    if (phase !== 'before' || method !== 'POST' || raced) return;
    raced = true;
    simulation.world.addUri(uri);
  });
  expect(await stage.apply()).toMatchObject({ ok: false });
  const { records, intents } = await stage.ledger();
  expect([records.size, intents.size]).toEqual([0, 0]);
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
  expect(simulation.world.state.uris).toHaveLength(1);
  await stage.close();
});

it('a redirect URI that exists and is in no list is told as a conflict, and nothing is recorded', async () => {
  const { simulation, stage } = await openShop();
  simulation.faults.once({ method: 'POST' }, 422, { message: `Redirect URI ${uri} already exists.` });
  expect(await stage.apply()).toMatchObject({
    ok: false,
    error: { code: 'PROVIDER_CONFLICT', detail: expect.stringContaining('this credential may not see it') },
  });
  const { records, intents } = await stage.ledger();
  expect([records.size, intents.size]).toEqual([0, 0]);
  await stage.close();
});

it('a URI that WorkOS refuses as none is no conflict', async () => {
  const { simulation, stage } = await openShop();
  simulation.faults.once({ method: 'POST' }, 422, { message: 'Validation failed.' });
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_INVALID' } });
  await stage.close();
});

it('a redirect URI on the last of several pages is made once, and every page is asked for a hundred', () =>
  livesOn(
    'workos.redirect_uri',
    workos,
    ({ world }) => {
      for (let n = 100; n < 350; n += 1) world.addUri(`https://pr-${n}.acme.example/callback`);
      return {
        credential: 'WORKOS_API_KEY',
        params: { uri },
        mine: () => world.state.uris.filter((one) => one.uri === uri),
        others: () => world.state.uris.filter((one) => one.uri !== uri),
        stands: { uri },
      };
    },
    async (bench, { log, world }) => {
      // The oldest one stands on the last page.
      world.state.uris.unshift(...world.state.uris.splice(-1, 1));
      expect(await bench.planned()).toMatchObject({ verdict: 'none', drift: 'none' });
      await bench.applied();
      bench.one();
      const pages = log.filter(({ method }) => method === 'GET').map(({ query }) => query.limit);
      expect(new Set(pages)).toEqual(new Set(['100']));
    },
  ));
