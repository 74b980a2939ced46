import { unleash } from '../simulate/unleash.ts';
import { describeRecipe } from '../support/describe-recipe.ts';

const flag = ['shop', 'checkout', 'development'] as const;
const title = 'shop pr-12';
const constraint = { contextName: 'host', operator: 'IN', values: ['pr-12.acme.example'] };

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
        constraints: [constraint],
        parameters: { rollout: '50' },
        segments: [3, 4],
        disabled: false,
      },
      mine,
      others: () => environment.strategies.filter((one) => one.title !== title),
      stands: {
        name: 'flexibleRollout',
        constraints: [constraint],
        parameters: { rollout: '50', stickiness: 'default' },
        segments: [3, 4],
        disabled: false,
      },
      edits: {
        constraints: { constraints: [{ ...constraint, values: ['*'] }] },
        parameters: { parameters: { rollout: '100' } },
        segments: { segments: [4] },
        disabled: { disabled: true },
      },
      changes: { parameters: { parameters: { rollout: '75' } }, segments: { segments: [3] }, disabled: { disabled: true } },
      fixed: { name: { strategy: 'default' } },
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
