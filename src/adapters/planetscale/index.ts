import type { Adapter } from '../op.ts';
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
      'A service token with read_branch, create_branch, delete_branch, connect_branch and delete_branch_password on the database, and read_organization.',
    check: { method: 'GET', path: '/organizations', query: { per_page: '1' } },
  },
  detect,
  ops: { branch, password },
};
