import { bugsnag } from 'pilotfish-sandbox/bugsnag';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

const api_key = { secret: 'env://BUGSNAG_API_KEY' };
const source_control = { provider: 'github', repository: 'https://github.com/acme/shop', revision: '4f2a91c' };

describeRecipe('bugsnag.build', {
  kind: 'action',
  simulate: bugsnag,
  subject: ({ world }) => ({
    credential: 'BUGSNAG_API_KEY',
    params: {
      api_key,
      app_version: '4f2a91c',
      app_version_code: '12',
      app_bundle_version: '1.2',
      release_stage: 'pr-12',
      builder_name: 'ada',
      build_tool: 'pilotfish',
      auto_assign_release: true,
      source_control,
      metadata: { branch: 'feature/cart' },
    },
    mine: () => world.builds.filter(({ releaseStage }) => releaseStage === 'pr-12'),
    others: () => world.builds.filter(({ releaseStage }) => releaseStage !== 'pr-12'),
    stands: {
      appVersion: '4f2a91c',
      appVersionCode: '12',
      appBundleVersion: '1.2',
      releaseStage: 'pr-12',
      builderName: 'ada',
      buildTool: 'pilotfish',
      autoAssignRelease: true,
      sourceControl: source_control,
      metadata: { branch: 'feature/cart' },
    },
    fixed: {
      app_version: { app_version: '5a3b02d' },
      app_version_code: { app_version_code: '13' },
      app_bundle_version: { app_bundle_version: '1.3' },
    },
  }),
  skip: { readOnly: 'a project has one key, and it may report' },
});

const line = { recipe: 'error_tracker_a.build', app_version: '4f2a91c', release_stage: 'pr-12' };

it('two projects of one plan are two reports, and the name that tells them apart is not sent', async () => {
  const simulation = bugsnag();
  const changes = [
    { ...line, id: 'web', project: 'web', api_key },
    { ...line, id: 'api', project: 'api', api_key },
  ];
  const stage = await openStage({
    simulations: [simulation],
    env: { BUGSNAG_API_KEY: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes }),
  });
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(simulation.world.builds).toEqual([
    { appVersion: '4f2a91c', releaseStage: 'pr-12' },
    { appVersion: '4f2a91c', releaseStage: 'pr-12' },
  ]);
  await stage.close();
});

it('two stages of one project are two reports, and a new version of one leaves the other', async () => {
  const simulation = bugsnag();
  const plan = (version: string): string =>
    JSON.stringify({
      version: 1,
      changes: [
        { ...line, id: 'one', api_key },
        { ...line, id: 'other', api_key, release_stage: 'pr-12-eu', app_version: version },
      ],
    });
  const stage = await openStage({
    simulations: [simulation],
    env: { BUGSNAG_API_KEY: simulation.tokens.full },
    plan: plan('4f2a91c'),
  });
  const told = () => simulation.world.builds.map(({ releaseStage, appVersion }) => `${releaseStage} ${appVersion}`).sort();
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(told()).toEqual(['pr-12 4f2a91c', 'pr-12-eu 4f2a91c']);
  await stage.write(plan('5a3b02d'));
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'none' }, { verdict: 'send' }] });
  expect(told()).toEqual(['pr-12 4f2a91c', 'pr-12-eu 4f2a91c', 'pr-12-eu 5a3b02d']);
  await stage.close();
});

it('a key that stands in the plan as text is refused before any request', async () => {
  const simulation = bugsnag();
  const stage = await openStage({
    simulations: [simulation],
    env: {},
    plan: JSON.stringify({ version: 1, changes: [{ ...line, id: 'web', api_key: simulation.tokens.full }] }),
  });
  await expect(stage.plan()).rejects.toThrow('SECRET_LITERAL');
  expect(simulation.log).toEqual([]);
  await stage.close();
});
