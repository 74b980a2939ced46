import type { Detect } from '../../ops/detect.ts';
import type { Adapter } from '../../ops/op.ts';
import { index } from './index-copy.ts';
import { signals } from './signals.ts';

/** `init` recognises Algolia by this. A first plan has a copy of the index for each preview. */
const detect: Detect = {
  ...signals,
  provider: {
    base_url: {
      text: 'https://your-application-id.algolia.net',
      todo: 'the id of the application; Algolia dashboard, Settings, API Keys, "Application ID".',
    },
  },
  variables: [
    {
      names: ['ALGOLIA_INDEX', 'ALGOLIA_INDEX_NAME', 'ALGOLIA_SEARCH_INDEX'],
      kind: 'name',
      value: { from: 'search.name' },
      optional: true,
    },
  ],
  draft: [
    {
      id: 'search',
      op: 'index',
      comment: 'A copy of the index with its records, which the preview searches and writes.',
      params: { name: '${repository}-${ctx.scope}' },
    },
  ],
};

/** Algolia: search indices of an application. */
export const algolia: Adapter = {
  name: 'algolia',
  alias: 'search_a',
  title: 'Algolia',
  docs: 'https://www.algolia.com/doc/rest-api/search/',
  provider: {
    // Every application has an address of its own: https://<application id>.algolia.net. The address with -dsn is for searches only.
    base_url: null,
    auth: {
      headers: [
        { header: 'X-Algolia-Application-Id', value_env: 'ALGOLIA_APP_ID' },
        { header: 'X-Algolia-API-Key', value_env: 'ALGOLIA_API_KEY' },
      ],
    },
  },
  setup: {
    page: 'https://dashboard.algolia.com/account/api-keys/all',
    needs:
      'The id of the application, and an API key of it with the rights (ACL) settings, listIndexes, addObject and deleteIndex for the source and the copies.',
    check: { method: 'GET', path: '/1/indexes', query: { page: '0', hitsPerPage: '1' } },
  },
  detect,
  ops: { index },
};
