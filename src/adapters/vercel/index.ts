import type { Adapter } from '../../ops/op.ts';
import { deploy } from './deploy.ts';
import { detect } from './detect.ts';
import { env } from './env.ts';

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
    check_refuses: 'A token of one project may not list projects, and one of a team must name it.',
    check_by: [{ method: 'GET', path: '/v9/projects/{project}' }],
    // A token of one team is refused with 403 where the request does not name the team.
    check_query: { teamId: 'team_id', slug: 'slug' },
  },
  detect,
  ops: { env, deploy },
};
