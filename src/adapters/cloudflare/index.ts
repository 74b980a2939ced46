import type { Detect } from '../../ops/detect.ts';
import type { Adapter } from '../../ops/op.ts';
import { pagesAddress } from './pages-address.ts';
import { pagesDeploy } from './pages-deploy.ts';
import { pagesEnv } from './pages-env.ts';
import { signals } from './signals.ts';

const configs = ['wrangler.toml', 'wrangler.jsonc', 'wrangler.json'];

/**
 * `init` recognises Cloudflare Pages by this, and drafts a first plan. All previews of a project share their variables. So a variable holds
 * nothing of one preview, and each line needs a name of its own: otherwise the second pull request would find the variable of the first.
 */
const detect: Detect = {
  ...signals,
  ids: configs.flatMap((file) => [
    { param: 'project_name', file, at: '/name' },
    { param: 'account_id', file, at: '/account_id', pattern: '^[0-9a-f]{32}$' },
  ]),
  hosting: { rank: 3, product: 'pages', url: { from: 'address.url' }, host: { from: 'address.hostname' }, shared: ['account_id'] },
  draft: [
    {
      id: 'address',
      op: 'pages_address',
      comment: 'Where the previews of this branch will answer, known before their build.',
      params: {},
      part: 'address',
    },
    {
      id: 'preview',
      op: 'pages_deploy',
      comment: 'Fails where the preview answers under another name than its lines were given.',
      params: { address: { from: 'address.hostname' } },
      part: 'address',
    },
  ],
};

/** Cloudflare: the parts of Pages that need more than a recipe. DNS records are a recipe, in the family of the same name. */
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
    check_refuses: 'This request refuses a token that an account owns, although the token works in the account.',
    check_by: [{ method: 'GET', path: '/accounts/{account_id}/pages/projects/{project_name}' }],
  },
  detect,
  ops: { pages_address: pagesAddress, pages_deploy: pagesDeploy, pages_env: pagesEnv },
};
