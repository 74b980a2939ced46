import type { Detect } from '../../ops/detect.ts';
import type { Adapter } from '../../ops/op.ts';
import { authRedirect } from './auth-redirect.ts';
import { branch } from './branch.ts';
import { signals } from './signals.ts';

const prefixes = ['NEXT_PUBLIC_', '', 'VITE_', 'EXPO_PUBLIC_', 'PUBLIC_', 'REACT_APP_', 'NUXT_PUBLIC_'];
const named = (...names: readonly string[]): string[] => names.flatMap((name) => prefixes.map((prefix) => `${prefix}${name}`));

const urlNames = named('SUPABASE_URL');
const publicKeyNames = [
  ...named('SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_PUBLISHABLE_DEFAULT_KEY', 'SUPABASE_ANON_KEY', 'SUPABASE_ANON_PUBLIC'),
  'SUPABASE_KEY',
];
const secretNames = ['SUPABASE_SECRET_KEY', 'SUPABASE_SECRET_DEFAULT_KEY'];
/** Teams leave the last word out, or give it the word of another provider. */
const serviceNames = [
  'SUPABASE_SERVICE_ROLE_KEY',
  'SUPABASE_SERVICE_KEY',
  'SUPABASE_SERVICE_ROLE',
  'SUPABASE_SERVICE',
  'SUPABASE_SERVICE_ROLE_SECRET',
  'SUPABASE_SERVICE_ROLE_TOKEN',
  'SUPABASE_SERVICE_API_KEY',
  'SUPABASE_SERVICE_SECRET',
  'SUPABASE_ADMIN_KEY',
  'SUPABASE_PRIVATE_KEY',
];
const pooledNames = ['DATABASE_URL', 'POSTGRES_URL', 'SUPABASE_DB_URL'];
const directNames = ['DIRECT_URL', 'DIRECT_DATABASE_URL', 'POSTGRES_URL_NON_POOLING', 'DATABASE_URL_UNPOOLED', 'MIGRATIONS_DATABASE_URL'];

const pooled = { from: 'database.pooler_url' };
const pooledForPrisma = { from: 'database.prisma_url' };

/** Sign-in at a branch uses the list of the branch's own project. The list of the parent is for production (2026-11-25). */
const signIn = {
  id: 'auth-redirect',
  op: 'auth_redirect',
  comment: 'Lets sign-in come back to the preview.',
  check: { path: 'the paths of the preview that sign-in may come back to.' },
} as const;
const redirect = { url: { of: 'preview.url' }, path: '/**' };

/**
 * `init` recognises Supabase by this. A first plan has a branch for each preview, and sign-in that comes back to it. The
 * `project_id` of supabase/config.toml is a name on the developer's machine, so `init` does not read it as the ref.
 */
const detect: Detect = {
  ...signals,
  database: {
    rank: 3,
    engine: 'postgres',
    variables: [
      { names: urlNames, kind: 'url', value: { from: 'database.api_url' } },
      // Where files have two names, the server uses a name of its own.
      { names: urlNames, kind: 'url', value: { from: 'database.api_url' }, optional: true },
      // This key replaces the older key anon, and code still reads it under the older name.
      { names: publicKeyNames, kind: 'publishable-key', value: { from: 'database.publishable_key' } },
      { names: publicKeyNames, kind: 'publishable-key', value: { from: 'database.publishable_key' }, optional: true },
      { names: secretNames, kind: 'secret-key', value: { from: 'database.secret_key' }, optional: true },
      {
        names: serviceNames,
        kind: 'secret-key',
        value: { from: 'database.service_role_key' },
        optional: true,
      },
      { names: ['SUPABASE_JWT_SECRET'], kind: 'signing-secret', value: { from: 'database.jwt_secret' }, optional: true },
      // Most hosts reach only IPv4, and functions open many short connections. So the app connects through the pooler.
      { names: pooledNames, kind: 'pooled', value: pooled, prisma: pooledForPrisma, optional: true },
      { names: pooledNames, kind: 'pooled', value: pooled, prisma: pooledForPrisma, optional: true },
      { names: ['POSTGRES_PRISMA_URL'], kind: 'pooled', value: pooledForPrisma, optional: true },
      // Migrations need a session of their own.
      { names: directNames, kind: 'direct', value: { from: 'database.db_url' }, optional: true },
      { names: directNames, kind: 'direct', value: { from: 'database.db_url' }, optional: true },
    ],
  },
  draft: [
    {
      id: 'database',
      op: 'branch',
      comment: 'A branch with a database, an API and keys of its own, one for each preview.',
      params: { branch_name: '${repository}-${ctx.scope}' },
      part: 'database',
    },
    { ...signIn, params: { project_ref: { from: 'database.id' }, ...redirect }, where: 'database' },
    // Without a branch the preview signs in at the project itself.
    { ...signIn, params: redirect, where: 'elsewhere' },
  ],
};

/** Supabase: Postgres with authentication and an API, in branches. */
export const supabase: Adapter = {
  name: 'supabase',
  alias: 'sql_branch_b',
  title: 'Supabase',
  docs: 'https://supabase.com/docs/reference/api/introduction',
  provider: { base_url: 'https://api.supabase.com', auth: { bearer_env: 'SUPABASE_ACCESS_TOKEN' } },
  setup: {
    page: 'https://supabase.com/dashboard/account/tokens',
    needs:
      'A personal access token, or a fine-grained one with projects_read, project_admin_read and branching_development_read, _create, _write and _delete; api_gateway_keys_read for outputs that are keys, database_pooling_config_read for pooler_url, and auth_config_read, auth_config_write and project_admin_write for auth_redirect.',
    check: { method: 'GET', path: '/v1/projects' },
    check_refuses: 'This request refuses a fine-grained token without projects_read.',
    check_by: [
      { method: 'GET', path: '/v1/projects/{project_ref}/branches', ops: ['branch'] },
      { method: 'GET', path: '/v1/projects/{project_ref}/config/auth', ops: ['auth_redirect'] },
    ],
  },
  detect,
  ops: { branch, auth_redirect: authRedirect },
};
