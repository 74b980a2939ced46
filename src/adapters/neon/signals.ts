import type { ServiceSignals } from '../../ops/signals.ts';

/** `init` recognises Neon by these. */
export const signals: ServiceSignals = {
  uses: {
    packages: {
      npm: [
        '@neondatabase/serverless',
        '@neondatabase/toolkit',
        '@neondatabase/vite-plugin-postgres',
        '@prisma/adapter-neon',
        '@netlify/neon',
      ],
    },
    variables: [
      'NEON_API_KEY',
      'NEON_PROJECT_ID',
      'NEON_DATABASE_URL',
      'NEON_DATABASE_URL_UNPOOLED',
      'NEON_CONNECTION_STRING',
      'NEON_BRANCH_ID',
    ],
    hosts: ['.neon.tech'],
    files: ['.neon'],
    commands: ['neonctl'],
    actions: [
      'neondatabase/create-branch-action',
      'neondatabase/delete-branch-action',
      'neondatabase/reset-branch-action',
      'neondatabase/schema-diff-action',
    ],
    images: ['neondatabase/neon_local'],
    resources: ['neon_*'],
  },
  may: {
    packages: { npm: ['@neondatabase/api-client', 'neonctl', '@neondatabase/auth', '@neondatabase/neon-js'], pypi: ['neon-api'] },
    variables: ['NEON_*'],
    commands: ['neon'],
  },
};
