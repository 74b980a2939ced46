import { railway } from 'pilotfish-sandbox/railway';
import { expect, it, onTestFinished } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';
import { livesOn } from '../support/suite/kept.ts';

const place = { project_id: '4f2b8c1e-project', environment_id: '9a7d3e5f-preview', service_id: '1c6e0b2d-web' };
const value = 'https://api-pr-12.acme.example';

describeRecipe('railway.variable', {
  simulate: railway,
  subject: ({ origin, basePath, world }) => {
    world.addEnvironment(place.project_id, place.environment_id, place.service_id);
    const all = world.variables(place.environment_id, place.service_id);
    Object.assign(all, { PORT: { value: '3000' } });
    const shared = world.variables(place.environment_id, '');
    Object.assign(shared, { API_URL: { value: 'https://shared.example' } });
    return {
      credential: 'RAILWAY_API_TOKEN',
      env: { RAILWAY_API_URL: origin + basePath, API_URL_VALUE: value },
      params: { ...place, name: 'API_URL', value: { secret: 'env://API_URL_VALUE' } },
      mine: () => Object.entries(all).flatMap(([name, one]) => (name === 'API_URL' ? [one] : [])),
      others: () => [Object.entries(all).filter(([name]) => name !== 'API_URL'), shared],
      stands: { value },
      edits: { value: { value: 'https://elsewhere.example' } },
      changes: { value: { value: 'https://next.acme.example' } },
      remove: () => {
        delete all.API_URL;
      },
      foreign: () => Object.assign(all, { API_URL: { value: 'https://theirs.example' } }),
      requests: {
        look: ({ text }) => text.includes('query variables'),
        create: ({ text }) => text.includes('variableUpsert'),
        remove: ({ text }) => text.includes('variableDelete'),
      },
    };
  },
  skip: {
    twoMatches: 'a name holds one value',
    'untidy secret-hidden: nothing': 'a variable without a member in the map is one that is not there',
  },
});

it('a variable without a service is shared, and a line may keep its write from deploying', async () => {
  const simulation = railway();
  const { project_id, environment_id, service_id } = place;
  simulation.world.addEnvironment(project_id, environment_id, service_id);
  const own = { id: 'own', recipe: 'railway.variable', ...place, name: 'HOST', value: '${{shared.HOST}}', skip_deploys: true };
  const stage = await openStage({
    simulations: [simulation],
    env: { RAILWAY_API_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({
      version: 1,
      changes: [own, { id: 'shared', recipe: 'app_platform_c.variable', project_id, environment_id, name: 'HOST', value }],
    }),
  });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(simulation.world.variables(environment_id, '')).toEqual({ HOST: { value } });
  expect(simulation.world.variables(environment_id, service_id)).toEqual({ HOST: { value: '${{shared.HOST}}' } });
  expect(simulation.world.state.deploys).toBe(1);
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }, { verdict: 'none' }] });
  // What the reference stands for may change; the variable is as it was written.
  Object.assign(simulation.world.variables(environment_id, ''), { HOST: { value: 'https://theirs.example' } });
  expect(await stage.plan()).toMatchObject({
    lines: [
      { verdict: 'none', drift: 'none' },
      { verdict: 'update', drift: 'changed' },
    ],
  });
  await stage.close();
});

it('a variable that somebody sealed is there: one of others is foreign, and ours is neither written again nor left behind', async () => {
  const { stage, held } = await openVariable();
  const all = held();
  Object.assign(all, { API_URL: { value: 'https://theirs.example', isSealed: true } });
  expect((await stage.apply()).lines[0]?.error?.code).toBe('RESOURCE_FOREIGN');
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(all.API_URL).toEqual({ value: 'https://theirs.example', isSealed: true });
  delete all.API_URL;
  expect(await stage.apply()).toMatchObject({ ok: true });
  Object.assign(all, { API_URL: { value, isSealed: true } });
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none', drift: 'none' }] });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(all.API_URL).toBeUndefined();
});

const upsert = ({ text }: { readonly text: string }) => text.includes('variableUpsert');

/** One variable whose plan may say another value. */
async function openVariable(params: object = {}) {
  const simulation = railway();
  const { world } = simulation;
  world.addEnvironment(place.project_id, place.environment_id, place.service_id);
  const plan = (text: string): string =>
    JSON.stringify({
      version: 1,
      changes: [{ id: 'url', recipe: 'railway.variable', ...place, name: 'API_URL', value: text, ...params }],
    });
  const stage = await openStage({
    simulations: [simulation],
    env: { RAILWAY_API_TOKEN: simulation.tokens.full, PILOTFISH_REQUEST_DEADLINE_MS: '3000', PILOTFISH_LEASE_MS: '120000' },
    plan: plan(value),
    clock: new LeapingClock(),
  });
  onTestFinished(() => stage.close());
  return {
    ...simulation,
    stage,
    change: (text: string) => stage.write(plan(text)),
    held: () => world.variables(place.environment_id, place.service_id),
  };
}

it('a changed value of a line that may not deploy does not deploy either', async () => {
  const { stage, change, held, world } = await openVariable({ skip_deploys: true });
  await stage.apply();
  await change('https://next.acme.example');
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
  expect(held()).toEqual({ API_URL: { value: 'https://next.acme.example' } });
  expect(world.state.deploys).toBe(0);
});

it('a change is written again until an answer comes: a second write of a value is as good as one', async () => {
  const { stage, change, held, faults } = await openVariable();
  await stage.apply();
  await change('https://next.acme.example');
  const lost = faults.loseRequest(upsert, 3);
  expect(await stage.apply()).toMatchObject({ ok: true, status: 'complete' });
  expect(lost.hits).toBe(3);
  expect(held()).toEqual({ API_URL: { value: 'https://next.acme.example' } });
});

it('a variable whose answer was lost is looked for before it is written again, so its service deploys once', async () => {
  const { stage, held, faults, world } = await openVariable();
  const lost = faults.loseAnswer(upsert);
  expect(await stage.apply()).toMatchObject({ ok: true, status: 'complete' });
  expect(lost.hits).toBe(1);
  expect(held()).toEqual({ API_URL: { value } });
  expect(world.state.deploys).toBe(1);
});

it('a value with a reference is compared as it was written, and names that differ in case are two', () =>
  livesOn('railway.variable', railway, ({ world }) => {
    world.addEnvironment(place.project_id, place.environment_id, place.service_id);
    const all = world.variables(place.environment_id, place.service_id);
    Object.assign(all, { api_url: { value: 'https://theirs.example' } });
    Object.assign(world.variables(place.environment_id, ''), { HOST: { value: 'shop.acme.example' } });
    return {
      credential: 'RAILWAY_API_TOKEN',
      params: { ...place, name: 'Api_Url', value: 'https://${{shared.HOST}}/api' },
      mine: () => Object.entries(all).flatMap(([name, one]) => (name === 'Api_Url' ? [one] : [])),
      others: () => Object.entries(all).filter(([name]) => name !== 'Api_Url'),
      stands: { value: 'https://${{shared.HOST}}/api' },
      edits: { value: { value: 'https://shop.acme.example/api' } },
    };
  }));
