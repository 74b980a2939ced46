import type { ServiceSignals } from '../../ops/signals.ts';

/** `init` recognises Vercel by these. */
export const signals: ServiceSignals = {
  uses: {
    variables: ['VERCEL_TOKEN', 'VERCEL_PROJECT_ID', 'VERCEL_ORG_ID', 'VERCEL_TEAM_ID', 'VERCEL_AUTOMATION_BYPASS_SECRET'],
    files: ['vercel.json', 'vercel.ts', '.vercel/project.json', '.vercel/repo.json'],
    actions: [
      'amondnet/vercel-action',
      'BetaHuhn/deploy-to-vercel-action',
      'patrickedqvist/wait-for-vercel-preview',
      'UnlyEd/github-action-deploy-on-vercel',
      'UnlyEd/github-action-await-vercel',
    ],
    resources: ['vercel_*'],
  },
  may: {
    packages: {
      npm: [
        '@vercel/analytics',
        '@vercel/speed-insights',
        '@vercel/functions',
        '@vercel/blob',
        '@vercel/edge-config',
        '@vercel/postgres',
        '@vercel/kv',
        '@vercel/sdk',
        '@vercel/firewall',
        '@vercel/edge',
        '@sveltejs/adapter-vercel',
        '@astrojs/vercel',
        '@vercel/remix',
        '@vercel/react-router',
        'vite-plugin-vercel',
        '@vercel/toolbar',
      ],
    },
    hosts: ['.vercel.app'],
    commands: ['vercel', 'vc'],
  },
  nothing: {
    packages: {
      npm: [
        'vercel',
        '@vercel/node',
        '@vercel/og',
        '@vercel/otel',
        '@vercel/style-guide',
        '@vercel/ncc',
        '@vercel/client',
        '@vercel/frameworks',
        '@vercel/python',
        '@vercel/nft',
        '@vercel/fetch',
      ],
    },
    variables: [
      'VERCEL',
      'VERCEL_ENV',
      'VERCEL_URL',
      'VERCEL_BRANCH_URL',
      'VERCEL_PROJECT_PRODUCTION_URL',
      'VERCEL_GIT_COMMIT_SHA',
      'VERCEL_GIT_COMMIT_REF',
      'VERCEL_REGION',
      'VERCEL_TARGET_ENV',
      'VERCEL_DEPLOYMENT_ID',
    ],
  },
};
