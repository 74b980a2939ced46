import * as checks from './checks.ts';
import {
  bearerOf,
  type Call,
  flawsOf,
  Ids,
  json,
  makeKit,
  type Refusal,
  refuse,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

export interface DeployKey {
  readonly id: number;
  readonly name: string;
  /** Shown once. */
  readonly key: string;
  readonly creationTime: number;
  allowedActions: readonly string[];
}

/** A deployment in the cloud as the provider stores it. */
export interface Deployment {
  readonly id: number;
  readonly name: string;
  readonly projectId: number;
  deploymentType: 'dev' | 'prod' | 'preview' | 'custom';
  reference: string;
  class: string;
  dashboardEditConfirmation: boolean | null;
  expiresAt: number | null;
  readonly createTime: number;
  keys: DeployKey[];
}

export interface ConvexState {
  readonly projects: number[];
  deployments: Deployment[];
  deploymentLimit: number;
  /** The status of an absent deployment, which is not documented; its code is. */
  absentStatus: 404 | 400;
}

/** State, and what a person does in the dashboard. */
export interface ConvexWorld {
  readonly state: ConvexState;
  /** Live: changing it is a change from outside. */
  addDeployment(project: number, reference: string, type?: Deployment['deploymentType']): Deployment;
  /** Also what happens at the end of the retention. */
  removeDeployment(name: string): void;
  addKey(deployment: string, name: string): DeployKey;
  removeKey(deployment: string, name: string): void;
}

const retention = 14 * 86_400_000;
const emptyState = (): ConvexState => ({ projects: [], deployments: [], deploymentLimit: 300, absentStatus: 404 });

/**
 * Deployments and deploy keys: https://docs.convex.dev/management-api. Not documented, and here the worst that is reported: a create
 * with a reference that exists deletes the deployment that has it and makes another.
 */
export function convex(options: SimulationOptions = {}): Simulation<ConvexWorld> {
  const kit = makeKit('convex', options);
  const ids = new Ids('convex');
  const newDeployment = (projectId: number, reference: string, deploymentType: Deployment['deploymentType'], more = {}): Deployment => ({
    id: 7_000 + ids.next(),
    name: `${ids.text(7, 'abcdefghijklmnopqrstuvwxyz')}-otter-${100 + ids.next()}`,
    projectId,
    deploymentType,
    reference,
    class: 's16',
    dashboardEditConfirmation: null,
    expiresAt: deploymentType === 'preview' ? kit.clock.now() + retention : null,
    createTime: kit.clock.now(),
    keys: [],
    ...more,
  });
  const newKey = (deployment: Deployment, name: string, allowedActions: readonly string[] = ['deployment:deploy']): DeployKey => ({
    id: 50_000 + ids.next(),
    name,
    key: `preview:${deployment.name}|${ids.text(48)}`,
    creationTime: kit.clock.now(),
    allowedActions,
  });

  return simulate<ConvexState, ConvexWorld>(kit, {
    name: 'convex',
    origin: 'https://api.convex.dev',
    basePath: '/v1',
    state: emptyState(),
    blind: emptyState,
    world: (live) => {
      const named = (name: string): Deployment => {
        const found = live.deployments.find((one) => one.name === name);
        if (!found) throw new Error(`the world has no deployment ${name}`);
        return found;
      };
      return {
        state: live,
        addDeployment: (project, reference, type = 'preview') => {
          if (!live.projects.includes(project)) live.projects.push(project);
          const made = newDeployment(project, reference, type);
          live.deployments.push(made);
          return made;
        },
        removeDeployment: (name) => {
          live.deployments = live.deployments.filter((one) => one.name !== name);
        },
        addKey: (deployment, name) => {
          const made = newKey(named(deployment), name);
          named(deployment).keys.push(made);
          return made;
        },
        removeKey: (deployment, name) => {
          named(deployment).keys = named(deployment).keys.filter((one) => one.name !== name);
        },
      };
    },
    tokens: kit.tokens,
    checks: checks.convex,
    credential: bearerOf,
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? json(403, { code: 'Forbidden', message: 'The token has no permission to do this.' })
        : json(401, { code: 'Unauthorized', message: 'The access token is missing or not valid.' }),
    routes: [
      route('GET', '/v1/projects/{project}/list_deployments', (call) => {
        const type = call.query.get('deploymentType');
        const all = deploymentsOf(call).filter((one) => type === null || one.deploymentType === type);
        return json(200, all.map(shown));
      }),
      route('GET', '/v1/projects/{project}/deployment', (call) => {
        const found = deploymentsOf(call).find(({ reference }) => reference === call.query.get('reference'));
        if (!found) throw absent(call);
        return json(200, shown(found));
      }),
      route('POST', '/v1/projects/{project}/create_deployment', (call) => {
        const there = deploymentsOf(call);
        const body = bodyOf(call, createShape);
        const { type, expiresAt } = body;
        const reference = String(body.reference ?? `generated-${ids.text(8)}`);
        if (type !== 'preview') throw invalid('only previews are made here');
        if (typeof body.isDefault === 'boolean') throw invalid('isDefault cannot be set for a preview');
        checkReference(reference);
        if (typeof expiresAt === 'number' && expiresAt < call.now + 1_800_000) throw invalid('expiresAt must be 30 minutes ahead');
        if (there.length >= call.state.deploymentLimit) throw refuse(400, { code: 'TooManyDeployments', message: 'The team has no room.' });
        const made = newDeployment(Number(call.params.project), reference, 'preview', typeof expiresAt === 'number' ? { expiresAt } : {});
        call.state.deployments = [...call.state.deployments.filter((one) => !there.includes(one) || one.reference !== reference), made];
        return json(200, shown(made));
      }),
      route('GET', '/v1/deployments/{name}', (call) => json(200, shown(deploymentOf(call)))),
      route('POST', '/v1/deployments/{name}/delete', (call) => {
        const found = deploymentOf(call);
        if (call.text !== '') throw invalid('the request takes no body');
        call.state.deployments = call.state.deployments.filter((one) => one !== found);
        return json(200, null);
      }),
      route('GET', '/v1/deployments/{name}/list_deploy_keys', (call) =>
        json(
          200,
          deploymentOf(call).keys.map(({ key: _, ...open }) => ({ ...open, creator: 11, lastUsedTime: null, expiresAt: null })),
        ),
      ),
      route('POST', '/v1/deployments/{name}/create_deploy_key', (call) => {
        const found = deploymentOf(call);
        const { name, allowedActions } = bodyOf(call, keyShape);
        if (found.keys.some((one) => one.name === name))
          throw refuse(400, { code: 'DeployKeyNameTaken', message: `${String(name)} exists.` });
        const made = newKey(found, String(name), Array.isArray(allowedActions) ? allowedActions.map(String) : undefined);
        found.keys.push(made);
        return json(200, { deployKey: made.key });
      }),
      route('POST', '/v1/deployments/{name}/delete_deploy_key', (call) => {
        const found = deploymentOf(call);
        const { id } = bodyOf(call, { fields: { id: 'string' }, required: ['id'] });
        const key = found.keys.find((one) => one.name === id || one.key === id);
        if (!key) throw refuse(404, { code: 'AccessTokenNotFound', message: 'There is no such deploy key.' });
        found.keys = found.keys.filter((one) => one !== key);
        return json(200, null);
      }),
    ],
  });
}

type ProjectCall = Call<ConvexState, { readonly project: string }>;
type DeploymentCall = Call<ConvexState, { readonly name: string }>;

const invalid = (message: string): Refusal => refuse(400, { code: 'BadRequest', message });
const absent = ({ state }: { readonly state: ConvexState }): Refusal =>
  refuse(state.absentStatus, { code: 'DeploymentNotFound', message: 'The deployment does not exist.' });

function deploymentsOf({ params, state }: ProjectCall): readonly Deployment[] {
  const project = Number(params.project);
  if (!state.projects.includes(project)) throw refuse(404, { code: 'ProjectNotFound', message: 'The project does not exist.' });
  return state.deployments.filter(({ projectId }) => projectId === project);
}

function deploymentOf(call: DeploymentCall): Deployment {
  const found = call.state.deployments.find(({ name }) => name === call.params.name);
  if (!found) throw absent(call);
  return found;
}

const shown = ({ keys: _, ...open }: Deployment) => ({
  ...open,
  kind: 'cloud',
  region: 'aws-eu-west-1',
  isDefault: open.deploymentType === 'prod',
  creator: 11,
  previewIdentifier: null,
  lastDeployTime: null,
  sendLogsToClient: null,
  deploymentUrl: `https://${open.name}.eu-west-1.convex.cloud`,
});

const createShape: Shape = {
  fields: {
    type: { oneOf: ['dev', 'prod', 'preview', 'custom'] },
    class: { nullable: 'string' },
    region: { nullable: { oneOf: ['aws-us-east-1', 'aws-eu-west-1'] } },
    reference: { nullable: 'string' },
    isDefault: { nullable: 'boolean' },
    expiresAt: { nullable: 'integer' },
  },
  required: ['type'],
};
const keyShape: Shape = {
  fields: { name: 'string', allowedActions: { list: 'string' }, expiresAt: { nullable: 'integer' } },
  required: ['name'],
};

function bodyOf({ body, contentType }: ProjectCall | DeploymentCall, shape: Shape): Record<string, unknown> {
  if (contentType !== 'application/json' || !isMap(body)) throw invalid('the body is not a JSON object');
  const [flaw] = flawsOf(body, shape);
  if (flaw) throw invalid(`${flaw.at}: ${flaw.problem}`);
  return body;
}

const reserved = ['prod', 'dev', 'cloud', 'local', 'default', 'name', 'new', 'existing', 'deployment', 'preview'];

function checkReference(reference: string): void {
  const isRight = /^[a-z0-9/-]{3,100}$/.test(reference) && !reference.startsWith('local-') && !reserved.includes(reference);
  if (!isRight || /^[a-z]+-[a-z]+-[0-9]+$/.test(reference)) throw invalid(`${reference} is not a valid reference`);
}
