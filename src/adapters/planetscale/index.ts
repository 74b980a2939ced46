import type { Adapter } from '../../ops/op.ts';
import { branch } from './branch.ts';
import { detect } from './detect.ts';
import { password } from './password.ts';

/** PlanetScale: databases with branches. */
export const planetscale: Adapter = {
  name: 'planetscale',
  alias: 'sql_branch_c',
  title: 'PlanetScale',
  docs: 'https://planetscale.com/docs/api/reference',
  provider: {
    base_url: 'https://api.planetscale.com/v1',
    // `<id>:<token>` is the whole value of the header, without a scheme before it.
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
