import { z } from 'zod';
import { addressLine, addressOutputs, branchOf, longestLabel, slugOf, untold } from '../../ops/address.ts';
import { ask } from '../../ops/answer.ts';
import type { Io } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import { identityText } from '../../remote/value.ts';
import { siteParam } from './params.ts';

const siteSchema = z.object({
  name: z.string().min(1),
  deploy_preview_custom_domain: z.string().nullish(),
  branch_deploy_custom_domain: z.string().nullish(),
});

/**
 * The address of a deploy preview or a branch deploy before it is built. Netlify documents the rule whole: deploy-preview-<number> or the
 * branch, then --<site>.netlify.app, or an automatic deploy subdomain (docs.netlify.com, "Understand domains"). A name that is too long
 * for a label gives no address but that of the single deploy (answers.netlify.com/t/12396). Both read 2026-11-27.
 */
export const address: Op = {
  kind: 'wait',
  doc: 'The address of a deploy preview or a branch deploy before it is built: `deploy-preview-<number>--<site>.netlify.app`, `<branch>--<site>.netlify.app`, or a name below the automatic deploy subdomain of the site. It makes nothing.',
  subject: 'address of site {site_id}[, pull request {pull_request}][, branch {branch}]',
  notes: [
    'Give the host name to the `address` of the deploy line as well. A deploy of the command line with that `--alias` takes the name, and only the deploy shows that.',
    'A name of more than 63 characters has no address that stays, and Netlify does not say how it spells two signs in a row or letters that are not ASCII.',
  ],
  params: {
    site_id: siteParam,
    pull_request: {
      type: 'string',
      format: 'digits',
      doc: 'Number of the pull request, for the address of its deploy preview.',
      example: '${ctx.pr.number}',
    },
    branch: {
      type: 'string',
      min_length: 1,
      doc: 'The git branch of a branch deploy, where the line has no `pull_request`; that of the run when left out.',
    },
  },
  outputs: addressOutputs,
  bind(params, context) {
    const site = identityText(params.site_id, 'site_id');
    const pull = params.pull_request === undefined ? null : identityText(params.pull_request, 'pull_request');
    const branch = pull === null ? branchOf(params, context, 'branch') : null;
    const key = `/sites/${encodeURIComponent(site)}#address=${branch ?? `deploy-preview-${pull}`}`;
    return addressLine(key, async (io) => {
      const { name, deploy_preview_custom_domain: ofPreviews, branch_deploy_custom_domain: ofBranches } = await readSite(io, site);
      const prefix = branch === null ? `deploy-preview-${pull}` : prefixOf(branch);
      const custom = branch === null ? ofPreviews : ofBranches;
      const label = custom ? prefix : `${prefix}--${name}`;
      if (label.length > longestLabel) throw tooLong(label);
      return `${label}.${custom || 'netlify.app'}`;
    });
  },
};

async function readSite(io: Io, site: string): Promise<z.output<typeof siteSchema>> {
  const request = { method: 'GET', path: `/sites/${encodeURIComponent(site)}` } as const;
  return await ask(io.http, request, { purpose: 'read', signal: io.signal, share: true }, siteSchema);
}

/** Netlify's support gives the rule: lower case, and a hyphen for what is no letter or digit (answers.netlify.com/t/12630, 2026-11-27). */
function prefixOf(branch: string): string {
  const slug = slugOf(branch, '\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e');
  if (slug !== null) return slug;
  throw untold(
    'branch',
    `No page of Netlify says how an address spells the branch ${branch}.`,
    'Use ASCII letters and digits with single signs between them in the name of the branch, or give the line a `pull_request`.',
  );
}

const tooLong = (label: string) =>
  untold(
    'branch',
    `The name ${label} has ${label.length} characters. Above ${longestLabel} Netlify gives the deploy no address that stays.`,
    'Use a shorter branch or site name, or an automatic deploy subdomain for the site.',
  );
