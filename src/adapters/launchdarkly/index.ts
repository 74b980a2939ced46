import type { Adapter } from '../../ops/op.ts';
import { detect } from './detect.ts';
import { flagTarget } from './flag-target.ts';

/** LaunchDarkly: feature flags. */
export const launchdarkly: Adapter = {
  name: 'launchdarkly',
  alias: 'flags_h',
  title: 'LaunchDarkly',
  docs: 'https://launchdarkly.com/docs/api/feature-flags/patch-feature-flag',
  provider: {
    base_url: 'https://app.launchdarkly.com',
    // The token stands alone in the header, without a scheme before it.
    auth: { header: 'Authorization', value_env: 'LAUNCHDARKLY_ACCESS_TOKEN' },
    // Every body is a semantic patch; without the domain model it would be read as a JSON patch.
    headers: { 'Content-Type': 'application/json; domain-model=launchdarkly.semanticpatch' },
  },
  setup: {
    page: 'https://app.launchdarkly.com/settings/authorization',
    needs: 'An access token whose role may view the project and update the targets of its flags (updateTargets) in the environment.',
    // An SDK key passes this one (2026-11-25).
    check: { method: 'GET', path: '/api/v2/caller-identity' },
    check_by: [{ method: 'GET', path: '/api/v2/flags/{project_key}/{flag_key}' }],
    unproven: 'the right to change targets (updateTargets)',
  },
  detect,
  ops: { flag_target: flagTarget },
};
