import { amplify } from 'pilotfish-sandbox/aws-amplify';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { expect, it, onTestFinished } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

const app_id = 'd2xyz0abc1def';
const branch_name = 'feature/pr-12';
const value = 'https://api-pr-12.acme.example';

type Branches = ReturnType<typeof amplify>;

const access = ({ origin, tokens, world }: Branches) => ({
  apis: { amplify: { region: 'eu-central-1' } },
  env: { AWS_ENDPOINT_URL_AMPLIFY: origin },
  credential: (tier: keyof typeof tokens) => ({ AWS_ACCESS_KEY_ID: world.keyIds[tier], AWS_SECRET_ACCESS_KEY: tokens[tier] }),
});

describeRecipe('amplify.branch', {
  simulate: amplify,
  subject: (simulation) => {
    const { world } = simulation;
    world.addApp(app_id);
    world.addBranch(app_id, 'main', { stage: 'PRODUCTION' });
    world.addBranch(app_id, 'feature', { description: 'preview 12' });
    const mine = () => world.branches(app_id).filter((one) => one.branchName === branch_name);
    return {
      ...access(simulation),
      params: { app_id, branch_name, stage: 'PULL_REQUEST', description: 'preview 12', enable_auto_build: false },
      mine,
      others: () => world.branches(app_id).filter((one) => one.branchName !== branch_name),
      stands: { stage: 'PULL_REQUEST', description: 'preview 12', enableAutoBuild: false },
      edits: {
        stage: { stage: 'BETA' },
        description: { description: 'changed' },
        enableAutoBuild: { enableAutoBuild: true },
      },
      changes: {
        stage: { stage: 'DEVELOPMENT' },
        description: { description: 'preview 12, changed' },
        enableAutoBuild: { enable_auto_build: true },
      },
      undeclared: { framework: 'Next.js - SSR', environmentVariables: { API_URL: 'https://api.acme.example' } },
      remove: () => world.removeBranch(app_id, branch_name),
      foreign: () => world.addBranch(app_id, branch_name),
      fill: () => Object.assign(world.state, { branchLimit: 2 }),
    };
  },
  skip: { twoMatches: 'an app has one branch of a name' },
});

describeRecipe('amplify.branch_variable', {
  simulate: amplify,
  subject: (simulation) => {
    const { world } = simulation;
    world.addApp(app_id);
    const branch = world.addBranch(app_id, branch_name, { environmentVariables: { API_KEY: 'theirs', NODE_ENV: 'production' } });
    const mine = () => Object.entries(branch.environmentVariables).filter(([name]) => name === 'API_URL');
    return {
      ...access(simulation),
      params: { app_id, branch_name, name: 'API_URL', value },
      mine,
      others: () => ({ ...branch, updateTime: 0, environmentVariables: { ...branch.environmentVariables, API_URL: null } }),
      stands: ['API_URL', value],
      changes: { value: { value: 'https://api.acme.example' } },
      remove: () => void delete branch.environmentVariables.API_URL,
      foreign: () => Object.assign(branch.environmentVariables, { API_URL: value }),
      requests: { create: { method: 'POST' }, remove: { method: 'POST' } },
    };
  },
  skip: { twoMatches: 'a name stands once in a map' },
});

/** One line on a stage of its own. */
async function open(line: object, prepare: (world: Branches['world']) => void) {
  const simulation = amplify();
  prepare(simulation.world);
  const { apis, env, credential } = access(simulation);
  const stage = await openStage({
    simulations: [simulation],
    env: { ...env, ...credential('full') },
    plan: JSON.stringify({ version: 1, providers: { http: apis }, changes: [{ id: 'line', app_id, branch_name, ...line }] }),
  });
  onTestFinished(async () => {
    await stage.close();
    verifyHandled([simulation]);
    expectContracts([simulation]);
  });
  return { stage, simulation, world: simulation.world };
}

it('a branch that is still being deleted is an error, and is not taken for one that exists', async () => {
  const { stage, world } = await open({ recipe: 'amplify.branch' }, (given) => {
    given.addApp(app_id);
    given.state.isSlow = true;
  });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(await stage.apply()).toMatchObject({
    ok: false,
    error: { code: 'PROVIDER_INVALID', detail: expect.stringContaining('deleting') },
  });
  const { records, intents } = await stage.ledger();
  expect([records.size, intents.size, world.branches(app_id).length]).toEqual([0, 0, 0]);
});

it('an app that takes no more branches is PROVIDER_QUOTA at once, although it answers 429', async () => {
  const { stage, simulation } = await open({ recipe: 'amplify.branch' }, (given) => {
    given.addApp(app_id);
    given.state.branchLimit = 0;
  });
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_QUOTA' } });
  expect(simulation.writes().map(({ status }) => status)).toEqual([429]);
});

it('a variable of a branch that is not there is planned, and its write is refused', async () => {
  const { stage } = await open({ recipe: 'amplify.branch_variable', name: 'API_URL', value: 'x' }, (given) => given.addApp(app_id));
  expect((await stage.plan()).lines).toMatchObject([{ verdict: 'create' }]);
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_NOT_FOUND' } });
  expect((await stage.ledger()).records.size).toBe(0);
});

it('the last variable of a branch goes too, although an empty map would change nothing', async () => {
  const line = { recipe: 'amplify.branch_variable', name: 'API_URL', value };
  const { stage, world } = await open(line, (given) => {
    given.addApp(app_id);
    given.addBranch(app_id, branch_name);
  });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(world.branches(app_id)).toMatchObject([{ environmentVariables: {} }]);
  expect((await stage.ledger()).records.size).toBe(0);
});

it('a variable whose branch is gone is gone with it', async () => {
  const { stage, world } = await open({ recipe: 'amplify.branch_variable', name: 'API_URL', value }, (given) => {
    given.addApp(app_id);
    given.addBranch(app_id, branch_name);
  });
  expect(await stage.apply()).toMatchObject({ ok: true });
  world.removeBranch(app_id, branch_name);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect((await stage.ledger()).records.size).toBe(0);
});

it('the token of a session goes along, as whoever signed in for some hours has one', async () => {
  const simulation = amplify();
  simulation.world.addApp(app_id);
  simulation.world.signIn('session-4f2a91c0');
  const { apis, env, credential } = access(simulation);
  const stage = await openStage({
    simulations: [simulation],
    env: { ...env, ...credential('full'), AWS_SESSION_TOKEN: 'session-4f2a91c0' },
    plan: JSON.stringify({
      version: 1,
      providers: { http: apis },
      changes: [{ id: 'line', recipe: 'amplify.branch', app_id, branch_name }],
    }),
  });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(simulation.world.branches(app_id)).toMatchObject([{ branchName: branch_name }]);
  await stage.close();
});

it('a branch of an app that is seen no more is not taken for one that somebody removed', async () => {
  const { stage, world } = await open({ recipe: 'amplify.branch' }, ({ addApp }) => addApp(app_id));
  expect(await stage.apply()).toMatchObject({ ok: true });
  world.state.apps = {};
  expect(await stage.plan()).toMatchObject({ ok: false, lines: [{ verdict: 'failed' }] });
});
