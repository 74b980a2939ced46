import type { ServiceSignals } from '../../ops/signals.ts';

/** `init` recognises Cloudflare by these. */
export const signals: ServiceSignals = {
  uses: {
    packages: { rubygems: ['cloudflare-rails'] },
    variables: ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_PAGES_PROJECT_NAME'],
    hosts: ['api.cloudflare.com'],
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
    variables: [
      'CLOUDFLARE_ACCOUNT_ID',
      'CF_API_TOKEN',
      'CF_ACCOUNT_ID',
      'CLOUDFLARE_ZONE_ID',
      'CF_ZONE_ID',
      'CF_API_KEY',
      'CLOUDFLARE_API_KEY',
    ],
    hosts: ['.pages.dev', '.workers.dev'],
    commands: ['wrangler'],
  },
  nothing: {
    packages: { npm: ['wrangler', '@cloudflare/workers-types', 'miniflare', '@miniflare/*', '@types/cloudflare'] },
    variables: ['CF_PAGES', 'CF_PAGES_URL', 'CF_PAGES_BRANCH', 'CF_PAGES_COMMIT_SHA'],
  },
};
