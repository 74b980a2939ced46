import { Ids, nextStep } from '../kit/index.ts';

/** How a project is; a branch has a project of its own. */
export type Status =
  | 'INACTIVE'
  | 'ACTIVE_HEALTHY'
  | 'ACTIVE_UNHEALTHY'
  | 'COMING_UP'
  | 'UNKNOWN'
  | 'GOING_DOWN'
  | 'INIT_FAILED'
  | 'REMOVED'
  | 'RESTORING'
  | 'UPGRADING'
  | 'PAUSING'
  | 'RESTORE_FAILED'
  | 'RESTARTING'
  | 'PAUSE_FAILED'
  | 'RESIZING';

export interface Key {
  readonly name: string;
  readonly type: 'legacy' | 'publishable' | 'secret';
  readonly api_key: string;
}

export interface Pooler {
  readonly type: 'PRIMARY' | 'READ_REPLICA';
  readonly mode: 'transaction' | 'session';
  readonly host: string;
  readonly port: number;
}

/** What the provider keeps of one project, be it a customer's or a branch's. */
export interface Project {
  readonly ref: string;
  readonly created_at: string;
  readonly db_pass: string;
  readonly jwt_secret: string;
  readonly keys: Key[];
  readonly poolers: Pooler[];
  status: Status;
  /** Reads of it until it is healthy. */
  pollsLeft: number;
  site_url: string | null;
  /** `null` until it is set for the first time. */
  uri_allow_list: string | null;
  /** Whether passwords and signing secrets are shown to tokens. */
  showsSecrets: boolean;
  postgres_engine: string;
  release_channel: string;
}

/** An entry of a project's branches. */
export interface Branch {
  readonly id: string;
  readonly project_ref: string;
  readonly parent_project_ref: string;
  readonly is_default: boolean;
  readonly with_data: boolean;
  readonly created_at: string;
  /** What was given when it was made and is shown nowhere. */
  readonly made: Readonly<Record<string, unknown>>;
  name: string;
  updated_at: string;
  persistent: boolean;
  git_branch?: string;
  pr_number?: number;
  notify_url?: string;
  deletion_scheduled_at?: string;
}

export interface SupabaseState {
  /** By ref. */
  readonly projects: Record<string, Project>;
  branches: Branch[];
  /** Projects with branching, by ref; on others the list answers `without`. */
  readonly branching: string[];
  without: 422 | 'empty list';
  /** Branches that one project may have, its production branch not counted. */
  branchLimit: number;
  /** What is answered for a branch that is not there: nobody documents it. */
  absent: 404 | 500;
  /** How a name that is taken is refused: nobody documents it. */
  duplicate: 400 | 409 | 422 | 500;
  /** What a new branch is on its way to being healthy, a read each; the last one lasts. */
  steps: readonly Status[];
  /** How new branches end. */
  end: Status;
  /** Reads of the list that do not show the newest branch yet. */
  lag: number;
}

export const emptyState = (): SupabaseState => ({
  projects: {},
  branches: [],
  branching: [],
  without: 422,
  branchLimit: 50,
  absent: 404,
  duplicate: 422,
  steps: ['COMING_UP'],
  end: 'ACTIVE_HEALTHY',
  lag: 0,
});

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Makes what an account consists of, with ids in the provider's forms. */
export class Maker {
  readonly #ids = new Ids('supabase');

  project(ref: string, now: number): Project {
    return {
      ref,
      created_at: new Date(now).toISOString(),
      db_pass: this.#ids.text(24),
      jwt_secret: this.#ids.text(40),
      keys: [
        { name: 'anon', type: 'legacy', api_key: `eyJhbGciOiJIUzI1NiJ9.${this.#ids.text(30)}.anon` },
        { name: 'service_role', type: 'legacy', api_key: `eyJhbGciOiJIUzI1NiJ9.${this.#ids.text(30)}.service` },
        { name: 'default', type: 'publishable', api_key: `sb_publishable_${this.#ids.text(24)}` },
        { name: 'default', type: 'secret', api_key: `sb_secret_${this.#ids.text(24)}` },
      ],
      poolers: [
        { type: 'READ_REPLICA', mode: 'transaction', host: 'aws-0-eu-west-1.pooler.supabase.com', port: 6543 },
        { type: 'PRIMARY', mode: 'transaction', host: 'aws-0-eu-central-1.pooler.supabase.com', port: 6543 },
      ],
      status: 'ACTIVE_HEALTHY',
      pollsLeft: 0,
      site_url: 'http://localhost:3000',
      uri_allow_list: null,
      showsSecrets: true,
      postgres_engine: '17',
      release_channel: 'ga',
    };
  }

  branch(
    of: { readonly name: string; readonly parent: string; readonly isDefault?: boolean; readonly withData?: boolean },
    now: number,
  ): Branch {
    const at = new Date(now).toISOString();
    return {
      id: this.#ids.uuid(),
      name: of.name,
      project_ref: of.isDefault ? of.parent : this.ref(),
      parent_project_ref: of.parent,
      is_default: of.isDefault ?? false,
      with_data: of.withData ?? false,
      persistent: of.isDefault ?? false,
      created_at: at,
      updated_at: at,
      made: {},
    };
  }

  ref(): string {
    return this.#ids.text(20, letters);
  }
}

/** One read of a project that is coming up. */
export function poll(state: SupabaseState, project: Project): void {
  if (project.pollsLeft === 0) return;
  project.pollsLeft -= 1;
  if (project.pollsLeft === 0) {
    project.status = state.end;
    return;
  }
  project.status = nextStep(project, state.steps) ?? 'COMING_UP';
}
