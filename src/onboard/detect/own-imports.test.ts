import { expect, it } from 'vitest';
import type { Files } from '../../../test/detect/lay-files.ts';
import { surveyOf } from '../../../test/detect/survey-of.ts';

const json = (value: object): string => JSON.stringify(value);
const detects = { stripe: { uses: { packages: { npm: ['stripe'] } } } };

const workspace = json({ name: 'shop', private: true, workspaces: ['packages/*', 'apps/*'] });
const member = (name: string, dependencies: object = {}) => json({ name, private: true, dependencies });

it.each<[string, Files]>([
  [
    'an app imports',
    {
      'package.json': workspace,
      'apps/web/package.json': member('web', { next: '15' }),
      'apps/web/vercel.json': '{}',
      'apps/web/pay.ts': "import { charge } from '@shop/pay/charge';",
      'packages/pay/package.json': member('@shop/pay', { stripe: '18' }),
    },
  ],
  [
    'an app requires through another one',
    {
      'package.json': workspace,
      'apps/web/package.json': member('web', { express: '5' }),
      'apps/web/fly.toml': "app = 'shop'",
      'apps/web/a.js': "const bill = require('bill');",
      'packages/bill/package.json': member('bill'),
      'packages/bill/a.ts': "export { pay } from '@shop/pay';",
      'packages/pay/package.json': member('@shop/pay', { stripe: '18' }),
    },
  ],
  [
    'the infrastructure deploys by its folder',
    {
      'package.json': workspace,
      'sst.config.ts': 'export default $config({ app() { return { name: "shop", home: "aws" } } })',
      'infra/api.ts': "new sst.aws.Function('Api', { handler: 'packages/pay/src/api.handler' });",
      'packages/pay/package.json': member('@shop/pay', { stripe: '18' }),
    },
  ],
])('a package of the workspace that no manifest lists is used where %s', async (_, files) => {
  expect((await surveyOf(files, detects)).claims.map(({ service }) => service)).toContain('stripe');
});

it('an import of types alone uses nothing', async () => {
  const files = {
    'package.json': workspace,
    'apps/web/package.json': member('web', { next: '15' }),
    'apps/web/vercel.json': '{}',
    'apps/web/pay.ts': "import type { Charge } from '@shop/pay';",
    'packages/pay/package.json': member('@shop/pay', { stripe: '18' }),
  };
  expect((await surveyOf(files, detects)).claims.map(({ service }) => service)).not.toContain('stripe');
});
