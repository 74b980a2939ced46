import { Ids } from '../kit/index.ts';

export type Target = 'production' | 'preview' | 'development';
export type EnvType = 'system' | 'encrypted' | 'plain' | 'sensitive';
export type ReadyState = 'BLOCKED' | 'BUILDING' | 'CANCELED' | 'DELETED' | 'ERROR' | 'INITIALIZING' | 'QUEUED' | 'READY';

export interface EnvVar {
  readonly id: string;
  readonly createdAt: number;
  key: string;
  value: string;
  type: EnvType;
  target: readonly Target[];
  gitBranch: string | null;
  comment: string | null;
  updatedAt: number;
}

/** A connected repository, as far as the provider knows it: branches with the commit at their head. */
export interface Repository {
  readonly org: string;
  readonly repo: string;
  readonly repoId: number;
  readonly productionBranch: string;
  readonly heads: Record<string, string>;
}

export interface Domain {
  readonly name: string;
  readonly createdAt: number;
  readonly challenge: string;
  gitBranch: string | null;
  redirect: string | null;
  redirectStatusCode: number | null;
  updatedAt: number;
  verified: boolean;
}

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  repository: Repository | null;
  readonly env: EnvVar[];
  readonly domains: Domain[];
  /** Being moved to another team: writes answer 409. */
  isTransferring: boolean;
}

export interface Deployment {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly host: string;
  readonly createdAt: number;
  readonly target: 'production' | null;
  readonly sha: string;
  readonly ref: string;
  readonly source: 'git' | 'redeploy' | 'api-trigger-git-deploy';
  /** What the build sees: the variables as they were when the deployment was made. */
  readonly env: Readonly<Record<string, string>>;
  readonly pollsToEnd: number;
  polls: number;
  readyState: ReadyState;
  /** Where it ends; `BLOCKED` waits for a person. */
  fate: 'READY' | 'ERROR' | 'CANCELED' | 'BLOCKED';
  /** Stays where it is until the test moves it. */
  isHeld: boolean;
  /** Canceled because the project's Ignored Build Step said so. */
  isSkipped: boolean;
  buildingAt: number | null;
  endedAt: number | null;
  deletedAt: number | null;
  /** Why no alias leads to it. */
  aliasError: string | null;
}

export interface VercelState {
  readonly projects: Project[];
  readonly deployments: Deployment[];
  /** The team that owns the projects; `null` for a personal account. */
  team: { readonly id: string; readonly slug: string } | null;
  /** Items that two objects were made at one moment would be skipped by timestamp paging: no two have the same. */
  lastTime: number;
  envPageSize: number;
  envLimit: number;
  /** A list of variables has three documented forms; `single` only where there is exactly one. */
  envListForm: 'paged' | 'whole' | 'single';
  /** The next writes of variables that collide with another update (400). */
  ongoingUpdates: number;
  /** Team policy: values for production and preview must be sensitive. */
  sensitiveOnly: boolean;
  /** No answer to the team decrypts an encrypted value, not even the single read (vercel/sdk issue 118, 2026-11-25). */
  keepsCipher: boolean;
  /** Domains of the team: the one above each domain of a project came with it, and stays when that goes. */
  teamDomains: string[];
  /** Domains that are not verified at once. */
  verifiesDomains: boolean;
  /** Host names under vercel.app that other accounts have. */
  takenAliases: string[];
}

export const emptyState = (): VercelState => ({
  projects: [],
  deployments: [],
  team: null,
  lastTime: 0,
  envPageSize: 100,
  envLimit: 1000,
  envListForm: 'paged',
  ongoingUpdates: 0,
  sensitiveOnly: false,
  keepsCipher: false,
  teamDomains: [],
  verifiesDomains: true,
  takenAliases: [],
});

/** The slug of the team; that of a person who has no team. */
export const scopeOf = ({ team }: VercelState): string => team?.slug ?? 'acme';

/** The present, never the same twice. */
export function tick(state: VercelState, now: number): number {
  state.lastTime = Math.max(now, state.lastTime + 1);
  return state.lastTime;
}

export class Maker {
  readonly #ids = new Ids('vercel');

  project(state: VercelState, name: string, repository: Repository | null, now: number): Project {
    const project: Project = {
      id: `prj_${this.#ids.text(28)}`,
      name,
      createdAt: tick(state, now),
      repository,
      env: [],
      domains: [],
      isTransferring: false,
    };
    state.projects.push(project);
    return project;
  }

  env(state: VercelState, from: Omit<EnvVar, 'id' | 'createdAt' | 'updatedAt'>, now: number): EnvVar {
    const at = tick(state, now);
    return { ...from, id: this.#ids.text(16), createdAt: at, updatedAt: at };
  }

  domain(state: VercelState, from: Pick<Domain, 'name' | 'gitBranch' | 'redirect' | 'redirectStatusCode'>, now: number): Domain {
    const at = tick(state, now);
    return {
      ...from,
      createdAt: at,
      updatedAt: at,
      challenge: `vc-domain-verify=${from.name},${this.#ids.text(20)}`,
      verified: state.verifiesDomains,
    };
  }

  /** A deployment with the variables that its branch and target see at this moment. */
  deployment(
    state: VercelState,
    project: Project,
    from: Pick<Deployment, 'sha' | 'ref' | 'target' | 'source'>,
    polls: number,
    now: number,
  ): Deployment {
    const deployment: Deployment = {
      ...from,
      id: `dpl_${this.#ids.text(28)}`,
      projectId: project.id,
      name: project.name,
      host: `${project.name}-${this.#ids.text(9)}-${scopeOf(state)}.vercel.app`,
      createdAt: tick(state, now),
      env: visibleEnv(project, from.target ?? 'preview', from.ref),
      // Queued, initializing and building are seen once each unless the test says how long it takes.
      pollsToEnd: polls > 0 ? polls : 3,
      polls: 0,
      readyState: 'QUEUED',
      fate: 'READY',
      isHeld: false,
      isSkipped: false,
      buildingAt: null,
      endedAt: null,
      deletedAt: null,
      aliasError: null,
    };
    state.deployments.push(deployment);
    return deployment;
  }
}

/** Variables of one target; a value bound to the branch wins over one for every branch. */
export function visibleEnv(project: Project, target: Target, branch: string): Record<string, string> {
  const applies = project.env.filter((one) => one.target.includes(target) && (one.gitBranch === null || one.gitBranch === branch));
  const ordered = applies.toSorted((a, b) => Number(a.gitBranch !== null) - Number(b.gitBranch !== null));
  return Object.fromEntries(ordered.map(({ key, value }) => [key, value]));
}

/** One read of a deployment: it moves on towards its end. */
export function poll(deployment: Deployment, now: number): void {
  if (deployment.isHeld || deployment.endedAt !== null || deployment.deletedAt !== null) return;
  deployment.polls += 1;
  const steps = ['QUEUED', 'INITIALIZING', 'BUILDING', deployment.fate] as const;
  settle(deployment, steps[Math.min(3, Math.floor((deployment.polls * 3) / deployment.pollsToEnd))] ?? deployment.fate, now);
}

export function settle(deployment: Deployment, readyState: ReadyState, now: number): void {
  if (readyState === 'DELETED') {
    deployment.deletedAt = now;
    return;
  }
  deployment.readyState = readyState;
  const hasEnded = ['READY', 'ERROR', 'CANCELED'].includes(readyState);
  if (readyState === 'BUILDING' || hasEnded) deployment.buildingAt ??= now;
  deployment.endedAt = hasEnded ? now : null;
}
