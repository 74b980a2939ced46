import * as checks from '../checks.ts';
import {
  bearerOf,
  type Call,
  json,
  makeKit,
  Refusal,
  type Reply,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from '../kit/index.ts';
import { branchAnswer, branchBody, configBody, patchBody } from './bodies.ts';
import { type Branch, emptyState, Maker, type Project, poll, type SupabaseState } from './state.ts';

/** State, and what a person does in the dashboard. */
export interface SupabaseWorld {
  readonly state: SupabaseState;
  /** A project with branching, and its production branch. */
  addProject(ref: string, options?: { readonly branching?: boolean }): Project;
  addBranch(ref: string, name: string): Branch;
  removeBranch(ref: string, name: string): void;
  /** The branches of a project but its production branch. Live: changing one is a change from outside. */
  branches(ref: string): readonly Branch[];
  /** The project of its own that a branch has. */
  projectOf(branch: Branch): Project;
}

/** Branches and auth settings: https://supabase.com/docs/reference/api/introduction. */
export function supabase(options: SimulationOptions = {}): Simulation<SupabaseWorld> {
  const kit = makeKit('supabase', options);
  const make = new Maker();
  const projects = '/v1/projects/{ref}';

  return simulate<SupabaseState, SupabaseWorld>(kit, {
    name: 'supabase',
    origin: 'https://api.supabase.com',
    state: emptyState(),
    blind: emptyState,
    world: (state) => worldOf(state, make, () => kit.clock.now()),
    tokens: kit.tokens,
    checks: checks.supabase,
    credential: bearerOf,
    refuseCredential: (_, why) => (why === 'read-only' ? noPrivilege().reply : json(401, { message: 'Unauthorized' })),
    routes: [
      route('GET', projects, (call) => {
        const { ref, created_at, status, postgres_engine, release_channel } = projectOf(call);
        return json(200, {
          id: ref,
          ref,
          organization_id: 'acme',
          organization_slug: 'acme',
          name: 'shop',
          region: 'eu-central-1',
          created_at,
          status,
          database: { host: `db.${ref}.supabase.co`, version: '17.4', postgres_engine, release_channel },
        });
      }),

      route('GET', `${projects}/branches`, (call) => {
        const { ref } = projectOf(call);
        if (!call.state.branching.includes(ref)) {
          if (call.state.without === 422) throw refuse(422, { message: 'Preview branching is not enabled for this project.' });
          return json(200, []);
        }
        const all = call.state.branches.filter(({ parent_project_ref }) => parent_project_ref === ref);
        // In no order that one could rely on; what is newest may be missing for a while.
        const seen = call.state.lag > 0 ? all.slice(0, -1) : all;
        call.state.lag = Math.max(0, call.state.lag - 1);
        return json(
          200,
          seen.toReversed().map((branch) => branchAnswer(branch, call.state.projects[branch.project_ref])),
        );
      }),

      route('POST', `${projects}/branches`, (call) => {
        const { ref } = projectOf(call);
        const { state, now } = call;
        const body = branchBody(call);
        if (!state.branching.includes(ref) && body.is_default !== true) {
          throw refuse(422, { message: 'Preview branching is not enabled for this project.' });
        }
        const own = state.branches.filter(({ parent_project_ref, is_default }) => parent_project_ref === ref && !is_default);
        if (own.some(({ name }) => name === body.branch_name)) {
          throw refuse(state.duplicate, {
            message: state.duplicate === 500 ? 'Failed to create database branch' : `Branch ${body.branch_name} already exists`,
          });
        }
        // Which status says so is not documented; 402 asks for a plan with more.
        if (own.length >= state.branchLimit) throw refuse(402, { message: `Maximum number of branches (${state.branchLimit}) reached.` });
        const { branch_name, git_branch, persistent, notify_url, with_data, ...made } = body;
        const branch: Branch = {
          ...make.branch({ name: branch_name, parent: ref, withData: with_data ?? false }, now),
          persistent: persistent ?? false,
          made,
          ...(git_branch !== undefined && { git_branch }),
          ...(notify_url !== undefined && { notify_url }),
        };
        const project = make.project(branch.project_ref, now);
        project.pollsLeft = kit.faults.pollsUntilReady;
        project.status = project.pollsLeft > 0 ? (state.steps[0] ?? 'COMING_UP') : state.end;
        state.projects[project.ref] = project;
        state.branches.push(branch);
        return json(201, branchAnswer(branch, project));
      }),

      route('GET', '/v1/branches/{ref}', (call) => {
        const branch = branchOf(call, 'retrieve');
        const project = ownProject(call.state, branch);
        poll(call.state, project);
        const { ref, postgres_engine, release_channel, status, db_pass, jwt_secret } = project;
        return json(200, {
          ref,
          postgres_version: '17.4.1.045',
          postgres_engine,
          release_channel,
          status,
          db_host: `db.${ref}.supabase.co`,
          db_port: 5432,
          ...(project.showsSecrets && { db_user: 'postgres', db_pass, jwt_secret }),
        });
      }),

      route('PATCH', '/v1/branches/{ref}', (call) => {
        const branch = branchOf(call, 'update');
        Object.assign(branch, patchBody(call), { updated_at: new Date(call.now).toISOString() });
        return json(200, branchAnswer(branch, ownProject(call.state, branch)));
      }),

      route('DELETE', '/v1/branches/{ref}', (call) => {
        const branch = branchOf(call, 'delete');
        if (branch.persistent || branch.is_default) throw refuse(422, { message: 'Persistent branches cannot be deleted.' });
        if (call.query.get('force') === 'false') branch.deletion_scheduled_at = new Date(call.now + 3_600_000).toISOString();
        else {
          call.state.branches = call.state.branches.filter((one) => one !== branch);
          delete call.state.projects[branch.project_ref];
        }
        return json(200, { message: 'ok' });
      }),

      route('GET', `${projects}/api-keys`, (call) => {
        const isWhole = call.query.get('reveal') === 'true';
        const shown = projectOf(call).keys.map(({ name, type, api_key }) => ({
          name,
          type,
          id: type === 'legacy' ? name : null,
          api_key: type === 'secret' && !isWhole ? `${api_key.slice(0, 12)}···` : api_key,
        }));
        return json(200, shown);
      }),

      // The pooler has a user and a host of its own, and its text holds no password.
      route('GET', `${projects}/config/database/pooler`, (call) => {
        const { ref, poolers } = projectOf(call);
        const db_user = `postgres.${ref}`;
        return json(
          200,
          poolers.map(({ type, mode, host, port }) => {
            const text = `postgresql://${db_user}:[YOUR-PASSWORD]@${host}:${port}/postgres`;
            return {
              identifier: ref,
              database_type: type,
              is_using_scram_auth: true,
              db_user,
              db_host: host,
              db_port: port,
              db_name: 'postgres',
              connection_string: text,
              connectionString: text,
              default_pool_size: null,
              max_client_conn: null,
              pool_mode: mode,
            };
          }),
        );
      }),
      route('GET', `${projects}/config/auth`, (call) => json(200, authAnswer(projectOf(call)))),
      route('PATCH', `${projects}/config/auth`, (call) => {
        const project = projectOf(call);
        Object.assign(project, configBody(call));
        return json(200, authAnswer(project));
      }),
    ],
  });
}

export type RefCall = Call<SupabaseState, { readonly ref: string }>;

const authAnswer = ({ site_url, uri_allow_list }: Project) => ({ site_url, uri_allow_list });

/** What one may not see is forbidden rather than absent. */
const noPrivilege = (): Refusal => refuse(403, { message: 'Your account does not have the necessary privileges to access this endpoint.' });

function projectOf({ state, params }: RefCall): Project {
  const project = state.projects[params.ref];
  if (!project) throw noPrivilege();
  return project;
}

function branchOf({ state, params }: RefCall, what: 'retrieve' | 'update' | 'delete'): Branch {
  const branch = state.branches.find(({ id, project_ref }) => project_ref === params.ref || id === params.ref);
  if (branch) return branch;
  const answers: { readonly [status: number]: Reply } = {
    404: json(404, { message: 'Branch not found' }),
    500: json(500, { message: `Failed to ${what} database branch` }),
  };
  throw new Refusal(answers[state.absent] ?? json(404, {}));
}

function ownProject(state: SupabaseState, { project_ref }: Branch): Project {
  const project = state.projects[project_ref];
  if (!project) throw new Error(`the branch ${project_ref} has no project`);
  return project;
}

function worldOf(state: SupabaseState, make: Maker, now: () => number): SupabaseWorld {
  const branches = (ref: string) => state.branches.filter((one) => one.parent_project_ref === ref && !one.is_default);
  return {
    state,
    addProject: (ref, { branching = true } = {}) => {
      const project = make.project(ref, now());
      state.projects[ref] = project;
      if (branching) {
        state.branching.push(ref);
        state.branches.push(make.branch({ name: 'main', parent: ref, isDefault: true }, now()));
      }
      return project;
    },
    addBranch: (ref, name) => {
      const branch = make.branch({ name, parent: ref }, now());
      state.branches.push(branch);
      state.projects[branch.project_ref] = make.project(branch.project_ref, now());
      return branch;
    },
    removeBranch: (ref, name) => {
      state.branches = state.branches.filter((one) => one.parent_project_ref !== ref || one.name !== name);
    },
    branches,
    projectOf: (branch) => ownProject(state, branch),
  };
}
