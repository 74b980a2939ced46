import type { Detect } from '../../ops/detect.ts';

/** What tells of Xata, and what a first plan has for it: a branch of the database for each preview. */
export const detect: Detect = {
  files: ['.xata/project.json', '.xatarc'],
  dependencies: ['@xata.io/cli', '@xata.io/api', '@xata.io/client', '@xata.io/drizzle', '@xata.io/kysely'],
  env: ['XATA_API_KEY', 'XATA_ORGANIZATION_ID', 'XATA_PROJECT_ID', 'XATA_DATABASE_URL'],
  hosts: ['.xata.sh', '.xata.tech'],
  database: {
    rank: 4,
    variables: [
      {
        names: ['DATABASE_URL', 'POSTGRES_URL', 'POSTGRES_PRISMA_URL', 'XATA_DATABASE_URL'],
        value: { from: 'database.connection_string' },
      },
      { names: ['DIRECT_URL', 'DATABASE_URL_UNPOOLED'], value: { from: 'database.connection_string' }, optional: true },
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
