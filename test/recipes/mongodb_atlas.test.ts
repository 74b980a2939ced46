import { mongodbAtlas } from 'pilotfish-sandbox/mongodb-atlas';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';
import { livesOn } from '../support/suite/kept.ts';

const project_id = '64d9f3a1b2c3d4e5f6a7b8c9';
const username = 'shop-pr-12';
const roles = [
  { roleName: 'readWrite', databaseName: 'shop_pr_12' },
  { roleName: 'read', databaseName: 'catalogue', collectionName: 'prices' },
];
const scopes = [
  { name: 'previews', type: 'CLUSTER' },
  { name: 'archive', type: 'CLUSTER' },
];

describeRecipe('mongodb_atlas.database_user', {
  simulate: mongodbAtlas,
  subject: ({ world, tokens, log }) => {
    const project = world.addProject(project_id);
    const add = (name: string, more = {}) => world.addUser(project_id, { username: name, roles, scopes, ...more });
    add('shop-pr-1');
    add('shop-pr-13');
    // The same name for another way of signing in is another user.
    add(username, { databaseName: '$external', password: '' });
    const isMine = (one: { readonly username: string; readonly databaseName: string }) =>
      one.username === username && one.databaseName === 'admin';
    // The first request of a run goes without a proof, to be challenged: what a provider is too busy for comes after it.
    const proven = (wanted: string) => (call: { readonly method: string }) => call.method === wanted && log.at(-1)?.status === 401;
    return {
      credential: (tier) => ({ MONGODB_ATLAS_PUBLIC_KEY: world.publicKey, MONGODB_ATLAS_PRIVATE_KEY: tokens[tier] }),
      env: { PREVIEW_DB_PASSWORD: 'pr-12-hunter2-hunter2' },
      params: { project_id, username, password: { secret: 'env://PREVIEW_DB_PASSWORD' }, roles, scopes },
      mine: () => project.users.filter(isMine),
      others: () => project.users.filter((one) => !isMine(one)),
      stands: { username, databaseName: 'admin', password: 'pr-12-hunter2-hunter2', roles, scopes },
      edits: {
        roles: { roles: [{ roleName: 'atlasAdmin', databaseName: 'admin' }] },
        scopes: { scopes: [] },
      },
      changes: {
        roles: { roles: roles.slice(0, 1) },
        scopes: { scopes: [...scopes, { name: 'catalogue', type: 'CLUSTER' }] },
      },
      same: { roles: { roles: [...roles].reverse() }, scopes: { scopes: [...scopes].reverse() } },
      unseen: { password: 'it is never shown' },
      undeclared: { description: 'written in the console', labels: [{ key: 'team', value: 'shop' }], roles: [...roles].reverse() },
      remove: () => {
        project.users = project.users.filter((one) => !isMine(one));
      },
      fill: () => Object.assign(world.state, { userLimit: 3 }),
      foreign: () => add(username),
      requests: { look: proven('GET'), remove: proven('DELETE') },
    };
  },
  skip: { twoMatches: 'user names are unique in a project' },
});

it('a password that Atlas takes for too short is told by its origin before anything is sent, and leaves no record', async () => {
  const simulation = mongodbAtlas();
  simulation.world.addProject(project_id);
  const stage = await openStage({
    simulations: [simulation],
    env: {
      MONGODB_ATLAS_PUBLIC_KEY: simulation.world.publicKey,
      MONGODB_ATLAS_PRIVATE_KEY: simulation.tokens.full,
      PREVIEW_DB_PASSWORD: 'seven-7',
    },
    plan: JSON.stringify({
      version: 1,
      changes: [
        {
          id: 'user',
          recipe: 'mongodb_atlas.database_user',
          project_id,
          username,
          roles,
          password: { secret: 'env://PREVIEW_DB_PASSWORD' },
        },
      ],
    }),
  });
  const { error } = await stage.apply();
  expect(error).toMatchObject({ code: 'PARAM_INVALID', detail: expect.stringContaining('env://PREVIEW_DB_PASSWORD') });
  expect(error?.detail).not.toContain('seven-7');
  expect(simulation.writes()).toEqual([]);
  expect((await stage.ledger()).records.size).toBe(0);
  expect(simulation.world.state.projects[project_id]?.users).toEqual([]);
  expect(await stage.apply({ env: { ...stage.env, PREVIEW_DB_PASSWORD: 'eight-88' } })).toMatchObject({ ok: true });
  await stage.close();
});

it('a user whose line names no cluster and one of whom Atlas shows none reach the same', async () => {
  const simulation = mongodbAtlas();
  const project = simulation.world.addProject(project_id);
  const line = { id: 'user', recipe: 'mongodb_atlas.database_user', project_id, username, roles, scopes: [] };
  const stage = await openStage({
    simulations: [simulation],
    env: {
      MONGODB_ATLAS_PUBLIC_KEY: simulation.world.publicKey,
      MONGODB_ATLAS_PRIVATE_KEY: simulation.tokens.full,
      PREVIEW_DB_PASSWORD: 'pr-12-hunter2-hunter2',
    },
    plan: JSON.stringify({ version: 1, changes: [{ ...line, password: { secret: 'env://PREVIEW_DB_PASSWORD' } }] }),
  });
  expect(await stage.apply()).toMatchObject({ ok: true });
  for (const user of project.users) Reflect.deleteProperty(user, 'scopes');
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'none' }] });
  await stage.close();
});

it('ways of signing in that Atlas fills in as NONE are no drift, and no write names them', () =>
  livesOn(
    'mongodb_atlas.database_user',
    mongodbAtlas,
    ({ world, tokens }) => {
      const project = world.addProject(project_id);
      world.addUser(project_id, { username: 'shop-pr-13', roles });
      return {
        credential: (tier) => ({ MONGODB_ATLAS_PUBLIC_KEY: world.publicKey, MONGODB_ATLAS_PRIVATE_KEY: tokens[tier] }),
        env: { PREVIEW_DB_PASSWORD: 'pr-12-hunter2-hunter2' },
        params: { project_id, username, password: { secret: 'env://PREVIEW_DB_PASSWORD' }, roles },
        mine: () => project.users.filter((one) => one.username === username),
        others: () => project.users.filter((one) => one.username !== username),
        stands: { roles },
        edits: { roles: { roles: [{ roleName: 'atlasAdmin', databaseName: 'admin' }] } },
      };
    },
    (_, simulation) => {
      expect(JSON.stringify(simulation.exchanges.map(({ answer }) => answer.body))).toContain('"x509Type":"NONE"');
      expect(JSON.stringify(simulation.writes().map(({ body }) => body))).not.toContain('Type":"NONE"');
      return Promise.resolve();
    },
  ));
