import type { Detect } from '../../ops/detect.ts';

/** What tells of Clerk, and what a first plan has for it: sign-in that comes back to the preview. */
export const detect: Detect = {
  dependencies: [
    '@clerk/nextjs',
    '@clerk/backend',
    '@clerk/clerk-react',
    '@clerk/react',
    '@clerk/react-router',
    '@clerk/clerk-js',
    '@clerk/clerk-expo',
    '@clerk/clerk-sdk-node',
    '@clerk/express',
    '@clerk/fastify',
    '@clerk/hono',
    '@clerk/remix',
    '@clerk/astro',
    '@clerk/nuxt',
    '@clerk/vue',
    '@clerk/tanstack-react-start',
    'clerk-backend-api',
    'clerk-sdk-ruby',
  ],
  env: ['CLERK_SECRET_KEY', 'CLERK_PUBLISHABLE_KEY', 'NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY', 'VITE_CLERK_PUBLISHABLE_KEY'],
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
