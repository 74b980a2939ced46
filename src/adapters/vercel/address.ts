import { Failure } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';
import { addressLine, addressOutputs, branchOf, longestLabel, slugOf, untold } from '../../ops/address.ts';
import type { Io } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import { identityText } from '../../remote/value.ts';
import { projectPath, readDomain, readProject } from './api.ts';
import { projectParam } from './params.ts';

/**
 * The address of a git branch before its build: a domain of the project that shows the branch, or the alias that Vercel gives each branch.
 * The alias is <project>-git-<branch>-<team>.vercel.app. How Vercel shortens a longer name than a label may be, and which signs of a branch
 * it drops, is written nowhere (generated-urls and "Why is my Vercel Deployment URL being shortened" contradict each other, 2026-11-27).
 */
export const address: Op = {
  kind: 'wait',
  doc: 'The address of a git branch before it is built: a domain of the project, or the alias `<project>-git-<branch>-<team>.vercel.app`. It makes nothing.',
  subject: 'address of {project}[, branch {git_branch}][, domain {domain}]',
  notes: [
    'Give the host name to the `address` of the deploy line as well. The alias may be taken, or spelled otherwise, and only the deployment shows that.',
    'Vercel shortens a name of more than 63 characters, drops some signs of a branch, and may shorten a project name that looks like a domain. Its pages do not say how, so such a branch needs a `domain`. A team with a suffix of its own for previews needs one, too.',
  ],
  params: {
    project: projectParam,
    git_branch: { type: 'string', min_length: 1, doc: 'The git branch; that of the run when left out.', example: '${ctx.git.branch}' },
    team: {
      type: 'string',
      pattern: '^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$',
      doc: 'Slug of the team that owns the project, or the username of a personal account; the `slug` of the API block when left out.',
      todo: 'Vercel Dashboard, the project: the first part of the path in the address of its page.',
      example: 'acme',
    },
    domain: {
      type: 'string',
      format: 'hostname',
      doc: 'A domain of the project that shows this branch, in place of the alias.',
    },
  },
  outputs: addressOutputs,
  bind(params, context) {
    const project = identityText(params.project, 'project');
    const branch = branchOf(params, context);
    const domain = params.domain === undefined ? null : identityText(params.domain, 'domain');
    const { slug } = context.block.settings ?? {};
    const team = params.team === undefined ? (slug ?? null) : identityText(params.team, 'team');
    return addressLine(`${projectPath('v9', project)}#address=${domain ?? branch}`, async (io) =>
      domain === null ? await aliasOf(io, { project, branch, team }) : await domainOf(io, { project, branch, domain }),
    );
  },
};

async function domainOf(io: Io, { project, branch, domain }: { project: string; branch: string; domain: string }): Promise<string> {
  const found = await readDomain(io, project, domain).catch((thrown: unknown) => {
    if (!(thrown instanceof HttpFailure) || thrown.status !== 404) throw thrown;
    throw new Failure('PROVIDER_NOT_FOUND', {
      at: ['domain'],
      detail: `The project ${project} has no domain ${domain}.`,
      fix: 'Add the domain to the project, such as with a vercel.project_domain line, and take its `hostname`.',
      cause: thrown,
    });
  });
  const flaw =
    found.gitBranch !== branch
      ? `shows ${found.gitBranch ? `the branch ${found.gitBranch}` : 'production'}, not the branch ${branch}`
      : found.redirect
        ? `redirects to ${found.redirect}`
        : found.verified
          ? null
          : 'is not verified, so it shows nothing yet';
  if (flaw === null) return found.name;
  throw untold('domain', `The domain ${domain} of ${project} ${flaw}.`, 'Name a verified domain of the project that shows this branch.');
}

async function aliasOf(io: Io, { project, branch, team }: { project: string; branch: string; team: string | null }): Promise<string> {
  const instead = 'Give the line the `domain` of a vercel.project_domain line for this branch.';
  if (team === null) {
    throw untold(
      'team',
      'The alias of a branch ends in the slug of its team, which Vercel shows in no answer about a project.',
      'Give the line a `team`, or `providers.vercel` a `slug`.',
    );
  }
  const { name, link } = await readProject(io, project);
  if (!link)
    throw untold(
      'project',
      `The project ${name} is connected to no git repository, so its branches have no alias.`,
      'Connect the repository in the settings of the project.',
    );
  // Vercel writes a slash as a hyphen, and drops dots, underscores and plus signs (users report this, 2026-11-27).
  const [project_, branch_] = [slugOf(name, '-'), slugOf(branch, '/-')];
  if (project_ === null || branch_ === null) {
    const what = project_ === null ? `project name ${name}` : `branch ${branch}`;
    throw untold(
      'git_branch',
      `No page of Vercel says how an alias spells the ${what}.`,
      `${instead} Or use letters, digits, single hyphens and slashes only.`,
    );
  }
  const label = `${project_}-git-${branch_}-${team}`;
  if (label.length <= longestLabel) return `${label}.vercel.app`;
  throw untold(
    'git_branch',
    `The alias ${label} has ${label.length} characters. Vercel shortens an alias of more than ${longestLabel}, and no page says how.`,
    `${instead} Or use a shorter name for the branch.`,
  );
}
