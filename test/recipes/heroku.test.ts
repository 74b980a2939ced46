import { heroku } from 'pilotfish-sandbox/heroku';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

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
