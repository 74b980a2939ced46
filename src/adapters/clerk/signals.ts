import type { ServiceSignals } from '../../ops/signals.ts';

/** `init` recognises Clerk by these. */
export const signals: ServiceSignals = {
  uses: {
    packages: {
      npm: ['@clerk/*', 'svelte-clerk'],
      pypi: ['clerk-backend-api', 'clerk-sdk-python'],
      rubygems: ['clerk-sdk-ruby'],
      go: ['github.com/clerk/clerk-sdk-go', 'github.com/clerkinc/clerk-sdk-go'],
      cargo: ['clerk-rs'],
      composer: ['clerkinc/backend-php'],
      maven: ['com.clerk:*'],
      nuget: ['Clerk.BackendAPI'],
    },
    variables: ['CLERK_*'],
    hosts: ['.clerk.accounts.dev', 'api.clerk.com', 'api.clerk.dev'],
  },
};
