import { unleash } from 'pilotfish-sandbox/unleash';
import { expect, it, onTestFinished } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

const flag = ['shop', 'checkout', 'development'] as const;
const title = 'shop pr-12';
const constraint = { contextName: 'host', operator: 'IN', values: ['pr-12.acme.example'] };
const plan = { contextName: 'plan', operator: 'NOT_IN', values: ['enterprise'] };

describeRecipe('unleash.flag_strategy', {
  simulate: unleash,
  subject: ({ origin, world }) => {
    world.addFlag('shop', 'checkout', ['development', 'production']);
    world.addStrategy(...flag, { name: 'flexibleRollout', title: 'shop pr-13', constraints: [constraint] });
    const environment = world.environment(...flag);
    const mine = () => environment.strategies.filter((one) => one.title === title);
    return {
      credential: 'UNLEASH_API_TOKEN',
      env: { UNLEASH_API_URL: origin },
      params: {
        project: 'shop',
        feature: 'checkout',
        environment: 'development',
        title,
        constraints: [constraint, plan],
        parameters: { rollout: '50' },
        segments: [3, 4],
        disabled: false,
      },
      mine,
      others: () => environment.strategies.filter((one) => one.title !== title),
      stands: {
        name: 'flexibleRollout',
        constraints: [constraint, plan],
        parameters: { rollout: '50', stickiness: 'default' },
        segments: [3, 4],
        disabled: false,
      },
      edits: {
        constraints: { constraints: [{ ...constraint, values: ['*'] }, plan] },
        parameters: { parameters: { rollout: '100' } },
        segments: { segments: [4] },
        disabled: { disabled: true },
      },
      changes: { parameters: { parameters: { rollout: '75' } }, segments: { segments: [3] }, disabled: { disabled: true } },
      fixed: { name: { strategy: 'default' } },
      same: {
        constraints: { constraints: [plan, constraint] },
        segments: { segments: [4, 3] },
        disabled: { disabled: undefined },
      },
      undeclared: {
        variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }],
        parameters: { groupId: 'theirs' },
      },
      remove: () => Object.assign(environment, { strategies: environment.strategies.filter((one) => one.title !== title) }),
      fill: () => Object.assign(world.state, { strategyLimit: 1 }),
      foreign: () => world.addStrategy(...flag, { name: 'flexibleRollout', title }),
    };
  },
});

it('a change sends all that an update empties, and takes its title back from one who was faster', async () => {
  const simulation = unleash();
  const { world } = simulation;
  world.addFlag('shop', 'checkout', ['development']);
  const [project, feature, environment] = flag;
  const write = (disabled: boolean): string =>
    JSON.stringify({
      version: 1,
      changes: [{ id: 'on', recipe: 'unleash.flag_strategy', project, feature, environment, title, disabled }],
    });
  const stage = await openStage({
    simulations: [simulation],
    env: { UNLEASH_API_URL: simulation.origin, UNLEASH_API_TOKEN: simulation.tokens.full },
    plan: write(false),
  });
  onTestFinished(() => stage.close());
  await stage.apply();
  const theirs = {
    constraints: [constraint],
    parameters: { rollout: '25', stickiness: 'userId', groupId: 'theirs' },
    variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }],
    segments: [7],
  };
  const [strategy] = world.environment(...flag).strategies;
  Object.assign(strategy ?? {}, theirs);
  simulation.watch(({ phase, method }) => {
    if (phase === 'before' && method === 'PUT') Object.assign(strategy ?? {}, { title: 'theirs' });
  });
  await stage.write(write(true));
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
  expect(world.environment(...flag).strategies).toMatchObject([{ ...theirs, title, disabled: true }]);
  // An update empties what it leaves out: each of these must be in it.
  const [sent] = simulation.log.filter(({ method }) => method === 'PUT');
  expect(sent?.body).toEqual({ ...theirs, name: 'flexibleRollout', title, disabled: true });
});
