import type { ServiceSignals } from '../../ops/signals.ts';

/** `init` recognises LaunchDarkly by these. */
export const signals: ServiceSignals = {
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
};
