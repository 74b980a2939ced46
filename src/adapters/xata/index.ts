import type { Detect } from '../../ops/detect.ts';
import type { Adapter } from '../../ops/op.ts';
import { branch } from './branch.ts';
import { signals } from './signals.ts';

/** `init` recognises Xata by this. A first plan has a branch of the database for each preview. */
const detect: Detect = {
  ...signals,
  database: {
    rank: 4,
    engine: 'postgres',
    variables: [
      {
        names: ['DATABASE_URL', 'POSTGRES_URL', 'POSTGRES_PRISMA_URL', 'XATA_DATABASE_URL'],
        kind: 'connection',
        value: { from: 'database.connection_string' },
      },
      { names: ['DIRECT_URL', 'DATABASE_URL_UNPOOLED'], kind: 'direct', value: { from: 'database.connection_string' }, optional: true },
    ],
  },
  draft: [
    {
      id: 'database',
      op: 'branch',
      comment: 'A copy-on-write branch of the database, one for each preview.',
      params: { name: '${repository}-${ctx.scope}' },
      part: 'database',
    },
  ],
};

/** Xata: Postgres in copy-on-write branches. */
export const xata: Adapter = {
  name: 'xata',
  alias: 'sql_branch_d',
  title: 'Xata',
  docs: 'https://xata.io/docs/api-reference',
  provider: { base_url: 'https://api.xata.tech', auth: { bearer_env: 'XATA_API_KEY' } },
  setup: {
    page: 'https://console.xata.io',
    needs: 'An API key of the organization that may read, create and delete branches of the project.',
    // Every read of these requests names an organization and a project.
    check: null,
    check_by: [{ method: 'GET', path: '/organizations/{organization_id}/projects/{project_id}/branches' }],
  },
  detect,
  ops: { branch },
};
