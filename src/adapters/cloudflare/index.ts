import type { Adapter } from '../../ops/op.ts';
import { detect } from './detect.ts';
import { pagesEnv } from './pages-env.ts';

/** Cloudflare: what of Pages needs more than a recipe. DNS records are one, in the family of the same name. */
export const cloudflare: Adapter = {
  name: 'cloudflare',
  alias: 'hosting_c',
  title: 'Cloudflare',
  docs: 'https://developers.cloudflare.com/api/resources/pages/subresources/projects/methods/edit/',
  provider: { base_url: 'https://api.cloudflare.com/client/v4', auth: { bearer_env: 'CLOUDFLARE_API_TOKEN' } },
  setup: {
    page: 'https://dash.cloudflare.com/profile/api-tokens',
    needs: 'A token with Account / Cloudflare Pages / Edit for the account.',
    check: { method: 'GET', path: '/user/tokens/verify' },
    check_refuses: 'A token that an account owns is refused by this request, and works in the account.',
    check_by: [{ method: 'GET', path: '/accounts/{account_id}/pages/projects/{project_name}' }],
  },
  detect,
  ops: { pages_env: pagesEnv },
};
