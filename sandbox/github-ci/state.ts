/** Who asks, or wrote something. */
export interface Account {
  readonly login: string;
  readonly id: number;
  readonly type: 'User' | 'Bot';
}

/** A pull request as the code host stores it. */
export interface Pull {
  readonly number: number;
  state: 'open' | 'closed';
  head: string;
  /** Every commit that its head was at. */
  commits: readonly string[];
  /** The paths that it changes. */
  files: readonly string[];
  readonly branch: string;
  /** `owner/name` that the head lies in; `null` once that was deleted. */
  from: string | null;
  readonly author: Account;
  labels: readonly string[];
  draft: boolean;
  readonly created_at: string;
  updated_at: string;
  closed_at: string | null;
  merged_at: string | null;
}

export interface Comment {
  readonly id: number;
  /** Of the pull request. */
  readonly number: number;
  body: string;
  readonly author: Account;
  readonly created_at: string;
  updated_at: string;
}

export interface Deployment {
  readonly id: number;
  readonly sha: string;
  readonly ref: string;
  readonly task: string;
  readonly environment: string;
  readonly description: string | null;
  readonly payload: unknown;
  readonly isProduction: boolean;
  readonly isTransient: boolean;
  readonly creator: Account;
  readonly created_at: string;
  updated_at: string;
  readonly statuses: DeploymentStatus[];
}

export interface DeploymentStatus {
  readonly id: number;
  readonly state: string;
  readonly description: string;
  readonly environment: string;
  readonly environment_url: string;
  readonly log_url: string;
  readonly creator: Account;
  readonly at: string;
}

/** A status of a commit. The newest of a context stands. */
export interface CommitStatus {
  readonly id: number;
  readonly sha: string;
  readonly state: 'error' | 'failure' | 'pending' | 'success';
  readonly context: string;
  readonly description: string | null;
  readonly target_url: string | null;
  readonly creator: Account;
  readonly at: string;
}

/** One entry of the reviews of a workflow run. */
export interface Approval {
  readonly run: string;
  readonly environments: readonly string[];
  readonly state: 'approved' | 'rejected' | 'pending';
  readonly by: Account;
  readonly comment: string;
}

/** What happened to a branch. */
export interface Activity {
  readonly id: number;
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly type: 'push' | 'force_push' | 'branch_creation' | 'branch_deletion';
  readonly actor: Account;
  readonly at: string;
}

export interface Repository {
  readonly activities: Activity[];
  readonly pulls: Pull[];
  readonly comments: Comment[];
  readonly deployments: Deployment[];
  readonly approvals: Approval[];
  /** Oldest first. */
  readonly statuses: CommitStatus[];
  /** The commit at the head of each branch that somebody named. */
  readonly heads: Record<string, string>;
  /** Holds no commit yet. */
  isEmpty: boolean;
  /** Conversations that only members may write in, by number. */
  readonly locked: number[];
}

export interface CiState {
  /** By `owner/name` in lower case. */
  readonly repositories: Record<string, Repository>;
  /** Earlier names of the repository, in lower case. */
  readonly earlier: string[];
  /** Tokens beside those that the simulation comes with, and whose they are. */
  readonly accounts: Record<string, Account>;
  /** Of the job's token: `actions: read` is not given unless the workflow asks. */
  readsActions: boolean;
  /** Of the job's token: `statuses: write` is not given unless the workflow asks. */
  writesStatuses: boolean;
  readonly primary: { readonly limit: number; left: number; resetAt: number };
  /** Until when, and how it says so. */
  secondary: { readonly until: number; readonly how: 'retry-after' | 'message'; readonly status: 403 | 429 } | null;
  lastId: number;
}

export const bot: Account = { login: 'github-actions[bot]', id: 41898282, type: 'Bot' };
export const ann: Account = { login: 'ann', id: 7, type: 'User' };

export const emptyRepository = (): Repository => ({
  activities: [],
  pulls: [],
  comments: [],
  deployments: [],
  approvals: [],
  statuses: [],
  heads: {},
  isEmpty: false,
  locked: [],
});

/** The host's times have no milliseconds. */
export const timeOf = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** Ids of everything rise together. */
export function nextId(state: CiState): number {
  state.lastId += 1;
  return state.lastId;
}
