import type { Detect } from '../../ops/detect.ts';
import type { Adapter } from '../../ops/op.ts';
import { address } from './address.ts';
import { deploy } from './deploy.ts';
import { env } from './env.ts';
import { signals } from './signals.ts';

/** `init` recognises Vercel by this. A first plan has the variables of the build, and then the deployment that saw them. */
const detect: Detect = {
  ...signals,
  // `vercel link` writes the first file, and `vercel link --repo` the second. A personal account has an id that is no team's.
  ids: [
    { param: 'project', file: '.vercel/project.json', at: '/projectId' },
    { param: 'project', file: '.vercel/repo.json', at: '/projects/0/id' },
    { param: 'provider.team_id', file: '.vercel/project.json', at: '/orgId', pattern: '^team_' },
    { param: 'provider.team_id', file: '.vercel/repo.json', at: '/orgId', pattern: '^team_' },
  ],
  hosting: {
    rank: 1,
    url: { from: 'preview.url' },
    host: { from: 'preview.hostname' },
    before: { url: { from: 'address.url' }, host: { from: 'address.hostname' } },
    shared: ['team'],
  },
  draft: [
    {
      id: 'address',
      op: 'address',
      comment: 'Where the preview of this branch will answer, known before the build.',
      params: { team: 'your-team' },
      todo: { team: 'the slug of the team, or your username; Vercel Dashboard, the project: the first part of the path in its address.' },
      part: 'address',
    },
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
      withAddress: { address: { from: 'address.hostname' } },
      part: 'deployment',
    },
  ],
};

/** Vercel: hosting. */
export const vercel: Adapter = {
  name: 'vercel',
  alias: 'hosting_a',
  title: 'Vercel',
  docs: 'https://vercel.com/docs/rest-api',
  provider: {
    base_url: 'https://api.vercel.com',
    auth: { bearer_env: 'VERCEL_TOKEN' },
    settings: {
      team_id: { doc: 'Id of the team that owns the projects (`team_…`); left out for a personal account.' },
      slug: { doc: 'Slug of the team, instead of its id.' },
    },
  },
  setup: {
    page: 'https://vercel.com/account/settings/tokens',
    needs: 'An access token of the project, or of the team that owns it.',
    check: { method: 'GET', path: '/v9/projects', query: { limit: '1' } },
    check_refuses: 'A token of one project may not list projects. A token of a team must name the team.',
    check_by: [{ method: 'GET', path: '/v9/projects/{project}' }],
    // Vercel refuses a team's token with 403 where the request does not name the team.
    check_query: { teamId: 'team_id', slug: 'slug' },
  },
  detect,
  ops: { address, env, deploy },
};
