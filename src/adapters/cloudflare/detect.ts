import type { Detect } from '../detect.ts';

const projectName =
  'the name of the Pages project in place of your-project; Pages writes the name of the branch in lower case with hyphens, 28 characters of it.';

const configs = ['wrangler.toml', 'wrangler.jsonc', 'wrangler.json'];

/**
 * What tells of Cloudflare Pages, and what a first plan has for it. All previews of a project share their variables, so the line
 * names the project and holds nothing of one preview.
 */
export const detect: Detect = {
  files: configs,
  dependencies: [
    'wrangler',
    '@cloudflare/next-on-pages',
    '@cloudflare/vite-plugin',
    '@cloudflare/workers-types',
    '@opennextjs/cloudflare',
    '@astrojs/cloudflare',
    '@sveltejs/adapter-cloudflare',
    'nitro-cloudflare-dev',
  ],
  env: ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID', 'CF_PAGES_URL'],
  ids: configs.flatMap((file) => [
    { param: 'project_name', file, at: '/name' },
    { param: 'account_id', file, at: '/account_id', pattern: '^[0-9a-f]{32}$' },
  ]),
  hosting: {
    rank: 3,
    url: { text: 'https://${ctx.git.branch}.your-project.pages.dev', todo: projectName },
    host: { text: '${ctx.git.branch}.your-project.pages.dev', todo: projectName },
  },
  draft: [
    {
      id: 'shared-variable',
      op: 'pages_env',
      comment: 'A variable that all previews of the project share, so nothing of one pull request belongs in it.',
      params: { name: 'your-variable', value: 'preview' },
      todo: { name: 'the name of a variable that previews read.' },
      check: { value: 'its value, the same for all previews.' },
    },
  ],
};
