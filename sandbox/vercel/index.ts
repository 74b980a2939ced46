import * as checks from '../checks.ts';
import { bearerOf, json, makeKit, route, type Simulation, type SimulationOptions, simulate } from '../kit/index.ts';
import { deploymentRoutes } from './deployments.ts';
import { domainRoutes } from './domains.ts';
import { envRoutes } from './env.ts';
import { error, projectOf } from './errors.ts';
import {
  type Deployment,
  type EnvType,
  type EnvVar,
  emptyState,
  Maker,
  type Project,
  type ReadyState,
  type Repository,
  settle,
  type Target,
  tick,
  type VercelState,
} from './state.ts';

export type { Deployment, EnvVar, Project, VercelState } from './state.ts';

/** State, what a person does in the dashboard, and what the git integration does. The project is `shop` unless named. */
export interface VercelWorld {
  readonly state: VercelState;
  addProject(name: string, repository?: Partial<Repository> | null): Project;
  project(idOrName?: string): Project;
  /** A branch that exists in the repository and was not deployed. */
  addBranch(branch: string, sha?: string, project?: string): void;
  /** A commit arrives: the git integration deploys it with the variables of this moment. */
  push(branch: string, sha: string, project?: string): Deployment;
  /** Moves a deployment to a state at once. */
  settle(deployment: Deployment, readyState: ReadyState): void;
  deployments(project?: string): readonly Deployment[];
  env(key: string, at?: { readonly gitBranch?: string | null; readonly project?: string }): EnvVar | undefined;
  setEnv(
    key: string,
    value: string,
    at?: { readonly target?: readonly Target[]; readonly gitBranch?: string | null; readonly type?: EnvType; readonly project?: string },
  ): EnvVar;
  removeEnv(key: string, at?: { readonly gitBranch?: string | null; readonly project?: string }): void;
}

const mainHead = 'f'.repeat(40);

/** Projects, variables, deployments and domains (REST API, the vendor's SDK 1.28.35). */
export function vercel(options: SimulationOptions = {}): Simulation<VercelWorld> {
  const kit = makeKit('vercel', options);
  const make = new Maker();
  const state = emptyState();
  const world = worldOf(state, make, kit);
  world.addProject('shop', {});
  world.addProject('plain', null);

  return simulate<VercelState, VercelWorld>(kit, {
    name: 'vercel',
    origin: 'https://api.vercel.com',
    state,
    tokens: kit.tokens,
    checks: checks.vercel,
    blind: emptyState,
    credential: bearerOf,
    refuseCredential: (_, why) => {
      if (why === 'missing') return error(401, 'forbidden', 'The request is missing an authentication token').reply;
      if (why === 'read-only') return error(403, 'forbidden', "You don't have permission to change this resource.").reply;
      return error(403, 'forbidden', 'Not authorized', { invalidToken: true }).reply;
    },
    world: () => world,
    routes: [
      ...envRoutes(make),
      ...deploymentRoutes(make, kit),
      ...domainRoutes(make),
      route('GET', '/v9/projects/{idOrName}', (call) => json(200, projectAnswer(call.state, projectOf(call, call.params.idOrName)))),
    ],
  });
}

function projectAnswer(state: VercelState, project: Project): Record<string, unknown> {
  const { repository } = project;
  return {
    id: project.id,
    name: project.name,
    accountId: state.team?.id ?? 'usr_person',
    createdAt: project.createdAt,
    updatedAt: project.createdAt,
    directoryListing: false,
    framework: null,
    nodeVersion: '24.x',
    live: false,
    autoExposeSystemEnvs: true,
    ...(repository && {
      link: {
        type: 'github',
        org: repository.org,
        repo: repository.repo,
        repoId: repository.repoId,
        productionBranch: repository.productionBranch,
        gitCredentialId: 'cred_person',
        deployHooks: [],
        sourceless: true,
        createdAt: project.createdAt,
        updatedAt: project.createdAt,
      },
    }),
  };
}

function worldOf(state: VercelState, make: Maker, { clock, faults }: ReturnType<typeof makeKit>): VercelWorld {
  const project = (idOrName = 'shop'): Project => {
    const found = state.projects.find(({ id, name }) => id === idOrName || name === idOrName);
    if (!found) throw new Error(`there is no project ${idOrName}`);
    return found;
  };
  const repositoryOf = (name?: string): Repository => {
    const { repository } = project(name);
    if (!repository) throw new Error(`${name ?? 'shop'} is not connected to a repository`);
    return repository;
  };
  const env: VercelWorld['env'] = (key, at = {}) =>
    project(at.project).env.find((one) => one.key === key && (at.gitBranch === undefined || one.gitBranch === at.gitBranch));
  return {
    state,
    project,
    env,
    addProject: (name, repository = {}) =>
      make.project(
        state,
        name,
        repository && {
          org: 'acme',
          repo: name,
          repoId: 700 + state.projects.length,
          productionBranch: 'main',
          heads: { main: mainHead },
          ...repository,
        },
        clock.now(),
      ),
    addBranch: (branch, sha = mainHead, name) => {
      repositoryOf(name).heads[branch] = sha;
    },
    push: (branch, sha, name) => {
      const repository = repositoryOf(name);
      repository.heads[branch] = sha;
      const target = branch === repository.productionBranch ? 'production' : null;
      return make.deployment(state, project(name), { sha, ref: branch, target, source: 'git' }, faults.pollsUntilReady, clock.now());
    },
    settle: (deployment, readyState) => settle(deployment, readyState, clock.now()),
    deployments: (name) => state.deployments.filter(({ projectId }) => projectId === project(name).id),
    setEnv: (key, value, at = {}) => {
      const there = env(key, { gitBranch: at.gitBranch ?? null, ...(at.project !== undefined && { project: at.project }) });
      if (there) return Object.assign(there, { value, updatedAt: tick(state, clock.now()) });
      const made = make.env(
        state,
        { key, value, type: at.type ?? 'encrypted', target: at.target ?? ['preview'], gitBranch: at.gitBranch ?? null, comment: null },
        clock.now(),
      );
      project(at.project).env.push(made);
      return made;
    },
    removeEnv: (key, at = {}) => {
      const there = env(key, at);
      if (!there) throw new Error(`there is no variable ${key}`);
      project(at.project).env.splice(project(at.project).env.indexOf(there), 1);
    },
  };
}
