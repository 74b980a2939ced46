import { azureStaticWebApps } from 'pilotfish-sandbox/azure-static-web-apps';
import { heroku } from 'pilotfish-sandbox/heroku';
import { type Simulation, type SimulationOptions, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { railway } from 'pilotfish-sandbox/railway';
import { render } from 'pilotfish-sandbox/render';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../../scripts/tasks.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { expectContracts } from '../contracts/expect.ts';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';
import type { Subject } from '../support/suite/subject.ts';

/*
 * Hosts that tell the address of something that stands before its build: nothing is guessed, and nothing is held against a deployment.
 */

interface Told<W> {
  readonly op: string;
  readonly simulate: (options?: SimulationOptions) => Simulation<W>;
  /** A host with the thing, and the line that asks for its address. */
  readonly there: (simulation: Simulation<W>) => Pick<Subject, 'credential' | 'env' | 'params'> & { readonly mine: object };
  readonly hostname: RegExp;
  /** The params of a thing that has no address; `absent`: of one that is not there. */
  readonly without: Readonly<Record<string, string>> | null;
  readonly absent: Readonly<Record<string, string>>;
}

const place = { project_id: '4f2b8c1e-project', environment_id: '9a7d3e5f-preview' };
const azure = { subscription_id: '8d4b1d3e-6f2a-4c58-9b7e-1a2b3c4d5e6f', resource_group: 'shop', site: 'shop-web' };

const ofHeroku: Told<ReturnType<typeof heroku>['world']> = {
  op: 'heroku.address',
  simulate: heroku,
  there: ({ world }) => {
    world.addApp('shop-pr-13').webUrl = null;
    return { credential: 'HEROKU_API_KEY', params: { app: 'shop-pr-12' }, mine: world.addApp('shop-pr-12') };
  },
  hostname: /^shop-pr-12-[0-9a-f]{12}\.herokuapp\.com$/,
  without: { app: 'shop-pr-13' },
  absent: { app: 'shop-pr-14' },
};

const ofRender: Told<ReturnType<typeof render>['world']> = {
  op: 'render.address',
  simulate: render,
  there: ({ world }) => {
    world.addService('srv-1', {}, 'shop');
    world.addService('srv-3', {}, 'worker');
    return { credential: 'RENDER_API_KEY', params: { name: 'shop PR #12' }, mine: world.addService('srv-2', {}, 'shop PR #12') };
  },
  hostname: /^shop-pr-12\.onrender\.com$/,
  without: { name: 'worker' },
  absent: { name: 'shop PR #13' },
};

const ofRailway: Told<ReturnType<typeof railway>['world']> = {
  op: 'railway.address',
  simulate: railway,
  there: ({ origin, basePath, world }) => {
    world.addEnvironment(place.project_id, place.environment_id, 'web', 'web-pr-12.up.railway.app');
    world.addEnvironment(place.project_id, 'other', 'worker');
    const env = { RAILWAY_API_URL: origin + basePath };
    return { credential: 'RAILWAY_API_TOKEN', env, params: { ...place, service_id: 'web' }, mine: world.state };
  },
  hostname: /^web-pr-12\.up\.railway\.app$/,
  without: { environment_id: 'other', service_id: 'worker' },
  absent: { environment_id: 'none' },
};

describe.each([
  ['heroku.address', ofHeroku],
  ['render.address', ofRender],
  ['railway.address', ofRailway],
] as const)('%s', (_, told) => {
  it('gives the address as the host tells it, in one read, and nothing of it is recorded', () => tell(told as Told<unknown>));
});

async function tell<W>({ op, simulate, there, hostname, without, absent }: Told<W>): Promise<void> {
  const simulation = simulate();
  const { credential, env = {}, params } = there(simulation);
  const plan = (more: object): string => JSON.stringify({ version: 1, changes: [{ id: 'address', recipe: op, ...params, ...more }] });
  const own = typeof credential === 'string' ? { [credential]: simulation.tokens.full } : {};
  const stage = await openStage({ simulations: [simulation], env: { ...env, ...own }, plan: plan({}) });
  onTestFinished(async () => {
    await stage.close();
    verifyHandled([simulation]);
    expectContracts([simulation]);
  });
  const { outputs } = await stage.apply();
  const host = String(Object(outputs?.address).hostname);
  expect(host).toMatch(hostname);
  expect(outputs?.address).toEqual({ id: expect.stringMatching(/./), hostname: host, url: `https://${host}` });
  expect([simulation.log.length, simulation.writes(), (await stage.ledger()).records.size]).toEqual([1, [], 0]);
  if (without) {
    await stage.write(plan(without));
    expect((await stage.plan()).lines[0]?.error).toMatchObject({
      code: 'PROVIDER_NOT_FOUND',
      detail: expect.stringContaining('has no address yet'),
    });
  }
  await stage.write(plan(absent));
  expect((await stage.plan()).lines[0]?.error?.code).toMatch(/^PROVIDER_(?:NOT_FOUND|AUTH)$/);
}

const skip = { wait: 'the address is known, or the line is wrong: nothing is waited for' };
const requests = { create: { method: 'GET' } };

for (const told of [ofHeroku, ofRender] as readonly Told<unknown>[]) {
  describeRecipe(told.op, {
    kind: 'wait',
    simulate: (options) => told.simulate(options),
    subject: (simulation) => {
      const { mine, ...rest } = told.there(simulation);
      return { ...rest, mine: () => [mine], others: () => [], requests };
    },
    skip,
  });
}

describeRecipe(ofRailway.op, {
  kind: 'wait',
  simulate: railway,
  subject: (simulation) => {
    const { mine, ...rest } = ofRailway.there(simulation);
    return { ...rest, mine: () => [mine], others: () => [], requests: { create: { method: 'POST' }, look: { method: 'POST' } } };
  },
  skip,
});

it('the address of an environment of Azure is known once its first deploy has made it, and only then', async () => {
  const simulation = azureStaticWebApps();
  const site = simulation.world.addSite(azure.subscription_id, azure.resource_group, azure.site);
  const line = { id: 'address', recipe: 'azure_static_web_apps.address', ...azure, environment: '12' };
  const api = { auth: { bearer_env: 'AZURE_TOKEN' } };
  const plan = JSON.stringify({ version: 1, providers: { http: { azure_static_web_apps: api } }, changes: [line] });
  const stage = await openStage({ simulations: [simulation], env: { AZURE_TOKEN: simulation.tokens.full }, plan });
  onTestFinished(() => stage.close());
  expect((await stage.plan()).lines[0]?.error).toMatchObject({ code: 'PROVIDER_NOT_FOUND' });
  simulation.world.deploy(site, '12', {});
  expect((await stage.apply()).outputs).toEqual({
    address: {
      id: '12',
      hostname: 'shop-web-0a1b2c3d4-12.westeurope.3.azurestaticapps.net',
      url: 'https://shop-web-0a1b2c3d4-12.westeurope.3.azurestaticapps.net',
    },
  });
  expectContracts([simulation]);
});

it('every address operation has the same two outputs, beside the id of what a host told of', async () => {
  const { readSubjects } = await import('../../src/recipes/subjects.ts');
  const all = await readSubjects(await openRegistry({ env: {}, cwd: root }));
  const ops = all.flatMap(({ adapter }) => Object.entries(adapter.ops).filter(([name]) => /(?:^|_)address$/.test(name)));
  expect(ops.length).toBeGreaterThanOrEqual(7);
  for (const [name, { kind, outputs }] of ops)
    expect([kind, Object.keys(outputs).filter((one) => one !== 'id')], name).toEqual(['wait', ['hostname', 'url']]);
});
