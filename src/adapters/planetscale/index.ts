import type { Detect } from '../../ops/detect.ts';
import type { Adapter } from '../../ops/op.ts';
import { branch } from './branch.ts';
import { password } from './password.ts';
import { signals } from './signals.ts';

/** `init` recognises PlanetScale by this. A first plan has a branch for each preview, and a password of it. */
const detect: Detect = {
  ...signals,
  // The CLI keeps this file for a folder.
  ids: [
    { param: 'organization', file: '.pscale.yml', at: '/org' },
    { param: 'database', file: '.pscale.yml', at: '/database' },
  ],
  database: {
    rank: 2,
    engine: 'mysql',
    variables: [
      {
        names: ['DATABASE_URL', 'MYSQL_URL', 'PLANETSCALE_DATABASE_URL', 'DB_URL'],
        kind: 'connection',
        value: { from: 'database-login.connection_uri' },
      },
      { names: ['DATABASE_HOST', 'DB_HOST', 'PLANETSCALE_DB_HOST'], kind: 'host', value: { from: 'database-login.host' }, optional: true },
      {
        names: ['DATABASE_USERNAME', 'DATABASE_USER', 'DB_USERNAME', 'DB_USER', 'PLANETSCALE_DB_USERNAME'],
        kind: 'user',
        value: { from: 'database-login.username' },
        optional: true,
      },
      {
        names: ['DATABASE_PASSWORD', 'DB_PASSWORD', 'PLANETSCALE_DB_PASSWORD'],
        kind: 'password',
        value: { from: 'database-login.plain_text' },
        optional: true,
      },
    ],
  },
  draft: [
    {
      id: 'database',
      op: 'branch',
      comment: 'A branch with the schema of main, one for each preview.',
      params: { name: '${repository}-${ctx.scope}' },
      part: 'database',
    },
    {
      id: 'database-login',
      op: 'password',
      comment: 'PlanetScale shows the password once, when it is made, and the build gets it then.',
      params: { branch: { from: 'database.name' }, name: 'preview-${ctx.scope}', role: 'readwriter' },
      check: { role: 'use admin if the build changes the schema.' },
      part: 'database',
    },
  ],
};

/** PlanetScale: databases with branches. */
export const planetscale: Adapter = {
  name: 'planetscale',
  alias: 'sql_branch_c',
  title: 'PlanetScale',
  docs: 'https://planetscale.com/docs/api/reference',
  provider: {
    base_url: 'https://api.planetscale.com/v1',
    // The header holds only `<id>:<token>`, without a scheme before it.
    auth: { header: 'Authorization', user_env: 'PLANETSCALE_SERVICE_TOKEN_ID', value_env: 'PLANETSCALE_SERVICE_TOKEN' },
  },
  setup: {
    page: 'https://app.planetscale.com/~/settings/service-tokens',
    needs:
      'A service token with create_branch and delete_branch on the database; write_database where a branch has deletion_protected, and connect_branch and delete_branch_password where the plan has passwords.',
    check: { method: 'GET', path: '/organizations', query: { per_page: '1' } },
    check_by: [{ method: 'GET', path: '/organizations/{organization}/databases/{database}/branches', query: { per_page: '1' } }],
  },
  detect,
  ops: { branch, password },
};
