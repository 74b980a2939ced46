import type { Adapter } from '../../ops/op.ts';
import { detect } from './detect.ts';
import { env } from './env.ts';

/** Netlify: hosting. */
export const netlify: Adapter = {
  name: 'netlify',
  alias: 'hosting_b',
  title: 'Netlify',
  docs: 'https://docs.netlify.com/api/get-started/',
  provider: { base_url: 'https://api.netlify.com/api/v1', auth: { bearer_env: 'NETLIFY_AUTH_TOKEN' } },
  setup: {
    page: 'https://app.netlify.com/user/applications#personal-access-tokens',
    needs: 'A personal access token of a member of the team who may change the variables of the site.',
    check: { method: 'GET', path: '/sites', query: { per_page: '1' } },
    check_by: [{ method: 'GET', path: '/accounts/{account_id}/env', query: { site_id: '{site_id}' } }],
  },
  detect,
  ops: { env },
};
