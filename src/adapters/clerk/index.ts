import type { Detect } from '../../ops/detect.ts';
import type { Adapter } from '../../ops/op.ts';
import { redirectAllow } from './redirect-allow.ts';
import { signals } from './signals.ts';

/** `init` recognises Clerk by this. A first plan has sign-in that comes back to the preview. */
const detect: Detect = {
  ...signals,
  draft: [
    {
      id: 'sign-in',
      op: 'redirect_allow',
      comment: 'Lets sign-in come back to the preview.',
      params: { url: { of: 'preview.url' }, path: '/sso-callback' },
      check: { path: 'the path in your app that finishes sign-in with another account.' },
    },
  ],
};

/** Clerk: identity provider. */
export const clerk: Adapter = {
  name: 'clerk',
  alias: 'idp_g',
  title: 'Clerk',
  docs: 'https://clerk.com/docs/reference/backend-api/tag/Redirect-URLs',
  provider: {
    base_url: 'https://api.clerk.com/v1',
    // Every instance has keys of its own, so the key tells which list this is.
    auth: { bearer_env: 'CLERK_SECRET_KEY' },
    // Without this header Clerk may answer in the shapes of another version (2026-11-21).
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
