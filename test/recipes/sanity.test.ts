import { sanity } from 'pilotfish-sandbox/sanity';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

const project_id = 'k2x9f0qd';
const name = 'pr-12';
const origin = 'https://pr-12.acme.example';

describeRecipe('sanity.dataset', {
  simulate: sanity,
  subject: ({ world }) => {
    const project = world.addProject(project_id);
    world.addDataset(project_id, 'pr-13');
    const mine = () => project.datasets.filter((one) => one.name === name);
    return {
      credential: 'SANITY_AUTH_TOKEN',
      params: { project_id, name, acl_mode: 'private', description: 'preview 12' },
      mine,
      others: () => project.datasets.filter((one) => one.name !== name),
      stands: { aclMode: 'private', description: 'preview 12' },
      edits: { aclMode: { aclMode: 'public' }, description: { description: null } },
      changes: { aclMode: { acl_mode: 'public' }, description: { description: 'preview 12, changed' } },
      undeclared: { tags: [{ name: 'web', title: 'Web' }] },
      remove: () => world.removeDataset(project_id, name),
      fill: () => Object.assign(world.state, { datasetLimit: 2 }),
      foreign: () => world.addDataset(project_id, name),
      requests: { create: { method: 'PUT' } },
    };
  },
  skip: { twoMatches: 'a project has one dataset of a name' },
});

describeRecipe('sanity.cors_origin', {
  simulate: sanity,
  subject: ({ world }) => {
    const project = world.addProject(project_id);
    world.addOrigin(project_id, 'https://pr-13.acme.example');
    // One that is gone stays in the list for a while.
    world.addOrigin(project_id, origin).deletedAt = '2026-11-20T00:00:00.000Z';
    const isMine = (one: { readonly origin: string; readonly deletedAt: string | null }) => one.origin === origin && one.deletedAt === null;
    const mine = () => project.origins.filter(isMine);
    const gone = project.origins.filter((one) => !isMine(one));
    return {
      credential: 'SANITY_AUTH_TOKEN',
      params: { project_id, origin },
      mine,
      others: () => project.origins.filter((one) => !isMine(one)),
      stands: { origin, allowCredentials: false },
      edits: {},
      fixed: { allowCredentials: { allow_credentials: true } },
      remove: () => {
        world.removeOrigin(project_id, origin);
        project.origins.push(...gone.filter((one) => one.origin === origin));
        project.origins.sort((one, other) => one.id - other.id);
      },
      foreign: () => world.addOrigin(project_id, origin),
    };
  },
});

it.each([
  'https://pr-12.acme.example/',
  'https://pr-12.acme.example/path',
  'https://PR-12.acme.example',
  'https://pr-12.acme.example:443',
  'http://localhost:80',
  'pr-12.acme.example',
])('the origin %s is refused before any request, because it would not be found again', async (written) => {
  const simulation = sanity();
  const stage = await openStage({
    simulations: [simulation],
    env: { SANITY_AUTH_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [{ id: 'cors', recipe: 'sanity.cors_origin', project_id, origin: written }] }),
  });
  await expect(stage.plan()).rejects.toThrow('cors.origin must match');
  expect(simulation.log).toEqual([]);
  await stage.close();
});

it.each(['*', 'null', 'http://localhost:3000', 'https://*.acme.example'])('the origin %s is made and found again', async (given) => {
  const simulation = sanity();
  const { origins } = simulation.world.addProject(project_id);
  const stage = await openStage({
    simulations: [simulation],
    env: { SANITY_AUTH_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [{ id: 'cors', recipe: 'sanity.cors_origin', project_id, origin: given }] }),
  });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(origins).toMatchObject([{ origin: given, allowCredentials: false }]);
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'none' }] });
  await stage.close();
});
