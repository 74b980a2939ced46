import type { ServiceSignals } from '../../ops/signals.ts';

/** `init` recognises Contentful by these. */
export const signals: ServiceSignals = {
  uses: {
    packages: {
      npm: [
        'contentful',
        'contentful-management',
        'contentful-migration',
        'gatsby-source-contentful',
        '@contentful/live-preview',
        '@contentful/rich-text-*',
        '@contentful/f36-*',
        '@contentful/app-sdk',
        'contentful-resolve-response',
      ],
      pypi: ['contentful', 'contentful-management', 'rich-text-renderer'],
      rubygems: ['contentful', 'contentful-management', 'contentful_model', 'contentful_rails', 'rich_text_renderer'],
      composer: [
        'contentful/contentful',
        'contentful/contentful-management',
        'contentful/laravel',
        'contentful/contentful-bundle',
        'contentful/rich-text',
      ],
      hex: ['contentful', 'contentful_delivery'],
      maven: ['com.contentful.java:*'],
      nuget: ['contentful.*'],
      pub: ['contentful'],
      swift: ['contentful/contentful.swift'],
    },
    variables: ['CONTENTFUL_*'],
    hosts: ['cdn.contentful.com', 'graphql.contentful.com', 'api.contentful.com', 'preview.contentful.com', '.ctfassets.net'],
    files: ['.contentfulrc.json'],
    commands: ['contentful'],
    actions: ['contentful/migrate', 'contentful/contentful-github-actions'],
    resources: ['contentful_*'],
  },
  may: { packages: { npm: ['contentful-cli', 'contentful-export', 'contentful-import', '@contentful/*'] } },
};
