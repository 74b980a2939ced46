import { algolia } from 'pilotfish-sandbox/algolia/index';
import { describeOp } from '../support/describe-recipe.ts';

describeOp('algolia.index', {
  simulate: algolia,
  subject: ({ faults, world, tokens, origin }) => {
    faults.readyAfter(2);
    const settings = { searchableAttributes: ['title'] };
    world.addIndex('products', { settings, synonyms: ['tv, television'], rules: ['promote-new'], replicas: ['products_price'] });
    world.addIndex('products_price', { primary: 'products' });
    world.addIndex('articles', { records: ['c'] });
    world.addIndex('products_pr-13');
    const mine = () => [world.index('products_pr-12')].flatMap((index) => index ?? []);
    return {
      credential: (tier) => ({ ALGOLIA_APP_ID: world.appId, ALGOLIA_API_KEY: tokens[tier] }),
      env: { ALGOLIA_API_URL: origin },
      params: { name: 'products_pr-12', source_index: 'products', scope: ['settings', 'synonyms'] },
      mine,
      others: () => world.state.indices.filter(({ name }) => name !== 'products_pr-12'),
      stands: { settings, synonyms: ['tv, television'], rules: [], records: [] },
      fixed: { source_index: { source_index: 'articles' }, scope: { scope: ['settings', 'rules'] } },
      // What the app writes to its index.
      undeclared: { records: ['x'], settings: { searchableAttributes: ['name'] } },
      remove: () => world.removeIndex('products_pr-12'),
      foreign: () => world.addIndex('products_pr-12'),
      fill: () => Object.assign(world.state, { indexLimit: world.state.indices.length }),
      // What a task does is to be seen up to five seconds after its answer.
      late: { reads: ({ method, path }) => method === 'GET' && !path.includes('/task/'), seconds: 5 },
      slow: {
        hangs: () => faults.readyAfter(Number.POSITIVE_INFINITY),
        goesOn: () => {
          faults.readyAfter(0);
          world.finish();
        },
      },
    };
  },
  skip: {
    twoMatches: 'the indices of an application have different names',
    'takeOver source_index': 'the new one has the name of the old one; algolia.test.ts holds that the old one goes first',
    'takeOver scope': 'the new one has the name of the old one; algolia.test.ts holds that the old one goes first',
  },
});
