import type { Detect } from '../../ops/detect.ts';
import type { Adapter } from '../../ops/op.ts';
import { flagTarget } from './flag-target.ts';
import { signals } from './signals.ts';

/** `init` recognises LaunchDarkly by this. A first plan has a flag that is on in the preview. */
const detect: Detect = {
  ...signals,
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
