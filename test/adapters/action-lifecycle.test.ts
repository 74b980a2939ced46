import { rollbar } from 'pilotfish-sandbox/rollbar';
import { describeOp } from '../support/describe-recipe.ts';

const report = (revision: string) => ({
  trigger: { revision },
  request: { path: '/deploy', body: { environment: 'pr-12', revision, comment: 'preview' } },
});

describeOp('http.action', {
  kind: 'action',
  simulate: rollbar,
  subject: ({ origin, basePath, world }) => ({
    apis: {
      reports: { base_url: `${origin}${basePath}`, auth: { header: 'X-Rollbar-Access-Token', value_env: 'ROLLBAR_ACCESS_TOKEN' } },
    },
    line: { api: 'reports' },
    credential: 'ROLLBAR_ACCESS_TOKEN',
    params: { ...report('4f2a91c'), outputs: { deploy: '/data/deploy_id' } },
    mine: () => world.deploys.filter(({ environment }) => environment === 'pr-12'),
    others: () => world.deploys.filter(({ environment }) => environment !== 'pr-12'),
    stands: { revision: '4f2a91c', comment: 'preview' },
    fixed: { revision: report('5a3b02d') },
  }),
  skip: { readOnly: 'an adapter that serves any provider cannot tell what a credential needs' },
});
