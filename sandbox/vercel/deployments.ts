import { type Call, json, type Kit, route, type Shape } from '../kit/index.ts';
import { aliasesOf } from './aliases.ts';
import { badRequest, checkTeam, notFound, projectOf, readBody } from './errors.ts';
import { type Deployment, type Maker, type Project, poll, type VercelState } from './state.ts';

type AnyCall = Call<VercelState, unknown>;

const open: Shape = { open: true, fields: {} };
const createShape: Shape = {
  required: ['name'],
  fields: {
    name: 'string',
    project: 'string',
    deploymentId: 'string',
    target: 'string',
    meta: { values: 'string' },
    gitMetadata: open,
    gitSource: open,
    withLatestCommit: 'boolean',
    customEnvironmentSlugOrId: 'string',
  },
};

interface Body {
  readonly name: string;
  readonly project?: string;
  readonly deploymentId?: string;
  readonly target?: string;
  readonly gitSource?: Readonly<Record<string, unknown>>;
}

/** Deployments: list v7, read and create v13. Every read moves what it shows one step on. */
export const deploymentRoutes = (make: Maker, kit: Kit) => [
  route<VercelState, '/v7/deployments'>('GET', '/v7/deployments', (call) => {
    checkTeam(call);
    return json(200, listAnswer(call));
  }),

  route<VercelState, '/v13/deployments/{idOrUrl}'>('GET', '/v13/deployments/{idOrUrl}', (call) => {
    checkTeam(call);
    const { idOrUrl } = call.params;
    const found = call.state.deployments.find(({ id, host }) => id === idOrUrl || host === idOrUrl);
    if (!found) throw notFound('The deployment could not be found.');
    poll(found, call.now);
    return json(200, deploymentAnswer(call.state, found));
  }),

  route<VercelState, '/v13/deployments'>('POST', '/v13/deployments', (call) => {
    const body = readBody(call, createShape) as Body;
    const forceNew = call.query.get('forceNew') ?? '0';
    if (forceNew !== '0' && forceNew !== '1')
      throw badRequest('Invalid request: `forceNew` should be equal to one of the allowed values "0, 1".');
    const asked = askedOf(call, body);
    // Without forceNew the same commit is not built again: its latest deployment is answered.
    const earlier = call.state.deployments.findLast(
      (one) =>
        one.projectId === asked.project.id &&
        one.sha === asked.sha &&
        one.target === asked.target &&
        one.deletedAt === null &&
        !['ERROR', 'CANCELED'].includes(one.readyState),
    );
    if (earlier && forceNew === '0') return json(200, deploymentAnswer(call.state, earlier));
    const made = make.deployment(call.state, asked.project, asked, kit.faults.pollsUntilReady, call.now);
    return json(200, deploymentAnswer(call.state, made));
  }),
];

function askedOf(call: AnyCall, body: Body): Pick<Deployment, 'sha' | 'ref' | 'target' | 'source'> & { readonly project: Project } {
  const target = body.target === 'production' ? 'production' : null;
  if (body.target !== undefined && !['production', 'preview', 'staging'].includes(body.target))
    throw badRequest('Invalid request: `target` is not known.');
  if (body.deploymentId !== undefined) {
    checkTeam(call);
    const old = call.state.deployments.find(({ id, deletedAt }) => id === body.deploymentId && deletedAt === null);
    if (!old) throw notFound('The deployment could not be found.');
    const project = projectOf(call, old.projectId);
    return { project, sha: old.sha, ref: old.ref, target: body.target === undefined ? old.target : target, source: 'redeploy' };
  }
  const project = projectOf(call, body.project ?? body.name);
  if (!body.gitSource) throw badRequest('Invalid request: missing required property `files`.');
  return { project, target, source: 'api-trigger-git-deploy', ...commitOf(project, body.gitSource) };
}

/** The commit that a git source names: the connected repository's, by id or by owner and name. */
function commitOf({ repository }: Project, source: Readonly<Record<string, unknown>>): { readonly sha: string; readonly ref: string } {
  const wrong = (what: string) => badRequest(`The provided GitHub repository can't be deployed: ${what}.`);
  if (!repository) throw wrong('the project is not connected to a Git repository');
  if (source.type !== 'github') throw wrong(`type ${String(source.type)} is not the connected one`);
  const isOurs =
    'repoId' in source
      ? String(source.repoId) === String(repository.repoId)
      : source.org === repository.org && source.repo === repository.repo;
  if (!isOurs) throw wrong('it is not the connected one');
  if (typeof source.ref !== 'string') throw badRequest('Invalid request: `gitSource` missing required property `ref`.');
  const head = Object.hasOwn(repository.heads, source.ref) ? repository.heads[source.ref] : undefined;
  if (head === undefined) throw wrong(`branch ${source.ref} was not found`);
  return { ref: source.ref, sha: typeof source.sha === 'string' ? source.sha : head };
}

/** Newest first; the next page is what was made before the last item of this one. */
function listAnswer(call: AnyCall): unknown {
  const { query, state, now } = call;
  const limit = Number(query.get('limit') ?? '20');
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) throw badRequest('Invalid request: `limit` should be between 1 and 100.');
  const project = query.get('projectId') ?? query.get('app');
  const projectId = project === null ? null : projectOf(call, project).id;
  const ids = [...query.getAll('projectIds'), ...query.getAll('projectIds[]')];
  const states = query.get('state')?.split(',');
  const before = query.get('until') ?? query.get('to');
  const since = query.get('since') ?? query.get('from');
  const matches = (one: Deployment): boolean =>
    (projectId === null || one.projectId === projectId) &&
    (ids.length === 0 || ids.includes(one.projectId)) &&
    [null, one.sha].includes(query.get('sha')) &&
    [null, one.ref].includes(query.get('branch')) &&
    [null, one.target ?? 'preview'].includes(query.get('target')) &&
    (states === undefined || states.includes(shownState(one))) &&
    (before === null || one.createdAt < Number(before)) &&
    (since === null || one.createdAt > Number(since));
  const all = state.deployments.filter(matches).toReversed();
  const page = all.slice(0, limit);
  for (const one of page) poll(one, now);
  return {
    deployments: page.map(listedAnswer),
    pagination: {
      count: page.length,
      next: all.length > page.length ? (page.at(-1)?.createdAt ?? null) : null,
      prev: page[0]?.createdAt ?? null,
    },
  };
}

const shownState = (one: Deployment) => (one.deletedAt === null ? one.readyState : 'DELETED');

/** No address until the upload is complete. */
const urlOf = (one: Deployment): string | null => (one.readyState === 'QUEUED' ? null : one.host);

const metaOf = (one: Deployment): Record<string, string> => ({ githubCommitSha: one.sha, githubCommitRef: one.ref, githubDeployment: '1' });

const timesOf = (one: Deployment): Record<string, unknown> => ({
  createdAt: one.createdAt,
  ...(one.buildingAt !== null && { buildingAt: one.buildingAt }),
  ...(one.readyState === 'READY' && one.endedAt !== null && { ready: one.endedAt }),
  ...(one.isSkipped && {
    errorMessage: 'The Deployment has been canceled as a result of running the command defined in the "Ignored Build Step" setting.',
  }),
  ...(one.readyState === 'ERROR' && { errorCode: 'BUILD_FAILED', errorMessage: 'Command "npm run build" exited with 1' }),
});

const listedAnswer = (one: Deployment): Record<string, unknown> => ({
  uid: one.id,
  name: one.name,
  projectId: one.projectId,
  url: urlOf(one),
  created: one.createdAt,
  ...timesOf(one),
  state: shownState(one),
  readyState: shownState(one),
  source: one.source,
  target: one.target,
  type: 'LAMBDAS',
  inspectorUrl: null,
  meta: metaOf(one),
});

/** The single read never says `DELETED`: `deletedAt` tells. */
function deploymentAnswer(state: VercelState, one: Deployment): Record<string, unknown> {
  const url = urlOf(one);
  const isReady = one.readyState === 'READY';
  const owner = state.projects.find(({ id }) => id === one.projectId);
  return {
    id: one.id,
    name: one.name,
    projectId: one.projectId,
    ...(owner && { project: { id: owner.id, name: owner.name, framework: null } }),
    ...(url !== null && { url }),
    ...timesOf(one),
    ...(one.readyState === 'CANCELED' && one.endedAt !== null && { canceledAt: one.endedAt }),
    ...(one.deletedAt !== null && { deletedAt: one.deletedAt }),
    readyState: one.readyState,
    status: one.readyState,
    source: one.source,
    target: one.target,
    type: 'LAMBDAS',
    version: 2,
    public: false,
    alias: owner ? aliasesOf(state, owner, one) : [],
    aliasAssigned: isReady && one.aliasError === null,
    aliasError: one.aliasError === null ? null : { code: 'alias_error', message: one.aliasError },
    inspectorUrl: null,
    meta: metaOf(one),
  };
}
