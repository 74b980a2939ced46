import { Ids } from '../kit/index.ts';

/** What the provider keeps of one branch. */
export interface Branch {
  readonly id: string;
  readonly project_id: string;
  readonly parent_id: string | null;
  readonly created_at: string;
  readonly init_source: string;
  name: string;
  current_state: 'init' | 'ready' | 'archived';
  state_changed_at: string;
  updated_at: string;
  isDefault: boolean;
  isProtected: boolean;
  expires_at: string | null;
  deleted_at: string | null;
  /** How further deletes are answered while the first one goes on: 422, 404, and 204 from then on. */
  readonly leaving: number[];
  /** Reads of it that still answer `init`. */
  pollsLeft: number;
  readonly roles: Role[];
  readonly databases: Database[];
  readonly endpoints: Endpoint[];
}

export interface Role {
  readonly name: string;
  readonly password: string;
  readonly created_at: string;
}

export interface Database {
  readonly id: number;
  readonly name: string;
  readonly owner_name: string;
  readonly created_at: string;
}

export interface Endpoint {
  readonly id: string;
  readonly type: 'read_write' | 'read_only';
  readonly created_at: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly autoscaling_limit_min_cu: number;
  readonly autoscaling_limit_max_cu: number;
  readonly suspend_timeout_seconds: number;
  current_state: 'init' | 'active' | 'idle';
}

export interface Operation {
  readonly id: string;
  readonly branch_id: string;
  readonly endpoint_id: string | null;
  readonly action: string;
  readonly created_at: string;
  status: 'scheduling' | 'running' | 'finished' | 'failed';
  updated_at: string;
}

export interface Project {
  readonly id: string;
  readonly region_id: string;
  readonly branches: Branch[];
  readonly operations: Operation[];
  /** How its operations end. */
  ends: 'finished' | 'failed';
  /** Looks that still see operations running when branch and compute are ready. */
  lateLooks: number;
}

export interface NeonState {
  readonly projects: Record<string, Project>;
  /** Branches that one project may have. */
  branchLimit: number;
  /** What a list without `limit` answers at most. */
  pageSize: number;
  /** The next writes that answer 423. */
  lockedWrites: number;
  /** `expires_at` is ignored, as for an account outside the vendor's early access. */
  forgetsExpiry: boolean;
  /** Whether a write to a project with an unfinished operation answers 423. */
  locksWhileBusy: boolean;
}

export const emptyState = (): NeonState => ({
  projects: {},
  branchLimit: 5000,
  pageSize: 10_000,
  lockedWrites: 0,
  locksWhileBusy: false,
  forgetsExpiry: false,
});

export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Makes what a project consists of, with ids in the provider's forms. */
export class Maker {
  readonly #ids = new Ids('neon');

  project(id: string, now: number): Project {
    const project: Project = { id, region_id: 'aws-eu-central-1', branches: [], operations: [], ends: 'finished', lateLooks: 0 };
    const main = this.branch(project, { name: 'main', parent: null, polls: 0, init_source: 'parent-data' }, now);
    const created_at = isoTime(now);
    main.isDefault = true;
    main.current_state = 'ready';
    main.roles.push({ name: 'neondb_owner', password: this.password(), created_at });
    main.databases.push({ id: this.#ids.next(), name: 'neondb', owner_name: 'neondb_owner', created_at });
    main.endpoints.push({ ...this.endpoint({ type: 'read_write' }, now), current_state: 'idle' });
    project.branches.push(main);
    return project;
  }

  /** A branch with its parent's roles and databases, not yet in the project. */
  branch(
    project: Project,
    from: {
      readonly name: string | undefined;
      readonly parent: Branch | null;
      readonly polls: number;
      readonly init_source: string;
    },
    now: number,
  ): Branch {
    const at = isoTime(now);
    const id = `br-${this.#ids.text(6, 'bcdfghklmnprstvw')}-${this.#ids.text(8, '0123456789')}`;
    return {
      id,
      project_id: project.id,
      parent_id: from.parent?.id ?? null,
      created_at: at,
      init_source: from.init_source,
      name: from.name ?? id,
      current_state: 'init',
      state_changed_at: at,
      updated_at: at,
      isDefault: false,
      isProtected: false,
      expires_at: null,
      deleted_at: null,
      leaving: [422, 404],
      pollsLeft: Math.max(1, from.polls),
      // Roles forked from a protected parent get passwords of their own.
      roles: (from.parent?.roles ?? []).map((role) => (from.parent?.isProtected ? { ...role, password: this.password() } : role)),
      databases: (from.parent?.databases ?? []).map((database) => ({ ...database, id: this.#ids.next() })),
      endpoints: [],
    };
  }

  endpoint(asked: Partial<Endpoint> & { readonly type: Endpoint['type'] }, now: number): Endpoint {
    return {
      id: `ep-${this.#ids.text(6, 'bcdfghklmnprstvw')}-${this.#ids.text(8, '0123456789')}`,
      type: asked.type,
      created_at: isoTime(now),
      settings: asked.settings ?? {},
      autoscaling_limit_min_cu: asked.autoscaling_limit_min_cu ?? 0.25,
      autoscaling_limit_max_cu: asked.autoscaling_limit_max_cu ?? 2,
      suspend_timeout_seconds: asked.suspend_timeout_seconds ?? 0,
      current_state: 'init',
    };
  }

  operation(branch: Branch, endpoint: Endpoint | null, action: string, now: number): Operation {
    const at = isoTime(now);
    return {
      id: this.#ids.uuid(),
      branch_id: branch.id,
      endpoint_id: endpoint?.id ?? null,
      action,
      created_at: at,
      status: 'scheduling',
      updated_at: at,
    };
  }

  password(): string {
    return `npg_${this.#ids.text(24)}`;
  }

  requestId(): string {
    return this.#ids.uuid();
  }
}

/** One poll of a branch: with the last one it and its computes are ready, and its operations, unless they are late. */
export function poll(project: Project, branch: Branch, now: number): void {
  const operations = project.operations.filter(
    ({ branch_id, status }) => branch_id === branch.id && status !== 'finished' && status !== 'failed',
  );
  if (branch.pollsLeft === 0 && operations.length === 0) return;
  branch.pollsLeft = Math.max(0, branch.pollsLeft - 1);
  const isLate = branch.pollsLeft === 0 && project.lateLooks > 0;
  if (isLate) project.lateLooks -= 1;
  for (const operation of operations) {
    operation.status = branch.pollsLeft === 0 && !isLate ? project.ends : 'running';
    operation.updated_at = isoTime(now);
  }
  if (branch.pollsLeft > 0) return;
  if (branch.current_state === 'init') {
    branch.current_state = 'ready';
    branch.state_changed_at = isoTime(now);
  }
  for (const endpoint of branch.endpoints) if (endpoint.current_state === 'init') endpoint.current_state = 'active';
}
