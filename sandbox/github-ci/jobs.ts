import { flawsOf, json, refuse, type Shape } from '../kit/index.ts';
import { isMap } from '../kit/json.ts';
import type { Route } from '../kit/router.ts';
import { docs, door, notForApps, page, placeOf, refusal, repositoryOf } from './doors.ts';
import { shownAccount, shownDeployment, shownStatus } from './shown.ts';
import { type CiState, type Deployment, type DeploymentStatus, nextId, timeOf } from './state.ts';

const states = ['error', 'failure', 'inactive', 'in_progress', 'queued', 'pending', 'success'];

const deploymentShape: Shape = {
  fields: {
    ref: 'string',
    task: 'string',
    auto_merge: 'boolean',
    required_contexts: { list: 'string' },
    payload: 'any',
    environment: 'string',
    description: { nullable: 'string' },
    transient_environment: 'boolean',
    production_environment: 'boolean',
  },
  required: ['ref'],
};
const statusShape: Shape = {
  fields: {
    state: { oneOf: states },
    target_url: 'string',
    log_url: 'string',
    description: 'string',
    environment: 'string',
    environment_url: 'string',
    auto_inactive: 'boolean',
  },
  required: ['state'],
};

/**
 * Deployments and their statuses (https://docs.github.com/en/rest/deployments), the reviews of a workflow run
 * (https://docs.github.com/en/rest/actions/workflow-runs, "Get the review history for a workflow run") and who a token belongs to
 * (https://docs.github.com/en/rest/users/users, which refuses the tokens of apps, 2026-11). A ref that is no commit is taken as if
 * it were the commit: this host keeps no branches.
 */
export const jobDoors = (origin: string): readonly Route<CiState>[] => [
  door('GET', '/repos/{owner}/{repo}/deployments', (call) => {
    const asked = ['sha', 'ref', 'task', 'environment'].flatMap((name) => {
      const value = call.query.get(name);
      return value === null || value === 'none' ? [] : [[name, value] as const];
    });
    const all = repositoryOf(call).deployments.filter((one) => asked.every(([name, value]) => Reflect.get(one, name) === value));
    return page(
      origin,
      call,
      all.toReversed().map((one) => shownDeployment(placeOf(origin, call), one)),
    );
  }),
  door('POST', '/repos/{owner}/{repo}/deployments', (call) => {
    const body = checked(call.body, deploymentShape, 'Deployment');
    const text = (name: string, otherwise: string): string => (typeof body[name] === 'string' ? body[name] : otherwise);
    const environment = text('environment', 'production');
    const at = timeOf(call.now);
    const deployment: Deployment = {
      id: nextId(call.state),
      sha: text('ref', ''),
      ref: text('ref', ''),
      task: text('task', 'deploy'),
      environment,
      description: text('description', '') || null,
      payload: body.payload ?? {},
      isProduction: body.production_environment === undefined ? environment === 'production' : body.production_environment === true,
      isTransient: body.transient_environment === true,
      creator: call.by,
      created_at: at,
      updated_at: at,
      statuses: [],
    };
    repositoryOf(call).deployments.push(deployment);
    return json(201, shownDeployment(placeOf(origin, call), deployment));
  }),
  door('GET', '/repos/{owner}/{repo}/deployments/{id}/statuses', (call) => {
    const deployment = deploymentOf(call);
    return page(
      origin,
      call,
      deployment.statuses.map((status) => shownStatus(placeOf(origin, call), deployment, status)),
    );
  }),
  door('POST', '/repos/{owner}/{repo}/deployments/{id}/statuses', (call) => {
    const deployment = deploymentOf(call);
    const body = checked(call.body, statusShape, 'DeploymentStatus');
    const text = (name: string, otherwise: string): string => (typeof body[name] === 'string' ? body[name] : otherwise);
    const status: DeploymentStatus = {
      id: nextId(call.state),
      state: text('state', ''),
      description: text('description', ''),
      environment: text('environment', deployment.environment),
      environment_url: text('environment_url', ''),
      log_url: text('log_url', text('target_url', '')),
      creator: call.by,
      at: timeOf(call.now),
    };
    deployment.statuses.unshift(status);
    deployment.updated_at = status.at;
    return json(201, shownStatus(placeOf(origin, call), deployment, status));
  }),
  door('GET', '/repos/{owner}/{repo}/actions/runs/{run}/approvals', (call) => {
    const { approvals } = repositoryOf(call);
    if (!call.state.readsActions && call.by.type === 'Bot') throw notForApps();
    const entries = approvals.filter(({ run }) => run === call.params.run);
    const at = timeOf(call.now);
    const base = `${origin}/repos/${call.params.owner}/${call.params.repo}`;
    return json(
      200,
      entries.map(({ environments, state, by, comment }) => ({
        environments: environments.map((name, index) => ({
          id: 500 + index,
          node_id: `EN_${500 + index}`,
          name,
          url: `${base}/environments/${encodeURIComponent(name)}`,
          html_url: `${base}/deployments/activity_log?environments_filter=${encodeURIComponent(name)}`,
          created_at: at,
          updated_at: at,
        })),
        state,
        user: shownAccount(origin, by),
        comment,
      })),
    );
  }),
  door('GET', '/user', (call) => {
    if (call.by.type === 'Bot') throw notForApps();
    return json(200, shownAccount(origin, call.by));
  }),
];

function deploymentOf(call: Parameters<typeof repositoryOf>[0] & { readonly params: { readonly id: string } }): Deployment {
  const deployment = repositoryOf(call).deployments.find(({ id }) => String(id) === call.params.id);
  if (!deployment) throw refusal(404, 'Not Found');
  return deployment;
}

function checked(body: unknown, shape: Shape, resource: string): { readonly [name: string]: unknown } {
  const [flaw] = flawsOf(body, shape);
  if (!flaw && isMap(body)) return body;
  throw refuse(422, {
    message: 'Validation Failed',
    errors: [{ resource, code: flaw?.problem === 'missing' ? 'missing_field' : 'invalid', field: flaw?.at.slice(1) ?? '' }],
    documentation_url: docs,
    status: '422',
  });
}
