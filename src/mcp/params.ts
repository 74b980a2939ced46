import { z } from 'zod';
import { whyNotText } from '../core/plain-text.ts';
import { longestText } from '../plan/given-text.ts';

/** The same texts as those of the flags: a blank one would be a call for something else. */
const text = (longest: number): z.ZodString =>
  z
    .string()
    .min(1)
    .max(longest)
    .refine((given) => whyNotText(given, longest) === null, { error: 'It must be of visible characters.' });
const lines = z.array(text(longestText.only)).max(1_000);

/** Which plan, environment and scope a call is about; the flags of the command line under the same names. */
export const scopeParams = {
  directory: text(4_096)
    .optional()
    .describe(
      "Absolute path of the folder to work in; inside this server's folder, or a root of the client. Default: this server's folder.",
    ),
  plan: text(longestText.plan)
    .optional()
    .describe('The plan file, from the directory on. Default: release.plan.yaml there, or in a folder above up to the repository root.'),
  environment: text(longestText.env).optional().describe('One that the plan lists. Default: preview.'),
  scope: text(longestText.scope)
    .optional()
    .describe('Which preview this is, such as pr-12. Production has one scope, which is never named.'),
  pr: z.int().positive().optional().describe('Number of the pull request; the scope is pr-<number> then.'),
};

/** What is known of the release, and which part of the plan is meant. */
const runParams = {
  ...scopeParams,
  branch: text(longestText.branch).optional().describe('The git branch. Default: from the checkout.'),
  sha: text(longestText.sha).optional().describe('The commit. Default: from the checkout.'),
  only: lines
    .optional()
    .describe('Ids of lines: only these and what they need. Of a destroy: recorded lines, only these and what depends on them.'),
  recreate: lines.optional().describe('Ids of lines to make anew. It rotates outputs that are shown once, such as passwords.'),
  reconcile: z.boolean().optional().describe('Accept a changed delete request of a line that was applied before. A person decides this.'),
  put_back: z
    .boolean()
    .optional()
    .describe('Write back what others changed, also for lines that say `drift: report`; with `only`, for those. A person decides this.'),
};

const duration = z.string().regex(/^\d{1,9}(ms|s|m|h)?$/);
const waitParams = {
  expect: text(longestText.expect)
    .optional()
    .describe(
      'The digest of the plan that was looked at. The call refuses, and writes nothing, when what would be done has changed since.',
    ),
  lease_timeout: duration.optional().describe('How long to wait for another run of this scope: 90s, 10m. Default: 15m.'),
  wait_timeout: duration.optional().describe('How long the whole run may wait for deployments. Default: 15m.'),
};

export const planParams = z.strictObject({
  ...runParams,
  destroy: z.boolean().optional().describe('Show what `destroy` would remove instead. It needs only the ledger.'),
});
export const applyParams = z.strictObject({ ...runParams, ...waitParams });
export const destroyParams = z.strictObject({ ...scopeParams, only: runParams.only, ...waitParams });

export type PlanParams = z.output<typeof planParams>;
export type ApplyParams = z.output<typeof applyParams>;
