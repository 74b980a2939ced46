import path from 'node:path';
import { azureStaticWebApps } from 'pilotfish-sandbox/azure-static-web-apps';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { describeRecipe } from '../support/describe-recipe.ts';
import { ledgerKey } from '../support/ledger-key.ts';
import { openPrograms } from '../support/programs.ts';
import { openStage } from '../support/stage.ts';

const programs = await openPrograms();
const asked = 'account get-access-token --query accessToken -o tsv';
await programs.add('az', `args.join(' ') === '${asked}' ? out(env.SIGNED_IN_TOKEN + '\\n') : fail(2, 'unknown');`);
afterAll(() => programs.close());

const PATH = `${programs.PATH}${path.delimiter}${process.env.PATH}`;
const subscription = '8d4b1d3e-6f2a-4c58-9b7e-1a2b3c4d5e6f';
const value = 'https://api-pr-12.acme.example';
const params = {
  subscription_id: subscription,
  resource_group: 'shop',
  site: 'shop-web',
  environment: '12',
  name: 'API_URL',
  value,
};

/** An environment that has other settings, and one whose only setting is the line's. */
for (const others of [{ API_KEY: 'theirs', api_url: value }, {}]) {
  describeRecipe('azure_static_web_apps.build_app_setting', {
    simulate: azureStaticWebApps,
    subject: ({ tokens, world }) => {
      const site = world.addSite(subscription, 'shop', 'shop-web');
      const settings = world.deploy(site, '12', { ...others });
      const theirs = world.deploy(site, '13', { API_URL: value });
      const mine = () => Object.entries(settings).filter(([name]) => name === 'API_URL');
      return {
        env: { ...ledgerKey, PATH },
        credential: (tier) => ({ SIGNED_IN_TOKEN: tokens[tier] }),
        params,
        mine,
        others: () => [{ ...settings, API_URL: null }, theirs],
        stands: ['API_URL', value],
        changes: { value: { value: 'https://api.acme.example' } },
        remove: () => void delete settings.API_URL,
        foreign: () => Object.assign(settings, { API_URL: value }),
        requests: {
          look: { method: 'POST', path: /\/listAppSettings$/ },
          create: { method: 'PUT' },
          remove: { method: 'PUT' },
        },
      };
    },
    skip: { twoMatches: 'a name stands once in a map' },
  });
}

describeRecipe('azure_static_web_apps.address', {
  kind: 'wait',
  simulate: azureStaticWebApps,
  subject: ({ tokens, world }) => {
    const site = world.addSite(subscription, 'shop', 'shop-web');
    const settings = world.deploy(site, '12', {});
    const { name: _, value: __, ...environment } = params;
    return {
      env: { ...ledgerKey, PATH },
      credential: (tier) => ({ SIGNED_IN_TOKEN: tokens[tier] }),
      params: environment,
      mine: () => [settings],
      others: () => [],
      requests: { create: { method: 'GET' } },
    };
  },
  skip: { wait: 'the address is known, or the line is wrong: nothing is waited for' },
});

it('a setting is planned before the first deploy of its pull request, refused until then, and gone with the environment', async () => {
  const simulation = azureStaticWebApps();
  const { world } = simulation;
  const site = world.addSite(subscription, 'shop', 'shop-web');
  const stage = await openStage({
    simulations: [simulation],
    env: { ...ledgerKey, PATH, SIGNED_IN_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [{ id: 'line', recipe: 'static_host_b.build_app_setting', ...params }] }),
  });
  onTestFinished(async () => {
    await stage.close();
    verifyHandled([simulation]);
    expectContracts([simulation]);
  });
  expect((await stage.plan()).lines).toMatchObject([{ verdict: 'create' }]);
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_NOT_FOUND' } });
  expect((await stage.ledger()).records.size).toBe(0);
  world.deploy(site, '12');
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(world.settings(site, '12')).toEqual({ API_URL: value });
  world.removeBuild(site, '12');
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect((await stage.ledger()).records.size).toBe(0);
});
