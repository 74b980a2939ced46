import { convex } from 'pilotfish-sandbox/convex';
import { describe, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

const project_id = '123456';
const project = Number(project_id);
const reference = 'preview/pr-12';
const name = 'ci-pr-12';

describeRecipe('convex.preview_deployment', {
  simulate: convex,
  subject: ({ world }) => {
    world.addDeployment(project, 'preview/pr-1');
    world.addDeployment(project, 'preview/pr-13');
    world.addDeployment(project, 'main', 'prod');
    world.addDeployment(project + 1, reference);
    const isMine = (one: { readonly projectId: number; readonly reference: string }) =>
      one.projectId === project && one.reference === reference;
    const mine = () => world.state.deployments.filter(isMine);
    return {
      credential: 'CONVEX_TEAM_ACCESS_TOKEN',
      params: { project_id, reference },
      mine,
      others: () => world.state.deployments.filter((one) => !isMine(one)),
      stands: { deploymentType: 'preview', reference },
      edits: {},
      undeclared: { class: 's256', dashboardEditConfirmation: true, expiresAt: null },
      remove: () => {
        for (const one of mine()) world.removeDeployment(one.name);
      },
      fill: () => Object.assign(world.state, { deploymentLimit: 3 }),
      foreign: () => world.addDeployment(project, reference),
      requests: { remove: 'POST /v1/deployments/{name}/delete' },
    };
  },
  skip: { twoMatches: 'references are unique in a project' },
});

describeRecipe('convex.deploy_key', {
  simulate: convex,
  subject: ({ world }) => {
    const deployment = world.addDeployment(project, reference);
    world.addKey(deployment.name, 'ci-pr-1');
    const neighbour = world.addDeployment(project, 'preview/pr-13');
    world.addKey(neighbour.name, name);
    const mine = () => deployment.keys.filter((one) => one.name === name);
    return {
      credential: 'CONVEX_TEAM_ACCESS_TOKEN',
      params: { deployment: deployment.name, name },
      mine,
      others: () => [deployment.keys.filter((one) => one.name !== name), { ...deployment, keys: [] }, neighbour],
      stands: { name, key: expect.stringMatching(/^preview:/) },
      edits: {},
      undeclared: { allowedActions: ['deployment:deploy', 'deployment:logs:view'] },
      remove: () => world.removeKey(deployment.name, name),
      foreign: () => world.addKey(deployment.name, name),
      gives: () => ({ deploy_key: mine()[0]?.key ?? '' }),
      secrets: () => mine().map(({ key }) => key),
      requests: { remove: 'POST /v1/deployments/{name}/delete_deploy_key' },
    };
  },
  skip: { twoMatches: 'names are unique in a deployment' },
});

const preview = { id: 'backend', recipe: 'convex.preview_deployment', project_id, reference };
const key = { id: 'key', recipe: 'convex.deploy_key', deployment: { from: 'backend.name' }, name };

async function open(changes: readonly object[], absentStatus: 404 | 400 = 404) {
  const simulation = convex();
  const { world } = simulation;
  world.addDeployment(project, 'main', 'prod');
  world.state.absentStatus = absentStatus;
  const stage = await openStage({
    simulations: [simulation],
    env: { CONVEX_TEAM_ACCESS_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes }),
  });
  const previews = () => world.state.deployments.filter((one) => one.reference === reference);
  return { world, stage, previews, simulation };
}

describe('convex', () => {
  it('a reference that a deployment of another type has is refused, and nothing is written', async () => {
    const { stage, world, simulation } = await open([{ ...preview, reference: 'staging' }]);
    world.addDeployment(project, 'staging', 'dev');
    expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
    expect(simulation.writes()).toEqual([]);
    await stage.close();
  });

  it.each(['happy-otter-123', 'local-pr-12', 'preview', 'pr', 'PR-12'])('the reference %s is refused before any request', async (wrong) => {
    const { stage, simulation } = await open([{ ...preview, reference: wrong }]);
    await expect(stage.plan()).rejects.toMatchObject({ failures: [{ code: 'PARAM_INVALID' }] });
    expect(simulation.log).toEqual([]);
    await stage.close();
  });

  it.each([404, 400] as const)('one that the retention took away is made again, and destroyed when absent answers %i', async (status) => {
    const { stage, world, previews, simulation } = await open([preview], status);
    expect(await stage.apply()).toMatchObject({ ok: true });
    for (const one of previews()) world.removeDeployment(one.name);
    expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'create' }] });
    for (const one of previews()) world.removeDeployment(one.name);
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect((await stage.ledger()).records.size).toBe(0);
    expectContracts([simulation]);
    await stage.close();
  });

  it('a key of the preview of the same plan is made after it and goes before it', async () => {
    const { stage, previews, simulation } = await open([preview, key]);
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(previews()).toMatchObject([{ keys: [{ name }] }]);
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect(simulation.writes().map(({ path }) => path.replace(/^.*\//, ''))).toEqual([
      'create_deployment',
      'create_deploy_key',
      'delete_deploy_key',
      'delete',
    ]);
    await stage.close();
  });

  it('one that is made anew is gone before another is made, for a create would take away whatever has its reference', async () => {
    const { stage, previews, simulation } = await open([preview]);
    expect(await stage.apply()).toMatchObject({ ok: true });
    const there: number[] = [];
    simulation.watch(({ phase, path }) => {
      if (phase === 'before' && path.endsWith('/create_deployment')) there.push(previews().length);
    });
    expect(await stage.apply({ recreate: ['backend'] })).toMatchObject({ ok: true });
    expect(there).toEqual([0]);
    expect(previews()).toHaveLength(1);
    await stage.close();
  });

  it.each([404, 400] as const)('a key goes with the deployment that the retention took away, when absent answers %i', async (status) => {
    const { stage, world, previews } = await open([preview, key], status);
    expect(await stage.apply()).toMatchObject({ ok: true });
    for (const one of previews()) world.removeDeployment(one.name);
    expect(await stage.destroy()).toMatchObject({ ok: true });
    expect((await stage.ledger()).records.size).toBe(0);
    await stage.close();
  });
});
