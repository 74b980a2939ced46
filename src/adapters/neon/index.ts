import type { Detect } from '../../ops/detect.ts';
import type { Adapter } from '../../ops/op.ts';
import { branch } from './branch.ts';
import { signals } from './signals.ts';

const pooled = ['DATABASE_URL', 'POSTGRES_URL', 'POSTGRES_PRISMA_URL', 'NEON_DATABASE_URL', 'PG_CONNECTION_STRING'];
const direct = ['DATABASE_URL_UNPOOLED', 'DIRECT_URL', 'DIRECT_DATABASE_URL', 'POSTGRES_URL_NON_POOLING', 'MIGRATIONS_DATABASE_URL'];

/** `init` recognises Neon by this. A first plan has a branch of the database for each preview. */
const detect: Detect = {
  ...signals,
  ids: [{ param: 'project_id', file: '.neon', at: '/projectId' }],
  database: {
    rank: 1,
    engine: 'postgres',
    variables: [
      // Functions open many short connections, so the app connects through the pooler.
      { names: pooled, kind: 'pooled', value: { from: 'database.pooled_connection_uri' } },
      { names: pooled, kind: 'pooled', value: { from: 'database.pooled_connection_uri' }, optional: true },
      // Migrations need a session of their own.
      { names: direct, kind: 'direct', value: { from: 'database.connection_uri' }, optional: true },
      { names: ['PGHOST', 'POSTGRES_HOST'], kind: 'host', value: { from: 'database.host' }, optional: true },
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

/** Neon: serverless Postgres. */
export const neon: Adapter = {
  name: 'neon',
  alias: 'sql_branch_a',
  title: 'Neon',
  docs: 'https://neon.com/docs/reference/api',
  provider: { base_url: 'https://console.neon.tech/api/v2', auth: { bearer_env: 'NEON_API_KEY' } },
  setup: {
    page: 'https://console.neon.tech/app/settings/api-keys',
    needs: 'An API key that may create and delete branches of the project; a project-scoped key is enough.',
    check: { method: 'GET', path: '/projects', query: { limit: '1' } },
    // A personal key may not list projects without the id of an organization: 400 "org_id is required" (neon.com/docs/cli/api, 2026-11).
    check_refuses: 'A key of one project may not list projects.',
    check_by: [{ method: 'GET', path: '/projects/{project_id}/branches', query: { limit: '1' } }],
  },
  detect,
  ops: { branch },
};
