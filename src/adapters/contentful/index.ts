import type { Detect } from '../../ops/detect.ts';
import type { Adapter } from '../../ops/op.ts';
import { apiKeyAccess } from './api-key-access.ts';
import { environment } from './environment.ts';
import { signals } from './signals.ts';

/** `init` recognises Contentful by this. A first plan has an environment for each preview that its key may read. */
const detect: Detect = {
  ...signals,
  ids: [{ param: 'space_id', file: '.contentfulrc.json', at: '/activeSpaceId' }],
  draft: [
    {
      id: 'content',
      op: 'environment',
      comment: 'A copy of the content, which the preview asks for by its id.',
      params: { environment_id: '${repository}-${ctx.scope}' },
    },
    {
      id: 'content-key',
      op: 'api_key_access',
      comment: 'Lets the key of previews read it.',
      params: { environment_id: { from: 'content.id' } },
    },
  ],
};

/** Contentful: content in spaces and environments. */
export const contentful: Adapter = {
  name: 'contentful',
  alias: 'cms_b',
  title: 'Contentful',
  docs: 'https://www.contentful.com/developers/docs/references/content-management-api/',
  provider: {
    base_url: 'https://api.contentful.com',
    auth: { bearer_env: 'CONTENTFUL_MANAGEMENT_TOKEN' },
    media_type: 'application/vnd.contentful.management.v1+json',
  },
  setup: {
    page: 'https://app.contentful.com/account/profile/cma_tokens',
    needs:
      'A personal access token (CMA) of a member whose role in the space may manage its environments (environment) and its API keys (api_key_access).',
    // Every read of these requests names a space.
    check: null,
    check_by: [
      { method: 'GET', path: '/spaces/{space_id}/environments', query: { limit: '1' }, ops: ['environment'] },
      { method: 'GET', path: '/spaces/{space_id}/api_keys/{api_key_id}', ops: ['api_key_access'] },
    ],
  },
  detect,
  ops: { environment, api_key_access: apiKeyAccess },
};
