import type { Adapter } from '../../ops/op.ts';
import { detect } from './detect.ts';
import { redirectAllow } from './redirect-allow.ts';

/** Clerk: identity provider. */
export const clerk: Adapter = {
  name: 'clerk',
  alias: 'idp_g',
  title: 'Clerk',
  docs: 'https://clerk.com/docs/reference/backend-api/tag/Redirect-URLs',
  provider: {
    base_url: 'https://api.clerk.com/v1',
    // Every instance has keys of its own: the key says whose list this is.
    auth: { bearer_env: 'CLERK_SECRET_KEY' },
    // Without it the shapes of another version may be answered (2026-11-21).
    headers: { 'Clerk-API-Version': '2026-05-12' },
  },
  setup: {
    page: 'https://dashboard.clerk.com/last-active?path=api-keys',
    needs: 'The secret key of the instance that previews sign in to, as a rule the development instance.',
    check: { method: 'GET', path: '/redirect_urls', query: { paginated: 'true', limit: '1' } },
  },
  detect,
  ops: { redirect_allow: redirectAllow },
};
