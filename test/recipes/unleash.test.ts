import { unleash } from 'pilotfish-sandbox/unleash';
import { expect, it, onTestFinished } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';
import { livesOn } from '../support/suite/kept.ts';

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

/** A strategy of these params, and how Unleash keeps it. */
const lives = (
  params: object,
  stands: object,
  then?: Parameters<typeof livesOn<ReturnType<typeof unleash>['world']>>[3],
  parameters: object = { rollout: '1', groupId: 'theirs' },
) =>
  livesOn(
    'unleash.flag_strategy',
    unleash,
    ({ origin, world }) => {
      const [project, feature, environment] = flag;
      world.addFlag(project, feature, [environment]);
      const { strategies } = world.environment(...flag);
      return {
        credential: 'UNLEASH_API_TOKEN',
        env: { UNLEASH_API_URL: origin },
        params: { project, feature, environment, title, ...params },
        mine: () => strategies.filter((one) => one.title === title),
        others: () => strategies.filter((one) => one.title !== title),
        stands,
        edits: { disabled: { disabled: true }, parameters: { parameters } },
      };
    },
    then,
  );

it('parameters that are no text are kept as text, and are written once', () =>
  lives(
    { strategy: 'default', parameters: { rollout: 50, on: true, off: null, who: { team: 'web' } } },
    { parameters: { rollout: '50', on: 'true', off: '', who: '{"team":"web"}' } },
  ));

it('parameters of a gradual rollout that are empty are filled in, and are written once', async () => {
  await lives(
    { parameters: { rollout: '50', stickiness: '', groupId: '' } },
    { parameters: { rollout: '50', stickiness: 'default', groupId: 'checkout' } },
  );
  const filled = { parameters: { rollout: '100', stickiness: 'default', groupId: 'shop' } };
  await lives({ parameters: { groupId: 'shop' } }, filled, undefined, { groupId: 'theirs' });
});

it('a flag that Unleash switches off with its last strategy is no drift, and one with another strategy stays on', async () => {
  await lives({ parameters: { rollout: '50' } }, { disabled: false }, async (bench, { world }) => {
    const environment = world.environment(...flag);
    environment.enabled = true;
    await bench.change({ disabled: true });
    await bench.applied();
    expect([bench.one(), environment.enabled]).toMatchObject([{ disabled: true }, false]);
    expect(await bench.planned()).toMatchObject({ verdict: 'none', drift: 'none' });
    const theirs = world.addStrategy(...flag, { name: 'default', title: 'theirs' });
    environment.enabled = true;
    expect(await bench.destroy()).toMatchObject({ ok: true });
    expect(environment).toEqual({ enabled: true, strategies: [theirs] });
    environment.strategies.splice(0);
  });
});
