import * as checks from '../checks.ts';
import {
  bearerOf,
  type Call,
  empty,
  json,
  makeKit,
  type Refusal,
  type Reply,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from '../kit/index.ts';
import {
  annotationAnswer,
  branchAnswer,
  createdAnswer,
  databaseAnswer,
  endpointAnswer,
  operationAnswer,
  roleAnswer,
  uriOf,
} from './answers.ts';
import { readCreate, readUpdate } from './bodies.ts';
import { pageOf } from './pages.ts';
import { type Branch, emptyState, isoTime, Maker, type NeonState, type Operation, type Project, poll } from './state.ts';

export type { Branch, NeonState } from './state.ts';

/** State, and what a person does in the console. */
export interface NeonWorld {
  readonly state: NeonState;
  /** Id of the project that is there from the start. */
  readonly project: string;
  addProject(id: string): void;
  /** Live branches that are not deleted. */
  branches(project?: string): readonly Branch[];
  branch(name: string, project?: string): Branch | undefined;
  addBranch(name: string, from?: { readonly parent?: string; readonly compute?: boolean; readonly project?: string }): Branch;
  removeBranch(name: string, project?: string): void;
  /** The connection string that the provider would answer. */
  uri(name: string, pooled?: boolean, project?: string): string;
}

export interface NeonOptions extends SimulationOptions {
  readonly project?: string;
}

const base = '/api/v2/projects/{project_id}';
const branchPath = `${base}/branches/{branch_id}` as const;

/** Projects, branches and their computes (Neon API v2, the vendor's published description). */
export function neon(options: NeonOptions = {}): Simulation<NeonWorld> {
  const kit = makeKit('neon', options);
  const make = new Maker();
  const first = options.project ?? 'quiet-river-12345678';
  const state = emptyState();
  state.projects[first] = make.project(first, kit.clock.now());
  const error = (status: number, message: string, code = ''): Refusal => refuse(status, { request_id: make.requestId(), code, message });
  const invalid = (message: string): Refusal => error(400, message);

  function projectOf(call: Call<NeonState, { readonly project_id: string }>): Project {
    const found = call.state.projects[call.params.project_id];
    if (!found) throw error(404, 'project not found');
    endExpired(found, call.now);
    return found;
  }

  function branchOf(project: Project, id: string): Branch {
    const found = live(project).find((branch) => branch.id === id);
    if (!found) throw error(404, 'branch not found');
    return found;
  }

  /** A write that comes too early is refused, and time goes on. */
  function refuseWhileLocked(current: NeonState, project: Project, now: number): void {
    const running = project.operations.filter(({ status }) => status !== 'finished');
    const isBusy = current.locksWhileBusy && running.length > 0;
    if (current.lockedWrites === 0 && !isBusy) return;
    current.lockedWrites = Math.max(0, current.lockedWrites - 1);
    for (const branch of project.branches) poll(project, branch, now);
    throw error(423, 'project already has running conflicting operations, scheduling of new ones is prohibited');
  }

  function addBranch(
    project: Project,
    asked: ReturnType<typeof readCreate>,
    parent: Branch,
    now: number,
  ): { branch: Branch; operations: Operation[] } {
    const branch = make.branch(
      project,
      { name: asked.name, parent, polls: kit.faults.pollsUntilReady, init_source: asked.init_source ?? 'parent-data' },
      now,
    );
    branch.isProtected = asked.protected ?? false;
    branch.expires_at = asked.expires_at ?? null;
    branch.endpoints.push(...asked.endpoints.map((endpoint) => make.endpoint(endpoint, now)));
    const operations = [
      make.operation(branch, null, 'create_branch', now),
      ...branch.endpoints.map((endpoint) => make.operation(branch, endpoint, 'start_compute', now)),
    ];
    project.branches.push(branch);
    project.operations.push(...operations);
    return { branch, operations };
  }

  return simulate<NeonState, NeonWorld>(kit, {
    name: 'neon',
    origin: 'https://console.neon.tech',
    basePath: '/api/v2',
    state,
    tokens: kit.tokens,
    checks: checks.neon,
    blind: emptyState,
    credential: bearerOf,
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? error(403, 'the API key is not permitted to perform this action').reply
        : error(401, 'supplied credentials do not pass authentication').reply,
    world: (current) => worldOf(current, first, make, () => kit.clock.now()),
    routes: [
      route('GET', `${base}/branches`, (call) => {
        const project = projectOf(call);
        const { branches, pagination } = pageOf(project.branches, call.query, call.state.pageSize, invalid);
        for (const branch of branches) poll(project, branch, call.now);
        return json(200, { branches: branches.map(branchAnswer), annotations: {}, pagination });
      }),

      route('POST', `${base}/branches`, (call) => {
        const project = projectOf(call);
        const asked = readCreate(call, invalid);
        const parent = asked.parent_id ? branchOf(project, asked.parent_id) : live(project).find(({ isDefault }) => isDefault);
        if (!parent) throw error(404, 'branch not found');
        if (live(project).some(({ name }) => name === asked.name)) throw error(409, 'branch already exists', 'BRANCH_ALREADY_EXISTS');
        if (live(project).length >= call.state.branchLimit) throw error(422, 'branches limit exceeded', 'BRANCHES_LIMIT_EXCEEDED');
        refuseWhileLocked(call.state, project, call.now);
        const { branch, operations } = addBranch(project, asked, parent, call.now);
        if (call.state.forgetsExpiry) branch.expires_at = null;
        return json(201, createdAnswer(project, branch, operations));
      }),

      route('GET', branchPath, (call) => {
        const project = projectOf(call);
        const branch = branchOf(project, call.params.branch_id);
        poll(project, branch, call.now);
        return json(200, { branch: branchAnswer(branch), annotation: annotationAnswer(branch) });
      }),

      route('PATCH', branchPath, (call) => {
        const project = projectOf(call);
        const branch = branchOf(project, call.params.branch_id);
        const asked = readUpdate(call, invalid);
        if (live(project).some((other) => other !== branch && other.name === asked.name)) {
          throw error(409, 'branch already exists', 'BRANCH_ALREADY_EXISTS');
        }
        refuseWhileLocked(call.state, project, call.now);
        if (asked.name !== undefined) branch.name = asked.name;
        if (asked.protected !== undefined) branch.isProtected = asked.protected;
        if (asked.expires_at !== undefined && !call.state.forgetsExpiry) branch.expires_at = asked.expires_at;
        branch.updated_at = isoTime(call.now);
        return json(200, { branch: branchAnswer(branch), operations: [] });
      }),

      route('DELETE', branchPath, (call) => {
        const project = projectOf(call);
        const branch = live(project).find(({ id }) => id === call.params.branch_id);
        if (!branch) return deletedBefore(project, call.params.branch_id);
        if (branch.isDefault) throw error(422, 'cannot delete the default branch');
        if (branch.isProtected) throw error(422, 'cannot delete a protected branch');
        if (live(project).some(({ parent_id }) => parent_id === branch.id)) throw error(422, 'cannot delete a branch that has children');
        refuseWhileLocked(call.state, project, call.now);
        branch.deleted_at = isoTime(call.now);
        branch.updated_at = branch.deleted_at;
        branch.pollsLeft = Math.max(1, kit.faults.pollsUntilReady);
        const operations = [
          ...branch.endpoints.map((endpoint) => make.operation(branch, endpoint, 'suspend_compute', call.now)),
          make.operation(branch, null, 'delete_timeline', call.now),
        ];
        project.operations.push(...operations);
        return json(200, { branch: branchAnswer(branch), operations: operations.map((operation) => operationAnswer(project, operation)) });
      }),

      route('GET', `${branchPath}/endpoints`, (call) => {
        const project = projectOf(call);
        const branch = branchOf(project, call.params.branch_id);
        poll(project, branch, call.now);
        return json(200, { endpoints: branch.endpoints.map((endpoint) => endpointAnswer(project, branch, endpoint)) });
      }),

      route('GET', `${branchPath}/databases`, (call) => {
        const branch = branchOf(projectOf(call), call.params.branch_id);
        return json(200, { databases: branch.databases.map((database) => databaseAnswer(branch, database)) });
      }),

      route('GET', `${branchPath}/roles`, (call) => {
        const branch = branchOf(projectOf(call), call.params.branch_id);
        return json(200, { roles: branch.roles.map((role) => roleAnswer(branch, role)) });
      }),

      route('GET', `${base}/operations/{operation_id}`, (call) => {
        const project = projectOf(call);
        const operation = project.operations.find(({ id }) => id === call.params.operation_id);
        if (!operation) throw error(404, 'operation not found');
        const branch = project.branches.find(({ id }) => id === operation.branch_id);
        if (branch) poll(project, branch, call.now);
        return json(200, { operation: operationAnswer(project, operation) });
      }),

      route('GET', `${base}/connection_uri`, (call) => connectionUri(call, projectOf(call))),
    ],
  });

  /** The first delete was answered before it was done; both refusals mean that it is on its way (kislerdm/terraform-provider-neon, 2026-11-25). */
  function deletedBefore({ branches }: Project, id: string): Reply {
    const status = branches.find((one) => one.id === id)?.leaving.shift();
    if (status === undefined) return empty(204);
    throw status === 422 ? error(422, 'the branch is being deleted') : error(404, 'branch not found');
  }

  function connectionUri(call: Call<NeonState>, project: Project): Reply {
    const { query } = call;
    const databaseName = query.get('database_name');
    const roleName = query.get('role_name');
    if (!databaseName) throw invalid('database_name is required');
    if (!roleName) throw invalid('role_name is required');
    const pooled = query.get('pooled') ?? 'false';
    if (pooled !== 'true' && pooled !== 'false') throw invalid('pooled must be a boolean');
    const id = query.get('branch_id');
    const branch = id === null ? live(project).find(({ isDefault }) => isDefault) : branchOf(project, id);
    const wanted = query.get('endpoint_id');
    const endpoint = branch?.endpoints.find((one) => (wanted === null ? one.type === 'read_write' : one.id === wanted));
    if (!branch || !endpoint) throw error(404, 'endpoint not found');
    const role = branch.roles.find(({ name }) => name === roleName);
    if (!role) throw error(404, 'role not found');
    const database = branch.databases.find(({ name }) => name === databaseName);
    if (!database) throw error(404, 'database not found');
    return json(200, { uri: uriOf(project, endpoint, role, database, pooled === 'true') });
  }
}

/** The provider deletes a branch whose time is over. */
function endExpired({ branches }: Project, now: number): void {
  for (const branch of branches) {
    if (branch.expires_at === null || branch.deleted_at !== null || Date.parse(branch.expires_at) > now) continue;
    branch.deleted_at = isoTime(now);
    branch.leaving.splice(0);
  }
}

const live = (project: Project): readonly Branch[] => project.branches.filter(({ deleted_at }) => deleted_at === null);

function worldOf(state: NeonState, first: string, make: Maker, now: () => number): NeonWorld {
  const projectOf = (id = first): Project => {
    const project = state.projects[id];
    if (!project) throw new Error(`there is no project ${id}`);
    endExpired(project, now());
    return project;
  };
  const find = (name: string, project?: string): Branch | undefined => live(projectOf(project)).find((branch) => branch.name === name);
  const must = (name: string, project?: string): Branch => {
    const branch = find(name, project);
    if (!branch) throw new Error(`there is no branch ${name}`);
    return branch;
  };
  return {
    state,
    project: first,
    addProject: (id) => {
      state.projects[id] = make.project(id, now());
    },
    branches: (project) => live(projectOf(project)),
    branch: find,
    addBranch: (name, { parent = 'main', compute = true, project } = {}) => {
      const branch = make.branch(projectOf(project), { name, parent: must(parent, project), polls: 0, init_source: 'parent-data' }, now());
      if (compute) branch.endpoints.push(make.endpoint({ type: 'read_write' }, now()));
      projectOf(project).branches.push(branch);
      poll(projectOf(project), branch, now());
      return branch;
    },
    removeBranch: (name, project) => {
      must(name, project).deleted_at = isoTime(now());
    },
    uri: (name, pooled = false, project) => {
      const branch = must(name, project);
      const [endpoint] = branch.endpoints;
      const [role] = branch.roles;
      const [database] = branch.databases;
      if (!endpoint || !role || !database) throw new Error(`${name} has no compute, role or database`);
      return uriOf(projectOf(project), endpoint, role, database, pooled);
    },
  };
}
