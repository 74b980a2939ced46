import type { Adapter } from '../../ops/op.ts';
import { authRedirect } from './auth-redirect.ts';
import { branch } from './branch.ts';
import { detect } from './detect.ts';

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
    check_refuses: 'A fine-grained token without projects_read is refused by this request.',
    check_by: [
      { method: 'GET', path: '/v1/projects/{project_ref}/branches', ops: ['branch'] },
      { method: 'GET', path: '/v1/projects/{project_ref}/config/auth', ops: ['auth_redirect'] },
    ],
  },
  detect,
  ops: { branch, auth_redirect: authRedirect },
};
