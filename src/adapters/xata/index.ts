import type { Adapter } from '../../ops/op.ts';
import { branch } from './branch.ts';
import { detect } from './detect.ts';

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
