import type { ServiceSignals } from '../../ops/signals.ts';

/** `init` recognises Netlify by these. */
export const signals: ServiceSignals = {
  uses: {
    variables: ['NETLIFY_AUTH_TOKEN', 'NETLIFY_SITE_ID'],
    hosts: ['api.netlify.com'],
    files: ['netlify.toml', '.netlify/state.json'],
    actions: [
      'nwtgck/actions-netlify',
      'netlify/actions',
      'jsmrcaga/action-netlify-deploy',
      'jakejarvis/wait-for-netlify-action',
      'kamranayub/wait-for-netlify-action',
    ],
    orbs: ['netlify/netlify-deploy'],
    resources: ['netlify_*'],
  },
  may: {
    packages: {
      npm: [
        '@netlify/functions',
        '@netlify/edge-functions',
        '@netlify/blobs',
        '@netlify/identity',
        '@netlify/plugin-nextjs',
        '@netlify/vite-plugin',
        '@netlify/nuxt',
        '@netlify/remix-adapter',
        '@netlify/vite-plugin-react-router',
        '@sveltejs/adapter-netlify',
        '@astrojs/netlify',
        'gatsby-adapter-netlify',
        'gatsby-plugin-netlify',
        'netlify-identity-widget',
        '@netlify/zip-it-and-ship-it',
      ],
    },
    hosts: ['.netlify.app'],
    commands: ['netlify', 'ntl'],
  },
  nothing: {
    packages: { npm: ['netlify', 'netlify-cli', '@netlify/config', '@netlify/dev', 'decap-cms-app'] },
    variables: ['NETLIFY', 'DEPLOY_PRIME_URL', 'DEPLOY_URL', 'CONTEXT'],
  },
};
