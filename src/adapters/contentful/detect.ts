import type { Detect } from '../../ops/detect.ts';

/** What tells of Contentful, and what a first plan has for it: an environment for each preview that its key may read. */
export const detect: Detect = {
  files: ['.contentfulrc.json'],
  dependencies: [
    'contentful',
    'contentful-management',
    'contentful-migration',
    'contentful-cli',
    'gatsby-source-contentful',
    '@contentful/rich-text-react-renderer',
    '@contentful/live-preview',
    'contentful/contentful',
  ],
  env: [
    'CONTENTFUL_SPACE_ID',
    'CONTENTFUL_MANAGEMENT_TOKEN',
    'CONTENTFUL_ENVIRONMENT',
    'CONTENTFUL_ACCESS_TOKEN',
    'CONTENTFUL_DELIVERY_TOKEN',
    'NEXT_PUBLIC_CONTENTFUL_SPACE_ID',
  ],
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
