import { rollbar } from 'pilotfish-sandbox/rollbar';
import { expect, it, onTestFinished } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

describeRecipe('rollbar.deploy', {
  kind: 'action',
  simulate: rollbar,
  subject: ({ world }) => ({
    credential: 'ROLLBAR_ACCESS_TOKEN',
    params: { environment: 'pr-12', revision: '4f2a91c', comment: 'preview', local_username: 'ada' },
    mine: () => world.deploys.filter(({ environment }) => environment === 'pr-12'),
    others: () => world.deploys.filter(({ environment }) => environment !== 'pr-12'),
    stands: { revision: '4f2a91c', status: 'succeeded', comment: 'preview', local_username: 'ada' },
    fixed: { revision: { revision: '5a3b02d' }, status: { status: 'failed' } },
  }),
});

it('two environments of one plan are two reports, and each says how its deploy went', async () => {
  const simulation = rollbar();
  const line = { recipe: 'rollbar.deploy', revision: '4f2a91c' };
  const plan = (revision: string): string =>
    JSON.stringify({
      version: 1,
      changes: [
        { ...line, id: 'web', environment: 'pr-12', status: 'started' },
        { ...line, id: 'api', environment: 'pr-12-api', revision },
      ],
    });
  const stage = await openStage({
    simulations: [simulation],
    env: { ROLLBAR_ACCESS_TOKEN: simulation.tokens.full },
    plan: plan('4f2a91c'),
  });
  onTestFinished(() => stage.close());
  const told = () => simulation.world.deploys.map(({ environment, revision, status }) => [environment, revision, status].join(' ')).sort();
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(told()).toEqual(['pr-12 4f2a91c started', 'pr-12-api 4f2a91c succeeded']);
  await stage.write(plan('5a3b02d'));
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'none' }, { verdict: 'send' }] });
  expect(told()).toEqual(['pr-12 4f2a91c started', 'pr-12-api 4f2a91c succeeded', 'pr-12-api 5a3b02d succeeded']);
});
