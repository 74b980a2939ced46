import type { ServiceSignals } from '../../ops/signals.ts';

/** `init` recognises Algolia by these. */
export const signals: ServiceSignals = {
  uses: {
    packages: {
      npm: [
        'algoliasearch',
        '@algolia/*',
        'react-instantsearch',
        'react-instantsearch-dom',
        'react-instantsearch-hooks-web',
        'react-instantsearch-nextjs',
        'vue-instantsearch',
        'angular-instantsearch',
        'gatsby-plugin-algolia',
        '@nuxtjs/algolia',
        'algoliasearch-helper',
      ],
      pypi: ['algoliasearch', 'algoliasearch-django'],
      rubygems: ['algolia', 'algoliasearch', 'algoliasearch-rails', 'jekyll-algolia'],
      go: ['github.com/algolia/algoliasearch-client-go'],
      cargo: ['algolia'],
      composer: ['algolia/algoliasearch-client-php', 'algolia/scout-extended', 'algolia/search-bundle'],
      hex: ['algoliax', 'algolia'],
      maven: ['com.algolia:*'],
      nuget: ['Algolia.Search'],
      pub: ['algoliasearch', 'algolia', 'algolia_helper_flutter'],
      swift: ['algolia/algoliasearch-client-swift'],
    },
    variables: ['ALGOLIA_*'],
    hosts: ['.algolia.net', '.algolianet.com', '.algolia.io'],
    snippets: ['docsearch({'],
    resources: ['algolia_*'],
    settings: ['docusaurus.algolia', 'vitepress.algolia', 'vitepress.search.algolia'],
  },
  may: { packages: { npm: ['@docsearch/*'] }, variables: ['DOCSEARCH_API_KEY'] },
  nothing: {
    packages: { npm: ['instantsearch.js', '@algolia/autocomplete-*', '@algolia/client-common', '@algolia/recommend-*'] },
  },
  // The widgets of InstantSearch show the results of other engines as well.
  unless: { packages: { npm: ['typesense-instantsearch-adapter', '@meilisearch/instant-meilisearch', '@searchkit/instantsearch-client'] } },
};
