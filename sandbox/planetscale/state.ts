import { Ids } from '../kit/index.ts';

export interface Branch {
  readonly id: string;
  name: string;
  readonly kind: 'mysql' | 'postgresql';
  state: 'pending' | 'sleep_in_progress' | 'sleeping' | 'awakening' | 'ready';
  ready: boolean;
  parent_branch: string | null;
  region: string;
  cluster_name: string;
  seeded: boolean;
  production: boolean;
  deletion_protected: boolean;
  readonly created_at: string;
  updated_at: string;
  /** Reads until it is ready. */
  pollsLeft: number;
  passwords: Password[];
}

export interface Password {
  readonly id: string;
  name: string;
  role: string;
  cidrs: string[] | null;
  replica: boolean;
  direct_vtgate: boolean;
  ttl_seconds: number | null;
  readonly username: string;
  readonly plain_text: string;
  readonly created_at: string;
  /** Milliseconds; `null` for one that never expires. */
  expiresAt: number | null;
}

export interface Database {
  readonly name: string;
  readonly kind: Branch['kind'];
  branches: Branch[];
}

export interface PlanetscaleState {
  /** `organization/database` → the database. */
  readonly databases: Record<string, Database>;
  branchLimit: number;
  /** How a name that is taken is refused: the description does not say. */
  duplicate: 400 | 409 | 422;
}

export const emptyState = (): PlanetscaleState => ({
  databases: {},
  branchLimit: Number.POSITIVE_INFINITY,
  duplicate: 422,
});

/** New objects with names and secrets of their own, the same in every run. */
export class Maker {
  readonly #ids = new Ids('planetscale');

  branch(database: Database, name: string, now: number, given: Partial<Branch> = {}): Branch {
    const time = new Date(now).toISOString();
    const pollsLeft = given.pollsLeft ?? 0;
    return {
      id: this.#ids.text(12),
      name,
      kind: database.kind,
      state: pollsLeft > 0 ? 'pending' : 'ready',
      ready: pollsLeft === 0,
      parent_branch: 'main',
      region: 'us-east',
      cluster_name: 'PS_10',
      seeded: false,
      production: false,
      deletion_protected: false,
      created_at: time,
      updated_at: time,
      pollsLeft,
      passwords: [],
      ...given,
    };
  }

  password(name: string, now: number, given: Partial<Password> = {}): Password {
    return {
      id: this.#ids.text(12),
      name,
      role: 'readwriter',
      cidrs: null,
      replica: false,
      direct_vtgate: false,
      ttl_seconds: null,
      username: this.#ids.text(20),
      plain_text: `pscale_pw_${this.#ids.text(43)}`,
      created_at: new Date(now).toISOString(),
      expiresAt: null,
      ...given,
    };
  }
}

/** Provisioning goes on with each look at the branch. */
export function poll(branch: Branch): void {
  if (branch.ready) return;
  branch.pollsLeft -= 1;
  if (branch.pollsLeft > 0) return;
  branch.state = 'ready';
  branch.ready = true;
}
