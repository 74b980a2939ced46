import { rollbar } from '../simulate/rollbar.ts';
import { describeRecipe } from '../support/describe-recipe.ts';

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
