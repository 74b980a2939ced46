import { doppler } from 'pilotfish-sandbox/doppler';
import { expect, it, onTestFinished } from 'vitest';
import { describeParams } from '../support/describe-params.ts';
import { describeRecipe } from '../support/describe-recipe.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';

const place = { project: 'shop', environment: 'dev' } as const;
const name = 'dev_pr-12';
const value = 'postgres://pr-12.acme.example/db';

describeRecipe('doppler.config', {
  simulate: doppler,
  subject: ({ world }) => {
    const root = world.addEnvironment(place.project, place.environment);
    root.secrets.API_URL = { raw: 'https://api.example', visibility: 'masked' };
    world.addEnvironment(place.project, 'prd');
    world.addEnvironment('docs', place.environment);
    // Of another project, of another environment, and one whose name is longer.
    world.addConfig('docs', place.environment, name);
    world.addConfig(place.project, 'prd', 'prd_pr-12');
    world.addConfig(place.project, place.environment, 'dev_pr-121');
    const isMine = (one: { readonly project: string; readonly name: string }) => one.project === place.project && one.name === name;
    return {
      credential: 'DOPPLER_TOKEN',
      params: { ...place, branch: 'pr-12' },
      mine: () => world.state.configs.filter(isMine),
      others: () => [world.state.configs.filter((one) => !isMine(one) && one.project !== 'crowd'), world.state.leases, world.state.syncs],
      stands: { ...place, name, root: false },
      remove: () => world.removeConfig(place.project, name),
      foreign: () => world.addConfig(place.project, place.environment, name),
      isUnique: true,
      crowd: {
        fill: () => {
          world.addEnvironment('crowd', 'dev');
          for (let n = 13; n < 60; n += 1) world.addConfig('crowd', 'dev', `dev_pr-${n}`);
        },
        looks: 1,
      },
    };
  },
  skip: { twoMatches: 'a project has a name once' },
});

describeRecipe('doppler.secret', {
  simulate: doppler,
  subject: ({ world }) => {
    const root = world.addEnvironment(place.project, place.environment);
    root.secrets.API_URL = { raw: 'https://api.example', visibility: 'masked' };
    const config = world.addConfig(place.project, place.environment, name);
    config.secrets.DATABASE_URL_OLD = { raw: value, visibility: 'masked' };
    const other = world.addConfig(place.project, place.environment, 'dev_pr-13');
    other.secrets.DATABASE_URL = { raw: value, visibility: 'masked' };
    return {
      credential: 'DOPPLER_TOKEN',
      env: { VALUE: value, NEXT_VALUE: 'postgres://next' },
      params: { project: place.project, config: name, name: 'DATABASE_URL', value: { secret: 'env://VALUE' } },
      mine: () => Object.entries(config.secrets).flatMap(([key, one]) => (key === 'DATABASE_URL' ? [one] : [])),
      others: () => [Object.entries(config.secrets).filter(([key]) => key !== 'DATABASE_URL'), root, other, world.state.leases],
      stands: { raw: value, visibility: 'masked' },
      edits: { raw: { raw: 'postgres://elsewhere' } },
      changes: { raw: { value: { secret: 'env://NEXT_VALUE' } } },
      undeclared: { visibility: 'unmasked' },
      remove: () => {
        delete config.secrets.DATABASE_URL;
      },
      foreign: () => Object.assign(config.secrets, { DATABASE_URL: { raw: 'postgres://theirs', visibility: 'masked' } }),
    };
  },
  skip: { twoMatches: 'a name holds one value' },
});

describeParams('doppler.config', {
  line: { ...place, branch: 'pr-12' },
  required: ['project', 'environment', 'branch'],
  takes: { project: ['shop', 'Shop_2-web', '7'], environment: ['dev', 'dev_2', 'pre-view', '7'], branch: ['pr-12', 'pr_12', 'x', '7'] },
  refuses: {
    project: ['', '-shop', 'my shop', 'shop/web', 'shop&config=prd'],
    environment: ['', '_dev', 'Dev', 'dev.2', 'de v'],
    branch: ['', '_12', '-12', 'PR-12', 'pr/12', 'pr 12', 'pr.12'],
  },
  gives: { id: 'shown', name: 'shown' },
  api: { address: 'https://api.doppler.com' },
});

describeParams('doppler.secret', {
  line: { project: 'shop', config: name, name: 'DATABASE_URL', value: { secret: 'env://VALUE' } },
  required: ['project', 'config', 'name', 'value'],
  takes: {
    project: ['Shop_2-web', '7'],
    config: ['dev', 'dev_pr-12', '7'],
    name: ['A', '_A', 'A_1', 'DOPPLER_PROJECTS', 'MY_DOPPLER_CONFIG'],
  },
  refuses: {
    project: ['', '-shop', 'my shop', 'shop/web'],
    config: ['', '_dev', 'Dev_pr-12', 'dev/12', 'dev pr'],
    name: ['', 'a', 'database_url', '1A', 'A-B', 'A.B', 'A,B', 'A B', 'DOPPLER_PROJECT', 'DOPPLER_ENVIRONMENT', 'DOPPLER_CONFIG'],
  },
  gives: { id: 'shown' },
  secrets: ['value'],
});

const config = { id: 'config', recipe: 'doppler.config', ...place, branch: 'pr-12' };
const secret = {
  id: 'secret',
  recipe: 'doppler.secret',
  project: place.project,
  config: name,
  name: 'DATABASE_URL',
  value: { secret: 'env://VALUE' },
};

/** A plan at a project whose environment `dev` has a root config. */
async function openShop({ lines = [config], text = value }: { readonly lines?: readonly object[]; readonly text?: string } = {}) {
  const clock = new LeapingClock();
  const simulation = doppler({ clock });
  const { world } = simulation;
  const root = world.addEnvironment(place.project, place.environment);
  const stage = await openStage({
    simulations: [simulation],
    env: { DOPPLER_TOKEN: simulation.tokens.full, VALUE: text, PILOTFISH_LEASE_MS: '120000' },
    plan: JSON.stringify({ version: 1, changes: lines }),
    clock,
  });
  onTestFinished(() => stage.close());
  return { ...simulation, stage, clock, root, branch: () => world.config(place.project, name) };
}

const masked = (raw: string) => ({ raw, visibility: 'masked' }) as const;

it('a root config that has the name is never taken for ours, and never deleted', async () => {
  const { stage, world } = await openShop();
  const theirs = world.addEnvironment(place.project, name);
  expect(await stage.apply()).toMatchObject({ ok: false, lines: [{ error: { code: 'PROVIDER_CONFLICT' } }] });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(world.state.configs).toContain(theirs);
  expect(await stage.ledger()).toMatchObject({ records: new Map(), intents: new Map() });
});

it.each([
  [400, `A config with the name '${name}' already exists in this project`],
  [409, 'Name is taken'],
])('a create whose name was taken meanwhile is a conflict with %i, and what has the name stays', async (status, message) => {
  const { stage, world, faults, branch } = await openShop();
  faults.once('POST /v3/configs', status, { messages: [message], success: false });
  expect((await stage.apply()).lines[0]?.error).toMatchObject({ code: 'PROVIDER_CONFLICT', detail: expect.stringContaining(message) });
  world.addConfig(place.project, place.environment, name);
  expect(await stage.apply()).toMatchObject({ ok: false, lines: [{ error: { code: 'RESOURCE_FOREIGN' } }] });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(branch()).toBeDefined();
});

it('a config that somebody locked stays with its record, the destroy says that it is to be unlocked, and the next one deletes it', async () => {
  const { stage, branch } = await openShop();
  await stage.apply();
  Object.assign(branch() ?? {}, { locked: true });
  const refused = await stage.destroy();
  expect(refused).toMatchObject({ ok: false, lines: [{ error: { fix: expect.stringContaining('unlock it') } }] });
  expect((await stage.ledger()).records.size).toBe(1);
  Object.assign(branch() ?? {}, { locked: false });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(branch()).toBeUndefined();
});

it('a config is gone with an environment that somebody deleted, and forgotten', async () => {
  const { stage, world } = await openShop();
  world.addEnvironment(place.project, 'prd');
  await stage.apply();
  world.state.configs = world.state.configs.filter(({ environment }) => environment !== place.environment);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect((await stage.ledger()).records.size).toBe(0);
});

it('a delete whose answer says that it was none keeps the record', async () => {
  const { stage, faults, branch } = await openShop();
  await stage.apply();
  faults.once('DELETE /v3/configs/config', 200, { success: false });
  expect(await stage.destroy()).toMatchObject({ ok: false, lines: [{ error: { code: 'PROVIDER_RESPONSE' } }] });
  expect((await stage.ledger()).records.size).toBe(1);
  expect(branch()).toBeDefined();
});

it('a secret went with a config that somebody deleted, and one of another config of that name is theirs', async () => {
  const { stage, clock, world, branch, log } = await openShop({ lines: [config, { ...secret, config: { from: 'config.name' } }] });
  await stage.apply();
  world.removeConfig(place.project, name);
  await clock.sleep(60_000);
  world.addConfig(place.project, place.environment, name).secrets.DATABASE_URL = masked('postgres://theirs');
  const theirs = structuredClone(branch());
  const before = log.length;
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect([branch(), log.slice(before).filter(({ write }) => write)]).toEqual([theirs, []]);
  expect((await stage.ledger()).records.size).toBe(0);
});

it('a service token, which belongs to one config, is refused before any request', async () => {
  const { stage, log } = await openShop();
  const run = stage.apply({ env: { ...stage.env, DOPPLER_TOKEN: 'dp.st.dev.0123456789abcdef' } });
  await expect(run).rejects.toThrow('DOPPLER_TOKEN starts with "dp.st."');
  expect(log).toEqual([]);
});

it('a secret that the config inherits is refused as one of somebody else, and the root config keeps it', async () => {
  const { stage, world, root, writes } = await openShop({ lines: [secret] });
  world.addConfig(place.project, place.environment, name);
  root.secrets.DATABASE_URL = masked('postgres://dev');
  expect(await stage.apply()).toMatchObject({ ok: false, lines: [{ error: { code: 'RESOURCE_FOREIGN' } }] });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(writes()).toEqual([]);
  expect(root.secrets).toEqual({ DATABASE_URL: masked('postgres://dev') });
});

it('a secret of ours that somebody deleted, behind which one of the root config shows, is put back and then deleted', async () => {
  const { stage, world, root } = await openShop({ lines: [secret] });
  const { secrets } = world.addConfig(place.project, place.environment, name);
  await stage.apply();
  root.secrets.DATABASE_URL = masked('postgres://dev');
  delete secrets.DATABASE_URL;
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'update', drift: 'changed' }] });
  // Nobody can tell which of the two shows, so the record stays.
  expect(await stage.destroy()).toMatchObject({ ok: false, lines: [{ error: { code: 'PROVIDER_AUTH' } }] });
  expect((await stage.ledger()).records.size).toBe(1);
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(secrets).toEqual({ DATABASE_URL: masked(value) });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(secrets).toEqual({});
  expect(root.secrets).toEqual({ DATABASE_URL: masked('postgres://dev') });
});

it('a secret with a reference is compared as it was written, whatever the reference stands for', async () => {
  const text = 'postgres://${HOST}/db';
  const { stage, world, writes } = await openShop({ lines: [secret], text });
  const { secrets } = world.addConfig(place.project, place.environment, name);
  secrets.HOST = masked('one.acme.example');
  await stage.apply();
  expect(secrets.DATABASE_URL).toEqual(masked(text));
  secrets.HOST = masked('two.acme.example');
  expect(await stage.apply()).toMatchObject({ lines: [{ verdict: 'none', drift: 'none' }] });
  expect(writes()).toHaveLength(1);
  secrets.DATABASE_URL = masked('postgres://one.acme.example/db');
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'update', drift: 'changed' }] });
});

it('a restricted secret is there: one of others is foreign, and ours is neither written again nor left behind', async () => {
  const { stage, world, writes } = await openShop({ lines: [secret] });
  const { secrets } = world.addConfig(place.project, place.environment, name);
  secrets.DATABASE_URL = { raw: 'postgres://theirs', visibility: 'restricted' };
  expect((await stage.apply()).lines[0]?.error?.code).toBe('RESOURCE_FOREIGN');
  delete secrets.DATABASE_URL;
  await stage.apply();
  Object.assign(secrets.DATABASE_URL ?? {}, { visibility: 'restricted' });
  expect(await stage.apply()).toMatchObject({ lines: [{ verdict: 'none', drift: 'none' }] });
  expect(writes()).toHaveLength(1);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(secrets).toEqual({});
});

it('an answer without the map of secrets is no proof that one is missing', async () => {
  const { stage, world, faults, writes } = await openShop({ lines: [secret] });
  world.addConfig(place.project, place.environment, name);
  faults.times(9, 'GET /v3/configs/config/secrets', 200, {});
  expect(await stage.apply()).toMatchObject({ ok: false });
  expect(writes()).toEqual([]);
});

it('a write whose answer was lost starts the syncs of the config once', async () => {
  const { stage, world, faults } = await openShop({ lines: [secret] });
  world.addConfig(place.project, place.environment, name);
  const lost = faults.loseAnswer('POST /v3/configs/config/secrets');
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(lost.hits).toBe(1);
  expect(world.state.syncs).toBe(1);
});

it('a secret comes after the config of its plan, and goes with one that somebody deleted', async () => {
  const { stage, world, root, branch } = await openShop({ lines: [config, { ...secret, config: { from: 'config.name' } }] });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(branch()?.secrets).toEqual({ DATABASE_URL: masked(value) });
  world.removeConfig(place.project, name);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect((await stage.ledger()).records.size).toBe(0);
  expect(world.state.configs).toEqual([root]);
  expect(world.state.leases).toBe(0);
});
