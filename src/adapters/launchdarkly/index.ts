import type { Detect } from '../../ops/detect.ts';
import type { Adapter } from '../../ops/op.ts';
import { flagTarget } from './flag-target.ts';

/** `init` recognises LaunchDarkly by this. A first plan has a flag that is on in the preview. */
const detect: Detect = {
  uses: {
    packages: {
      npm: [
        '@launchdarkly/*',
        '@flags-sdk/launchdarkly',
        'launchdarkly-js-client-sdk',
        'launchdarkly-react-client-sdk',
        'launchdarkly-vue-client-sdk',
        'launchdarkly-node-server-sdk',
        'launchdarkly-node-client-sdk',
        'launchdarkly-electron-client-sdk',
        'ldclient-js',
        'ldclient-node',
      ],
      pypi: ['launchdarkly-server-sdk', 'ldclient-py'],
      rubygems: ['launchdarkly-server-sdk', 'ldclient-rb'],
      go: ['github.com/launchdarkly/go-server-sdk', 'gopkg.in/launchdarkly/go-server-sdk'],
      cargo: ['launchdarkly-server-sdk'],
      composer: ['launchdarkly/server-sdk', 'launchdarkly/launchdarkly-php'],
      hex: ['ldclient', 'launchdarkly_server_sdk'],
      maven: ['com.launchdarkly:*'],
      nuget: ['LaunchDarkly.*'],
      pub: ['launchdarkly_flutter_client_sdk'],
      swift: ['launchdarkly/ios-client-sdk'],
    },
    variables: ['LAUNCHDARKLY_*', 'LAUNCH_DARKLY_*', 'LD_SDK_KEY', 'LD_CLIENT_SIDE_ID'],
    hosts: ['sdk.launchdarkly.com', 'events.launchdarkly.com', 'clientsdk.launchdarkly.com', 'clientstream.launchdarkly.com'],
    actions: ['launchdarkly/find-code-references', 'launchdarkly/gha-flags'],
    resources: ['launchdarkly_*'],
  },
  may: { hosts: ['app.launchdarkly.com'] },
  nothing: { packages: { npm: ['@launchdarkly/js-sdk-common'] } },
  draft: [
    {
      id: 'flag',
      op: 'flag_target',
      comment: 'Turns a flag on for the preview alone.',
      params: { context_kind: 'deployment', context_key: 'preview-${ctx.scope}', variation: true },
      check: {
        context_kind: 'the kind of context that your app evaluates flags for.',
        context_key: 'the key under which the preview evaluates flags.',
      },
      part: 'flags',
    },
  ],
};

/** LaunchDarkly: feature flags. */
export const launchdarkly: Adapter = {
  name: 'launchdarkly',
  alias: 'flags_h',
  title: 'LaunchDarkly',
  docs: 'https://launchdarkly.com/docs/api/feature-flags/patch-feature-flag',
  provider: {
    base_url: 'https://app.launchdarkly.com',
    // The header holds only the token, without a scheme before it.
    auth: { header: 'Authorization', value_env: 'LAUNCHDARKLY_ACCESS_TOKEN' },
    // Every body is a semantic patch. Without the domain model LaunchDarkly would read it as a JSON patch.
    headers: { 'Content-Type': 'application/json; domain-model=launchdarkly.semanticpatch' },
  },
  setup: {
    page: 'https://app.launchdarkly.com/settings/authorization',
    needs: 'An access token whose role may view the project and update the targets of its flags (updateTargets) in the environment.',
    // This read accepts an SDK key, too (2026-11-25).
    check: { method: 'GET', path: '/api/v2/caller-identity' },
    check_by: [{ method: 'GET', path: '/api/v2/flags/{project_key}/{flag_key}' }],
    unproven: 'the right to change targets (updateTargets)',
  },
  detect,
  ops: { flag_target: flagTarget },
};
