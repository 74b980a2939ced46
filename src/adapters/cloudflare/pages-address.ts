import { z } from 'zod';
import { addressLine, addressOutputs, branchOf, untold } from '../../ops/address.ts';
import { ask } from '../../ops/answer.ts';
import type { Op } from '../../ops/op.ts';
import { projectParams, projectPath } from './params.ts';

const projectSchema = z.object({ result: z.object({ subdomain: z.string().min(1), production_branch: z.string().nullish() }) });

/** Characters of an alias. */
const longest = 28;

/**
 * The alias of a branch of a Pages project. Cloudflare documents its form (Pages, "Preview deployments") and an engineer of Pages the rest:
 * lower case, a hyphen for each other sign, none at an end, then the first 28 characters (community.cloudflare.com/t/477633, both 2026-11-27).
 */
export const pagesAddress: Op = {
  kind: 'wait',
  doc: 'The address of a branch of a Cloudflare Pages project before it is built: `<alias>.<subdomain of the project>`. It makes nothing.',
  subject: 'address of {project_name}[, branch {branch}], account {account_id}',
  console: {
    page: 'https://dash.cloudflare.com/{account_id}/pages/view/{project_name}',
    key: '/accounts/{account_id}/pages/projects/{project_name}',
  },
  notes: [
    'Give the host name to the `address` of the deploy line as well.',
    'The alias is the branch in lower case, with hyphens for other signs, cut to 28 characters. So two branches may share an alias, which shows the one that was deployed last.',
  ],
  params: {
    ...projectParams,
    branch: { type: 'string', min_length: 1, doc: 'The git branch; that of the run when left out.', example: '${ctx.git.branch}' },
  },
  outputs: addressOutputs,
  bind(params, context) {
    const path = projectPath(params);
    const branch = branchOf(params, context, 'branch');
    return addressLine(`${path}#address=${branch}`, async (io) => {
      const options = { purpose: 'read', signal: io.signal, share: true } as const;
      const { subdomain, production_branch: production } = (await ask(io.http, { method: 'GET', path }, options, projectSchema)).result;
      return branch === production ? subdomain : `${aliasOf(branch)}.${subdomain}`;
    });
  },
};

function aliasOf(branch: string): string {
  const alias = branch
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, longest);
  if (alias !== '' && !alias.endsWith('-')) return alias;
  const why =
    alias === ''
      ? 'has no letter or digit, so its alias is random'
      : `has a hyphen as the last of its first ${longest} signs, and no page says how its alias ends`;
  throw untold('branch', `The branch ${branch} ${why}.`, 'Use another name for the branch.');
}
