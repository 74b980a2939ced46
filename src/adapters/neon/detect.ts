import type { Detect } from '../../ops/detect.ts';

const pooled = ['DATABASE_URL', 'POSTGRES_URL', 'POSTGRES_PRISMA_URL', 'NEON_DATABASE_URL', 'PG_CONNECTION_STRING'];
const direct = ['DATABASE_URL_UNPOOLED', 'DIRECT_URL', 'DIRECT_DATABASE_URL', 'POSTGRES_URL_NON_POOLING', 'MIGRATIONS_DATABASE_URL'];

/** What tells of Neon, and what a first plan has for it: a branch of the database for each preview. */
export const detect: Detect = {
  files: ['.neon'],
  dependencies: ['@neondatabase/serverless', '@neondatabase/api-client', '@neondatabase/toolkit', '@prisma/adapter-neon', 'neonctl'],
  env: ['NEON_API_KEY', 'NEON_PROJECT_ID', 'NEON_DATABASE_URL'],
  hosts: ['.neon.tech'],
  ids: [{ param: 'project_id', file: '.neon', at: '/projectId' }],
  database: {
    rank: 1,
    variables: [
      // Functions come and go, so the app connects through the pooler.
      { names: pooled, value: { from: 'database.pooled_connection_uri' } },
      { names: pooled, value: { from: 'database.pooled_connection_uri' }, optional: true },
      // Migrations need a session of their own.
      { names: direct, value: { from: 'database.connection_uri' }, optional: true },
      { names: ['PGHOST', 'POSTGRES_HOST'], value: { from: 'database.host' }, optional: true },
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
