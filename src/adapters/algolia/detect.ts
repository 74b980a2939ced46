import type { Detect } from '../../ops/detect.ts';

/** What tells of Algolia, and what a first plan has for it: a copy of the index for each preview. */
export const detect: Detect = {
  dependencies: [
    'algoliasearch',
    '@algolia/client-search',
    'react-instantsearch',
    'react-instantsearch-nextjs',
    'instantsearch.js',
    'vue-instantsearch',
    'angular-instantsearch',
    'gatsby-plugin-algolia',
    'github.com/algolia/algoliasearch-client-go',
    'algolia/scout-extended',
  ],
  env: [
    'ALGOLIA_APP_ID',
    'ALGOLIA_API_KEY',
    'ALGOLIA_ADMIN_KEY',
    'ALGOLIA_ADMIN_API_KEY',
    'ALGOLIA_SEARCH_KEY',
    'NEXT_PUBLIC_ALGOLIA_APP_ID',
    'VITE_ALGOLIA_APP_ID',
  ],
  provider: {
    base_url: {
      text: 'https://your-application-id.algolia.net',
      todo: 'the id of the application; Algolia dashboard, Settings, API Keys, "Application ID".',
    },
  },
  draft: [
    {
      id: 'search',
      op: 'index',
      comment: 'A copy of the index with its records, which the preview searches and writes.',
      params: { name: '${repository}-${ctx.scope}' },
    },
  ],
};
