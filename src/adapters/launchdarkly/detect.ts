import type { Detect } from '../../ops/detect.ts';

/** What tells of LaunchDarkly, and the example that a first plan has of it: a flag that is on in the preview. */
export const detect: Detect = {
  dependencies: [
    '@launchdarkly/node-server-sdk',
    '@launchdarkly/js-client-sdk',
    '@launchdarkly/react-native-client-sdk',
    '@launchdarkly/vercel-server-sdk',
    '@launchdarkly/cloudflare-server-sdk',
    '@flags-sdk/launchdarkly',
    'launchdarkly-js-client-sdk',
    'launchdarkly-react-client-sdk',
    'launchdarkly-vue-client-sdk',
    'launchdarkly-node-server-sdk',
    'launchdarkly-server-sdk',
    'github.com/launchdarkly/go-server-sdk',
  ],
  env: [
    'LAUNCHDARKLY_ACCESS_TOKEN',
    'LAUNCHDARKLY_SDK_KEY',
    'LAUNCHDARKLY_CLIENT_SIDE_ID',
    'NEXT_PUBLIC_LAUNCHDARKLY_CLIENT_SIDE_ID',
    'VITE_LAUNCHDARKLY_CLIENT_SIDE_ID',
  ],
  draft: [
    {
      id: 'flag',
      op: 'flag_target',
      comment: 'Turns a flag on for the preview alone.',
      params: { context_kind: 'deployment', context_key: 'preview-${ctx.scope}', variation: true },
      check: {
        context_kind: 'the kind of context that your app evaluates flags for.',
        context_key: 'the key under which the preview evaluates them.',
      },
      part: 'flags',
    },
  ],
};
