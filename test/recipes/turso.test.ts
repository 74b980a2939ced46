import { turso } from 'pilotfish-sandbox/turso';
import { expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

const organization = 'acme';
const name = 'shop-pr-12';
const params = { organization, name, group: 'default', parent: 'shop' };

describeRecipe('turso.database_branch', {
  simulate: turso,
  subject: ({ world }) => {
    const acme = world.addOrganization(organization, ['default', 'europe']);
    world.addDatabase(organization, 'shop');
    world.addDatabase(organization, 'shop-pr-13', 'shop');
    world.addOrganization('other');
    world.addDatabase('other', name);
    return {
      credential: 'TURSO_API_TOKEN',
      params,
      mine: () => acme.databases.filter(({ Name }) => Name === name),
      others: () => [acme.databases.filter(({ Name }) => Name !== name), world.state.organizations.other],
      stands: { Name: name, group: 'default', parent: { name: 'shop' } },
      edits: {},
      undeclared: { block_writes: true, group: 'europe' },
      remove: () => world.removeDatabase(organization, name),
      foreign: () => world.addDatabase(organization, name),
      isUnique: true,
    };
  },
  skip: { twoMatches: 'names are unique in an organization' },
});

it.each([409, 400] as const)(
  'a name that somebody took between the look and the create is theirs when it is refused with %i',
  async (duplicate) => {
    const simulation = turso();
    const { world } = simulation;
    const acme = world.addOrganization(organization);
    world.addDatabase(organization, 'shop');
    world.state.duplicate = duplicate;
    const stop = simulation.watch(({ phase, method }) => {
      if (phase === 'before' && method === 'POST') world.addDatabase(organization, name);
    });
    const stage = await openStage({
      simulations: [simulation],
      env: { TURSO_API_TOKEN: simulation.tokens.full },
      plan: JSON.stringify({ version: 1, changes: [{ id: 'db', recipe: 'turso.database_branch', ...params }] }),
    });
    expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
    stop();
    expect((await stage.ledger()).records.size).toBe(0);
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(acme.databases.map(({ Name }) => Name)).toEqual(['shop', name]);
    expectContracts([simulation]);
    await stage.close();
  },
);

it('a name that somebody had for a moment is a conflict, also when it is refused with 400', async () => {
  const simulation = turso();
  const { world } = simulation;
  world.addOrganization(organization);
  world.addDatabase(organization, 'shop');
  world.state.duplicate = 400;
  simulation.watch(({ phase, method }) => {
    if (method !== 'POST') return;
    if (phase === 'before') world.addDatabase(organization, name);
    else world.removeDatabase(organization, name);
  });
  const stage = await openStage({
    simulations: [simulation],
    env: { TURSO_API_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [{ id: 'db', recipe: 'turso.database_branch', ...params }] }),
  });
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_CONFLICT' } });
  expect((await stage.ledger()).records.size).toBe(0);
  expectContracts([simulation]);
  await stage.close();
});

it('a branch of a moment is asked for with it, and one whose delete protection is on keeps its record', async () => {
  const simulation = turso();
  const { world } = simulation;
  world.addOrganization(organization);
  world.addDatabase(organization, 'shop');
  const line = { id: 'db', recipe: 'turso.database_branch', ...params, timestamp: '2026-01-02T03:04:05Z' };
  const stage = await openStage({
    simulations: [simulation],
    env: { TURSO_API_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [line] }),
  });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(simulation.writes()).toMatchObject([{ body: { seed: { type: 'database', name: 'shop', timestamp: '2026-01-02T03:04:05Z' } } }]);
  const made = world.state.organizations[organization]?.databases.find(({ Name }) => Name === name);
  Object.assign(made ?? {}, { delete_protection: true });
  expect(await stage.destroy()).toMatchObject({ ok: false, error: { code: 'PROVIDER_INVALID' } });
  expect((await stage.ledger()).records.size).toBe(1);
  Object.assign(made ?? {}, { delete_protection: false });
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expectContracts([simulation]);
  await stage.close();
});
