import type { Adapter } from '../op.ts';
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
      'A personal access token of a member who may create and delete branches of the project (environment) and change its auth settings (auth).',
    check: { method: 'GET', path: '/v1/projects' },
  },
  detect,
  ops: { branch, auth_redirect: authRedirect },
};
