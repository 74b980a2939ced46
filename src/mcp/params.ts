import { z } from 'zod';
import { whyNotText } from '../core/plain-text.ts';
import { longestText } from '../plan/given-text.ts';

/** Accepts the same texts as the flags. A blank text would make the call ask for something else. */
const text = (longest: number): z.ZodString =>
  z
    .string()
    .min(1)
    .max(longest)
    .refine((given) => whyNotText(given, longest) === null, { error: 'It must have only visible characters.' });
const lines = z.array(text(longestText.only)).max(1_000);

/** The plan, environment and scope of a call. The flags of the command line have the same names. */
export const scopeParams = {
  directory: text(4_096)
    .optional()
    .describe(
      "Absolute path of the folder to work in; inside this server's folder, or a root of the client. Default: this server's folder.",
    ),
  plan: text(longestText.plan)
    .optional()
    .describe(
      'The plan file, relative to the directory. Default: release.plan.yaml there, or in a folder above, up to the repository root.',
    ),
  environment: text(longestText.env).optional().describe('An environment that the plan lists. Default: preview.'),
  scope: text(longestText.scope).optional().describe('The name of the preview, such as pr-12. Production has one scope, so never name it.'),
  pr: z.int().positive().optional().describe('Number of the pull request. The scope is then pr-<number>.'),
};

/** The facts of the release, and the part of the plan to run. */
const runParams = {
  ...scopeParams,
  branch: text(longestText.branch).optional().describe('The git branch. Default: from the checkout.'),
  sha: text(longestText.sha).optional().describe('The commit. Default: from the checkout.'),
  only: lines
    .optional()
    .describe(
      'Ids of lines: take only these and the lines that they need. For a destroy: recorded lines, only these and the lines that depend on them.',
    ),
  recreate: lines.optional().describe('Ids of lines to make anew. This rotates outputs that are shown only once, such as passwords.'),
  reconcile: z.boolean().optional().describe('Accept a changed delete request of a line that was applied before. A person decides this.'),
  put_back: z
    .boolean()
    .optional()
    .describe(
      'Write back what others changed, also for lines that say `drift: report`. With `only`, for the lines that it names. A person decides this.',
    ),
};

const prune = z
  .boolean()
  .optional()
  .describe('Also remove what has left the plan: recorded objects that no line has any more. They go last, once every line stands.');
const orphans = z.boolean().optional().describe('Of a destroy: remove only what has left the plan. This needs the plan.');

const duration = z.string().regex(/^\d{1,9}(ms|s|m|h)?$/);
const waitParams = {
  expect: text(longestText.expect)
    .optional()
    .describe('The digest of the plan that you read. If the plan has changed since, the call refuses and writes nothing.'),
  lease_timeout: duration.optional().describe('The longest wait for another run of this scope: 90s, 10m. Default: 15m.'),
  wait_timeout: duration.optional().describe('The longest wait of the whole run for deployments. Default: 15m.'),
};

export const planParams = z.strictObject({
  ...runParams,
  prune,
  orphans,
  destroy: z.boolean().optional().describe('Show what `destroy` would remove instead. It needs only the ledger.'),
});
export const applyParams = z.strictObject({ ...runParams, prune, ...waitParams });
export const destroyParams = z.strictObject({ ...scopeParams, only: runParams.only, orphans, ...waitParams });

export type PlanParams = z.output<typeof planParams>;
export type ApplyParams = z.output<typeof applyParams>;
