import { convex } from 'pilotfish-sandbox/convex';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { openStage, type Stage } from '../support/stage.ts';

/** What stands in an object that is gone: a key of a deployment that its provider took away, which cannot be asked for any more. */
const project = 123456;
const reference = 'preview/pr-12';
const preview = { id: 'backend', recipe: 'convex.preview_deployment', project_id: String(project), reference: 'preview/${ctx.scope}' };
const key = { id: 'key', recipe: 'convex.deploy_key', deployment: { from: 'backend.name' }, name: 'ci-pr-12' };

let stage: Stage;
let simulation: ReturnType<typeof convex>;
afterEach(async () => {
  verifyHandled([simulation]);
  expectContracts([simulation]);
  await stage.close();
});

async function open(changes: (deployment: string) => readonly object[] = () => [preview, key]) {
  simulation = convex();
  const { world } = simulation;
  const main = world.addDeployment(project, 'main', 'prod');
  stage = await openStage({
    simulations: [simulation],
    env: { CONVEX_TEAM_ACCESS_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: changes(main.name) }),
  });
  expect(await stage.apply()).toMatchObject({ ok: true });
  const previews = () => world.state.deployments.filter((one) => one.reference === reference);
  const retentionEnds = () => {
    for (const { name } of previews()) world.removeDeployment(name);
  };
  return { world, main, previews, retentionEnds };
}

const known = async (): Promise<readonly string[]> => [...(await stage.ledger()).records.values()].map(({ line }) => line).sort();

it.each([404, 400] as const)('is gone with it, and destroy forgets both (absent answers %i)', async (status) => {
  const { world, retentionEnds } = await open();
  world.state.absentStatus = status;
  retentionEnds();
  expect(await stage.destroy()).toMatchObject({ ok: true, status: 'complete' });
  expect(await known()).toEqual([]);
});

it('is made again in the one that takes its place, and what was in the old one is let go', async () => {
  const { previews, retentionEnds } = await open();
  retentionEnds();
  expect(await stage.apply()).toMatchObject({ ok: true, warnings: [] });
  expect(previews()).toMatchObject([{ keys: [{ name: 'ci-pr-12' }] }]);
  expect(await known()).toEqual(['backend', 'key']);
  expect(await stage.apply({ recreate: ['backend'] })).toMatchObject({ ok: true, warnings: [] });
  expect(previews()).toMatchObject([{ keys: [{ name: 'ci-pr-12' }] }]);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(await known()).toEqual([]);
});

it('stays known while the list still shows the other, under whatever name: then nobody may look into it', async () => {
  const { previews } = await open();
  const [deployment] = previews();
  if (!deployment) throw new Error('no deployment was made');
  deployment.reference = 'renamed';
  const hidden = ['GET', 'POST'].map((method) =>
    simulation.faults.times(99, `${method} /v1/deployments/${deployment.name}/{what}`, 404, { code: 'DeploymentNotFound', message: 'no' }),
  );
  expect(await stage.destroy()).toMatchObject({ ok: false, error: { code: 'PROVIDER_AUTH' } });
  expect(await known()).toContain('key');
  for (const one of hidden) one.disarm();
  deployment.reference = reference;
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(await known()).toEqual([]);
});

it('stays known to a credential that sees no list, and after a deployment that no line made', async () => {
  const { retentionEnds } = await open();
  retentionEnds();
  const blind = { env: { CONVEX_TEAM_ACCESS_TOKEN: simulation.tokens.blind } };
  const { ok, lines } = await stage.destroy(blind);
  // Nothing tells another credential that the key is this scope's: what its line stands in cannot be looked at.
  expect([ok, lines.map(({ error, code }) => error?.code ?? code)]).toEqual([false, ['DEPENDENCY_FAILED', 'LEDGER_UNSEALED']]);
  expect(await known()).toEqual(['backend', 'key']);
  await stage.close();

  const { world, main } = await open((deployment) => [{ ...key, deployment }]);
  world.removeDeployment(main.name);
  expect(await stage.destroy()).toMatchObject({ ok: false, error: { code: 'PROVIDER_AUTH' } });
  expect(await known()).toEqual(['key']);
});
