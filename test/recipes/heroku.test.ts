import { heroku } from 'pilotfish-sandbox/heroku';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';
import { livesOn } from '../support/suite/kept.ts';

const app = 'shop-pr-12';
const value = 'https://api-pr-12.acme.example';

describeRecipe('heroku.config_var', {
  simulate: heroku,
  subject: ({ world }) => {
    const { vars } = world.addApp(app, { PORT: '3000', API_URL_OLD: value });
    const other = world.addApp('shop', { API_URL: value });
    return {
      credential: 'HEROKU_API_KEY',
      env: { API_URL_VALUE: value },
      params: { app, key: 'API_URL', value: { secret: 'env://API_URL_VALUE' } },
      mine: () => Object.entries(vars).flatMap(([name, one]) => (name === 'API_URL' ? [one] : [])),
      others: () => [Object.entries(vars).filter(([name]) => name !== 'API_URL'), other],
      stands: { value },
      edits: { value: { value: 'https://elsewhere.example' } },
      changes: { value: { value: 'https://next.acme.example' } },
      remove: () => {
        delete vars.API_URL;
      },
      foreign: () => Object.assign(vars, { API_URL: { value: 'https://theirs.example' } }),
      requests: { create: { method: 'PATCH' }, remove: { method: 'PATCH' } },
    };
  },
  skip: { 'untidy secret-hidden': 'a variable without a value in the map is one that is not there', twoMatches: 'a name holds one value' },
});

it('two vars of one app are one change, and so one restart', async () => {
  const simulation = heroku();
  const shop = simulation.world.addApp(app);
  const line = (key: string) => ({ id: key.toLowerCase(), recipe: 'heroku.config_var', app, key, value });
  const stage = await openStage({
    simulations: [simulation],
    env: { HEROKU_API_KEY: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [line('API_URL'), line('WEB_URL')] }),
  });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(simulation.writes().map(({ body }) => body)).toEqual([{ API_URL: value, WEB_URL: value }]);
  expect(shop.releases).toBe(2);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(shop.vars).toEqual({});
  await stage.close();
});

it('each change of a var makes one release, a var that is shown as null is there, and one of others stays so', () =>
  livesOn(
    'heroku.config_var',
    heroku,
    ({ world }) => {
      const { vars } = world.addApp(app, { DATABASE_URL: null });
      return {
        credential: 'HEROKU_API_KEY',
        params: { app, key: 'API_URL', value },
        mine: () => Object.entries(vars).flatMap(([name, one]) => (name === 'API_URL' ? [one] : [])),
        others: () => Object.entries(vars).filter(([name]) => name !== 'API_URL'),
        stands: { value },
        edits: { value: { value: 'https://elsewhere.example' } },
        requests: { create: { method: 'PATCH' }, remove: { method: 'PATCH' } },
      };
    },
    async (bench, { world }) => {
      const [shop] = world.state.apps;
      // The first one is that of the app, the next two those of the create and of what was put back.
      expect(shop?.releases).toBe(3);
      Object.assign(bench.one() ?? {}, { value: null });
      // Nobody can read it, so nobody knows that it is another one.
      await bench.applied();
      expect(bench.one()).toEqual({ value: null });
      expect(await bench.destroy()).toMatchObject({ ok: true });
      expect(bench.subject.mine()).toEqual([]);
      expect(shop?.releases).toBe(4);
    },
  ));

it('an app that somebody made just now fails the line until it is found, and is never taken for one that is gone', async () => {
  const simulation = heroku();
  const shop = simulation.world.addYoungApp(app);
  const stage = await openStage({
    simulations: [simulation],
    env: { HEROKU_API_KEY: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [{ id: 'url', recipe: 'heroku.config_var', app, key: 'API_URL', value }] }),
  });
  const unfound = { ok: false, error: { code: 'PROVIDER_NOT_FOUND' } };
  for (const _ of [1, 2]) expect(await stage.apply()).toMatchObject(unfound);
  expect((await stage.ledger()).records.size).toBe(0);
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'none' }] });
  expect(shop).toMatchObject({ vars: { API_URL: { value } }, releases: 2 });
  shop.unfound = 1;
  expect(await stage.destroy()).toMatchObject(unfound);
  expect((await stage.ledger()).records.size).toBe(1);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(shop.vars).toEqual({});
  await stage.close();
});
