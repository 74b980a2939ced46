import { commitIdPattern } from '../../core/commit-id.ts';
import { HttpFailure } from '../../http/failure.ts';
import { addressParam, expectedOf, holdAddress, shaOf } from '../../ops/address.ts';
import type { Io, Readiness, WaitBound } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import { waitTimeoutOf, waitTimeoutParam } from '../../ops/timeout.ts';
import { isProduction } from '../../plan/context.ts';
import type { Live } from '../../remote/live-object.ts';
import { identityText } from '../../remote/value.ts';
import { type Deployment, type Listed, listDeployments, readDeployment, readProject, teamOf } from './api.ts';
import { projectParam } from './params.ts';

/**
 * Waits until the deployment of a commit is ready. It starts the deployment again when it was made before the variables that this run
 * wrote, because a deployment sees only values that were set before it. It makes nothing that a destroy would have to remove.
 */
export const deploy: Op = {
  kind: 'wait',
  doc: 'Waits until the deployment of a commit is ready. The deployment is made again when it is older than the state that it needs.',
  reported: true,
  subject: 'deployment of {project}[, {target}][, branch {git_branch}][, commit {sha}]',
  params: {
    project: projectParam,
    sha: { type: 'string', pattern: commitIdPattern, doc: 'The commit; the commit of the run when left out.' },
    git_branch: { type: 'string', min_length: 1, doc: 'Only deployments of this git branch.' },
    target: {
      type: 'string',
      enum: ['preview', 'production'],
      doc: 'Which deployment of the commit; the one for the environment when left out.',
    },
    when_skipped: {
      type: 'string',
      enum: ['fail', 'keep'],
      default: 'fail',
      doc: 'The meaning of a build that the Ignored Build Step of the project skipped. `keep` takes the last deployment of the git branch that was not skipped.',
    },
    address: addressParam,
    timeout: waitTimeoutParam,
  },
  outputs: {
    id: { doc: 'Id of the deployment.' },
    url: { doc: 'Address of the deployment, with https://.' },
    hostname: { doc: 'Host name of the deployment.' },
    inspector_url: { doc: 'Page of the deployment in the dashboard; null where there is none.' },
  },
  writesProduction: ({ target }) => target === 'production',
  bind(params, context) {
    const sha = shaOf(params, context);
    const project = identityText(params.project, 'project');
    const stated = params.target === undefined ? null : identityText(params.target, 'target');
    const wanted = { project, sha, target: stated ?? (isProduction(context.environment) ? 'production' : 'preview') };
    const branch = params.git_branch === undefined ? null : identityText(params.git_branch, 'git_branch');
    const keepsOf = params.when_skipped === 'keep' ? (branch ?? context.branch) : null;
    return { ...deployLine({ ...wanted, branch, keepsOf, address: expectedOf(params) }), ...waitTimeoutOf(params) };
  },
};

interface Wanted {
  readonly project: string;
  readonly sha: string;
  readonly target: string;
  readonly branch: string | null;
  /** The git branch whose last deployment replaces a skipped one; `null` where none does. */
  readonly keepsOf: string | null;
  /** The host name that lines before this one were given; `null` where there is none. */
  readonly address: string | null;
}

function deployLine(wanted: Wanted): WaitBound {
  const { project, sha, target, branch } = wanted;
  const seen: Seen = { listed: new Set(), since: null, passed: null };
  return {
    kind: 'wait',
    key: `/projects/${encodeURIComponent(project)}/deployments[sha=${sha},target=${target},branch=${branch ?? ''}]`,
    fields: { sha, target },
    reach: { kind: 'none' },
    async poll(io, since) {
      seen.since = since;
      const newest = await newestOf(io, wanted, seen);
      if (!newest) return wait(`Vercel has no ${target} deployment of the commit ${sha.slice(0, 12)} yet.`);
      const one = isSkipped(newest) ? ((await standInOf(io, wanted, seen)) ?? newest) : newest;
      const { passed } = seen;
      // The redeploy covers the writes before it. A later write is compared like any other.
      if (passed === null || (since !== null && since > passed.since)) return await judge(io, one, wanted, since);
      return passed.ids.has(one.uid)
        ? wait(`The deployment that takes the place of ${one.uid} is not listed yet.`)
        : await judge(io, one, wanted, null);
    },
    async kick(io, live) {
      seen.passed = { ids: new Set([...seen.listed, live.id]), since: seen.since ?? Number.POSITIVE_INFINITY };
      await redeploy(io, live, wanted);
    },
  };
}

/** The deployments that one line has seen. */
interface Seen {
  readonly listed: Set<string>;
  /** The `since` of the last look. */
  since: number | null;
  /** Set by a redeploy. Deployments that were listed before it are too old for the line, and any other deployment is newer. */
  passed: { readonly ids: ReadonlySet<string>; readonly since: number } | null;
}

/** The newest deployment, whoever made it. A deployment that others started after the write has the new values, too. */
async function newestOf(io: Io, wanted: Wanted, seen: Seen): Promise<Listed | null> {
  const { sha, branch } = wanted;
  return (await fitting(io, wanted, seen, { sha, ...(branch !== null && { branch }) }))[0] ?? null;
}

/** The deployment that replaces a skipped one. In a repository of many projects a commit builds only the projects that it changes. */
async function standInOf(io: Io, wanted: Wanted, seen: Seen): Promise<Listed | null> {
  if (wanted.keepsOf === null) return null;
  const ofBranch = await fitting(io, wanted, seen, { branch: wanted.keepsOf });
  return ofBranch.find((one) => !isSkipped(one)) ?? null;
}

async function fitting(
  io: Io,
  { project, target }: Wanted,
  { listed }: Seen,
  query: { readonly sha?: string; readonly branch?: string },
): Promise<Listed[]> {
  const projectId = project.startsWith('prj_') ? project : (await readProject(io, project)).id;
  const all = await listDeployments(io, { projectId, ...query });
  for (const { uid } of all) listed.add(uid);
  // A preview has no target and belongs to no custom environment.
  return all.filter((one) => (target === 'production' ? one.target === 'production' : !one.target && !one.customEnvironment));
}

/** A skipped build is a canceled one whose message names the setting. The contract has no state for it. */
const isSkipped = ({ readyState, errorMessage }: Listed): boolean =>
  readyState === 'CANCELED' && /ignored build step/i.test(errorMessage ?? '');

async function judge(io: Io, newest: Listed, { address }: Wanted, since: number | null): Promise<Readiness> {
  // Only the list says DELETED (checked 2026-11-21). A deleted deployment cannot be redeployed.
  if (newest.readyState === 'DELETED') return failed(newest, 'was deleted');
  if (newest.readyState === 'BLOCKED') return failed(newest, 'is blocked until somebody with the right to do so authorises it');
  if (isSkipped(newest)) {
    return failed(newest, 'was skipped by the Ignored Build Step of the project; `when_skipped: keep` takes the last one of the branch');
  }
  if (newest.readyState === 'CANCELED') return failed(newest, 'was canceled');
  if (since !== null && newest.createdAt < since) {
    // This also holds during the build or after a failure: the deployment cannot see later values, and may have failed without them.
    const detail = `The deployment ${newest.uid} was made before the state that it needs was written.`;
    return { state: 'stale', detail, live: liveOf(newest) };
  }
  if (newest.readyState === 'ERROR') return failed(newest, `failed${newest.errorMessage ? `: ${newest.errorMessage}` : ''}`);
  if (newest.readyState !== 'READY') return wait(`The deployment ${newest.uid} is ${newest.readyState}.`);
  const now = await readDeployment(io, newest.uid);
  if (now.deletedAt) return failed(newest, 'was deleted');
  if (now.readyState !== 'READY') return wait(`The deployment ${now.id} is ${now.readyState}.`);
  // The address is null until the upload is complete.
  if (!now.url) return wait(`The deployment ${now.id} has no address yet.`);
  // Aliases come after the build.
  if (address !== null && !now.aliasAssigned && !now.aliasError) return wait(`The deployment ${now.id} has no aliases yet.`);
  holdAddress(address, `The deployment ${now.id}`, now.alias);
  return { state: 'ready', live: liveOf(newest, now) };
}

function liveOf(listed: Listed, now?: Deployment): Live {
  const url = now?.url ?? listed.url;
  return {
    id: listed.uid,
    values: {},
    outputs: {
      id: listed.uid,
      ...(url && { url: `https://${url}`, hostname: url }),
      inspector_url: now?.inspectorUrl ?? listed.inspectorUrl ?? null,
    },
    createdAt: new Date(listed.createdAt).toISOString(),
    raw: listed.name,
  };
}

const wait = (detail: string): Readiness => ({ state: 'wait', detail });

function failed({ uid, inspectorUrl }: Listed, how: string): Readiness {
  return { state: 'failed', detail: `The deployment ${uid} ${how}.${inspectorUrl ? ` See ${inspectorUrl}.` : ''}` };
}

async function redeploy(io: Io, live: Live, { target }: Wanted): Promise<void> {
  const name = typeof live.raw === 'string' ? live.raw : live.id;
  const body = { name, deploymentId: live.id, meta: { action: 'redeploy' }, ...(target === 'production' && { target }) };
  // Without forceNew the provider may answer with the earlier deployment of the same commit.
  const query = { forceNew: '1', ...teamOf(io.http.block) };
  try {
    await io.http.send({ method: 'POST', path: '/v13/deployments', query, body }, { purpose: 'write', signal: io.signal, retry: 'none' });
  } catch (thrown) {
    // The redeploy may have started, and the next look tells. A second one would only be another build.
    if (!(thrown instanceof HttpFailure) || !thrown.unanswered) throw thrown;
  }
  io.note(`Redeployed ${live.id}, because it was made before the state that it needs was written.`);
}
