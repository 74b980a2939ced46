import type { ServiceSignals } from '../../ops/signals.ts';

/** `init` recognises PlanetScale by these. */
export const signals: ServiceSignals = {
  uses: {
    packages: {
      npm: ['@planetscale/database', '@prisma/adapter-planetscale', 'kysely-planetscale'],
      rubygems: ['planetscale_rails'],
      go: ['github.com/planetscale/planetscale-go'],
    },
    variables: ['PLANETSCALE_*'],
    hosts: ['.psdb.cloud'],
    files: ['.pscale.yml'],
    commands: ['pscale'],
    actions: ['planetscale/setup-pscale-action', 'planetscale/create-branch-action', 'planetscale/create-deploy-request-action'],
    resources: ['planetscale_*'],
  },
  may: { variables: ['PSCALE_*'] },
};
