import {
  bearerOf,
  type Call,
  empty,
  flawsOf,
  Ids,
  json,
  makeKit,
  nextStep,
  refuse,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

export type StatusType =
  | 'STATUS_TYPE_UNSPECIFIED'
  | 'STATUS_TYPE_HEALTHY'
  | 'STATUS_TYPE_TRANSIENT'
  | 'STATUS_TYPE_FAULT'
  | 'STATUS_TYPE_HIBERNATED';

/** What the provider keeps of one branch. */
export interface Branch {
  readonly id: string;
  readonly createdAt: string;
  readonly parentID: string | null;
  readonly region: string;
  readonly password: string;
  name: string;
  updatedAt: string;
  description?: string;
  publicAccess: boolean;
  scaleToZero: { readonly enabled: boolean; readonly inactivityPeriodMinutes: number };
  statusType: StatusType;
  /** Reads of it until it ends as `XataState.end` says. */
  pollsLeft: number;
}

export interface XataState {
  /** By `<organization>/<project>`. */
  readonly projects: Record<string, { branches: Branch[] }>;
  /** Whether branches are made at all just now; 503 otherwise. */
  takesBranches: boolean;
  /** What a new branch is on its way, a read each; the last one lasts. */
  steps: readonly StatusType[];
  /** How new branches end. */
  end: StatusType;
  /** Reads of the list that do not show the newest branch yet. */
  lag: number;
  /** Whether a branch has its connection string yet. */
  hasConnections: boolean;
}

/** State, and what a person does in the console. Branches are live: changing one is a change from outside. */
export interface XataWorld {
  readonly state: XataState;
  /** With a branch `main`. */
  addProject(organization: string, project: string): Branch;
  addBranch(organization: string, project: string, name: string): Branch;
  removeBranch(organization: string, project: string, name: string): void;
  branches(organization: string, project: string): readonly Branch[];
  uri(branch: Branch): string;
}

const emptyState = (): XataState => ({
  projects: {},
  takesBranches: true,
  steps: ['STATUS_TYPE_TRANSIENT'],
  end: 'STATUS_TYPE_HEALTHY',
  lag: 0,
  hasConnections: true,
});

/** Branches of projects: https://xata.io/docs/api-reference, and the service's open code for 409, 412 and 503. */
export function xata(options: SimulationOptions = {}): Simulation<XataWorld> {
  const kit = makeKit('xata', options);
  const ids = new Ids('xata');
  const all = '/organizations/{organization}/projects/{project}/branches';
  const one = `${all}/{branch}`;

  const newBranch = (name: string, parent: Branch | null): Branch => {
    const at = new Date(kit.clock.now()).toISOString();
    return {
      id: ids.text(26),
      name,
      createdAt: at,
      updatedAt: at,
      parentID: parent?.id ?? null,
      region: parent?.region ?? 'us-east-1',
      password: ids.text(32),
      publicAccess: true,
      scaleToZero: parent?.scaleToZero ?? { enabled: false, inactivityPeriodMinutes: 30 },
      statusType: 'STATUS_TYPE_HEALTHY',
      pollsLeft: 0,
    };
  };

  return simulate<XataState, XataWorld>(kit, {
    name: 'xata',
    origin: 'https://api.xata.tech',
    state: emptyState(),
    blind: emptyState,
    world: (state) => worldOf(state, newBranch),
    tokens: kit.tokens,
    credential: bearerOf,
    // One status for who is not known and for who may not.
    refuseCredential: (_, why) => json(401, { message: why === 'read-only' ? 'insufficient permissions' : 'invalid API key' }),
    routes: [
      route('GET', all, (call) => {
        const { branches } = projectOf(call);
        const seen = call.state.lag > 0 ? branches.slice(0, -1) : branches;
        call.state.lag = Math.max(0, call.state.lag - 1);
        // In no order that one could rely on, and without a status.
        return json(200, { branches: seen.toReversed().map((branch) => ({ ...shown(branch), backupsEnabled: true })) });
      }),

      route('POST', all, (call) => {
        const { state } = call;
        const { branches } = projectOf(call);
        const body = createBody(call);
        if (!state.takesBranches) throw refuse(503, { message: 'branch creation is disabled' });
        if (branches.some(({ name }) => name === body.name)) throw refuse(409, { message: `branch [${body.name}] already exists` });
        const parent = body.parentID === null ? null : branches.find(({ id }) => id === body.parentID);
        if (parent === undefined) throw refuse(404, { message: `branch [${body.parentID}] not found` });
        const isFit = ['STATUS_TYPE_HEALTHY', 'STATUS_TYPE_HIBERNATED'].includes(parent?.statusType ?? 'STATUS_TYPE_HEALTHY');
        if (!isFit) throw refuse(412, { message: `parent branch [${parent?.id}] is not healthy` });
        const branch = { ...newBranch(body.name, parent), ...body.rest };
        branch.pollsLeft = kit.faults.pollsUntilReady;
        branch.statusType = branch.pollsLeft > 0 ? (state.steps[0] ?? 'STATUS_TYPE_TRANSIENT') : state.end;
        branches.push(branch);
        return json(201, { ...shown(branch), connectionString: null });
      }),

      route('GET', one, (call) => {
        const branch = branchOf(call);
        poll(call.state, branch);
        return json(200, {
          ...shown(branch),
          backupsEnabled: true,
          scaleToZero: branch.scaleToZero,
          connectionString: call.state.hasConnections ? uriOf(branch) : null,
          status: statusOf(branch),
          configuration: { region: branch.region, instanceType: 'xata.micro', image: 'postgresql:17', replicas: 0 },
        });
      }),

      route('DELETE', one, (call) => {
        const branch = branchOf(call);
        const project = projectOf(call);
        project.branches = project.branches.filter((other) => other !== branch);
        return empty();
      }),

      route('GET', `${one}/credentials`, (call) =>
        json(200, { username: call.query.get('username') ?? 'xata', password: branchOf(call).password }),
      ),
    ],
  });
}

type ProjectCall = Call<XataState, { readonly organization: string; readonly project: string }>;
type BranchCall = Call<XataState, { readonly organization: string; readonly project: string; readonly branch: string }>;

const uriOf = ({ id, region, password }: Branch): string => `postgresql://xata:${password}@${id}.${region}.xata.tech/xata?sslmode=require`;

function projectOf({ state, params }: ProjectCall): { branches: Branch[] } {
  const project = state.projects[`${params.organization}/${params.project}`];
  if (!project) throw refuse(404, { message: `project [${params.project}] not found` });
  return project;
}

function branchOf(call: BranchCall): Branch {
  const branch = projectOf(call).branches.find(({ id }) => id === call.params.branch);
  if (!branch) throw refuse(404, { message: `branch [${call.params.branch}] not found` });
  return branch;
}

function shown({ id, name, description, createdAt, updatedAt, parentID, region, publicAccess }: Branch): Record<string, unknown> {
  return { id, name, ...(description !== undefined && { description }), createdAt, updatedAt, parentID, region, publicAccess };
}

const phases = {
  STATUS_TYPE_UNSPECIFIED: { status: 'Unknown', state: 'unknown', phase: 'waiting for the cluster' },
  STATUS_TYPE_HEALTHY: { status: 'Cluster in healthy state', state: 'ready', phase: 'ready' },
  STATUS_TYPE_TRANSIENT: { status: 'Setting up primary', state: 'creating', phase: 'setting up primary' },
  STATUS_TYPE_FAULT: { status: 'Cluster cannot proceed', state: 'unknown', phase: 'unrecoverable' },
  STATUS_TYPE_HIBERNATED: { status: 'Cluster hibernated', state: 'ready', phase: 'hibernated' },
} as const;

function statusOf({ statusType }: Branch): Record<string, unknown> {
  const { status, state, phase } = phases[statusType];
  return {
    status,
    statusType,
    ...(statusType === 'STATUS_TYPE_FAULT' && { message: 'the volume could not be restored' }),
    lifecycle: { state, phase },
    instanceCount: 1,
    instanceReadyCount: statusType === 'STATUS_TYPE_HEALTHY' ? 1 : 0,
    instances: [],
  };
}

/** One read of a branch that is coming up. */
function poll(state: XataState, branch: Branch): void {
  if (branch.pollsLeft === 0) return;
  branch.pollsLeft -= 1;
  const next = nextStep(branch, state.steps) ?? 'STATUS_TYPE_TRANSIENT';
  branch.statusType = branch.pollsLeft === 0 ? state.end : next;
}

const shape: Shape = {
  fields: {
    name: 'string',
    mode: { oneOf: ['inherit', 'custom'] },
    parentID: 'string',
    configuration: 'any',
    description: 'string',
    scaleToZero: { fields: { enabled: 'boolean', inactivityPeriodMinutes: 'integer' }, required: ['enabled', 'inactivityPeriodMinutes'] },
    backupConfiguration: 'any',
  },
  required: ['name', 'mode'],
};

function createBody({ body, contentType }: ProjectCall) {
  if (contentType !== 'application/json' || !isMap(body)) throw refuse(400, { message: 'the body is not a JSON object' });
  const [flaw] = flawsOf(body, shape);
  if (flaw) throw refuse(400, { message: `${flaw.at}: ${flaw.problem}` });
  const { name, mode, parentID, description, scaleToZero } = body;
  if (mode === 'inherit' && typeof parentID !== 'string') throw refuse(400, { message: 'parentID is required to inherit' });
  if (mode === 'custom' && body.configuration === undefined) throw refuse(400, { message: 'configuration is required' });
  if (typeof description === 'string' && !/^[a-zA-Z0-9]+[a-zA-Z0-9- ]{0,49}$/.test(description))
    throw refuse(400, { message: 'description' });
  return {
    name: String(name),
    parentID: typeof parentID === 'string' ? parentID : null,
    rest: {
      ...(typeof description === 'string' && { description }),
      ...(isMap(scaleToZero) && {
        scaleToZero: { enabled: scaleToZero.enabled === true, inactivityPeriodMinutes: Number(scaleToZero.inactivityPeriodMinutes) },
      }),
    },
  };
}

function worldOf(state: XataState, newBranch: (name: string, parent: Branch | null) => Branch): XataWorld {
  const projectIn = (organization: string, project: string): { branches: Branch[] } => {
    const found = state.projects[`${organization}/${project}`];
    if (!found) throw new Error(`the world has no project ${project}`);
    return found;
  };
  return {
    state,
    addProject: (organization, project) => {
      const main = newBranch('main', null);
      state.projects[`${organization}/${project}`] = { branches: [main] };
      return main;
    },
    addBranch: (organization, project, name) => {
      const { branches } = projectIn(organization, project);
      const branch = newBranch(name, branches[0] ?? null);
      branches.push(branch);
      return branch;
    },
    removeBranch: (organization, project, name) => {
      const found = projectIn(organization, project);
      found.branches = found.branches.filter((branch) => branch.name !== name);
    },
    branches: (organization, project) => projectIn(organization, project).branches,
    uri: uriOf,
  };
}
