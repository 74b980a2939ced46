import type { Detect } from '../../ops/detect.ts';
import type { Adapter } from '../../ops/op.ts';
import { pagesAddress } from './pages-address.ts';
import { pagesDeploy } from './pages-deploy.ts';
import { pagesEnv } from './pages-env.ts';

const configs = ['wrangler.toml', 'wrangler.jsonc', 'wrangler.json'];

/**
 * `init` recognises Cloudflare Pages by this, and drafts a first plan. All previews of a project share their variables. So a variable holds
 * nothing of one preview, and each line needs a name of its own: otherwise the second pull request would find the variable of the first.
 */
const detect: Detect = {
  uses: {
    variables: ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_PAGES_PROJECT_NAME'],
    files: ['wrangler.toml', 'wrangler.jsonc', 'wrangler.json'],
    actions: ['cloudflare/wrangler-action', 'cloudflare/pages-action'],
    resources: [
      'cloudflare_pages_project',
      'cloudflare_pages_domain',
      'cloudflare_workers_script',
      'cloudflare_worker_script',
      'cloudflare_record*',
      'cloudflare_dns_record',
    ],
  },
  may: {
    packages: {
      npm: [
        '@cloudflare/next-on-pages',
        '@cloudflare/vite-plugin',
        '@opennextjs/cloudflare',
        '@astrojs/cloudflare',
        '@sveltejs/adapter-cloudflare',
        '@sveltejs/adapter-cloudflare-workers',
        '@react-router/cloudflare',
        '@remix-run/cloudflare',
        '@remix-run/cloudflare-pages',
        'nitro-cloudflare-dev',
        '@cloudflare/vitest-pool-workers',
        'cloudflare',
      ],
      pypi: ['cloudflare'],
      go: ['github.com/cloudflare/cloudflare-go'],
      cargo: ['worker'],
    },
    variables: ['CLOUDFLARE_ACCOUNT_ID', 'CF_API_TOKEN', 'CF_ACCOUNT_ID', 'CLOUDFLARE_ZONE_ID', 'CF_ZONE_ID'],
    hosts: ['.pages.dev', '.workers.dev'],
    commands: ['wrangler'],
  },
  nothing: {
    packages: { npm: ['wrangler', '@cloudflare/workers-types', 'miniflare', '@miniflare/*', '@types/cloudflare'] },
    variables: ['CF_PAGES', 'CF_PAGES_URL', 'CF_PAGES_BRANCH', 'CF_PAGES_COMMIT_SHA'],
  },
  ids: configs.flatMap((file) => [
    { param: 'project_name', file, at: '/name' },
    { param: 'account_id', file, at: '/account_id', pattern: '^[0-9a-f]{32}$' },
  ]),
  hosting: { rank: 3, product: 'pages', url: { from: 'address.url' }, host: { from: 'address.hostname' } },
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
