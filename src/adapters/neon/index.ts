import type { Adapter } from '../../ops/op.ts';
import { branch } from './branch.ts';
import { detect } from './detect.ts';

/** Neon: serverless Postgres. */
export const neon: Adapter = {
  name: 'neon',
  alias: 'sql_branch_a',
  title: 'Neon',
  docs: 'https://neon.com/docs/reference/api',
  provider: { base_url: 'https://console.neon.tech/api/v2', auth: { bearer_env: 'NEON_API_KEY' } },
  setup: {
    page: 'https://console.neon.tech/app/settings/api-keys',
    needs: 'An API key that may create and delete branches of the project; a project-scoped key is enough.',
    check: { method: 'GET', path: '/projects', query: { limit: '1' } },
    // A personal key may not list projects without the id of an organization: 400 "org_id is required" (neon.com/docs/cli/api, 2026-11).
    check_refuses: 'A key of one project may not list projects.',
    check_by: [{ method: 'GET', path: '/projects/{project_id}/branches', query: { limit: '1' } }],
  },
  detect,
  ops: { branch },
};
