import type { Detect } from '../../ops/detect.ts';

/** What tells of Vercel, and what a first plan has for it: the variables of the build, and then the deployment that saw them. */
export const detect: Detect = {
  files: ['vercel.json', '.vercel/project.json', '.vercel/repo.json'],
  dependencies: [
    'vercel',
    '@vercel/analytics',
    '@vercel/speed-insights',
    '@vercel/functions',
    '@vercel/node',
    '@vercel/blob',
    '@vercel/edge-config',
    '@vercel/postgres',
    '@sveltejs/adapter-vercel',
    '@astrojs/vercel',
  ],
  env: ['VERCEL_TOKEN', 'VERCEL_PROJECT_ID', 'VERCEL_ORG_ID', 'VERCEL_URL', 'VERCEL_ENV'],
  // `vercel link` writes the first file, and `vercel link --repo` the second. A personal account has an id that is no team's.
  ids: [
    { param: 'project', file: '.vercel/project.json', at: '/projectId' },
    { param: 'project', file: '.vercel/repo.json', at: '/projects/0/id' },
    { param: 'provider.team_id', file: '.vercel/project.json', at: '/orgId', pattern: '^team_' },
    { param: 'provider.team_id', file: '.vercel/repo.json', at: '/orgId', pattern: '^team_' },
  ],
  hosting: { rank: 1, url: { from: 'preview.url' }, host: { from: 'preview.hostname' } },
  draft: [
    {
      id: 'variable',
      op: 'env',
      comment: 'Builds of this git branch, and no others, see it.',
      params: { key: { of: 'variable.key' }, value: { of: 'variable.value' }, target: ['preview'], git_branch: '${ctx.git.branch}' },
      part: 'variable',
    },
    {
      id: 'preview',
      op: 'deploy',
      comment: 'Waits for the preview, and builds it again when it was built before its variables were there.',
      params: {},
      part: 'deployment',
    },
  ],
};
