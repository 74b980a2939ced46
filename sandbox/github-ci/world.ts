import type { Clock } from '../kit/clock.ts';
import {
  type Account,
  type Activity,
  type Approval,
  ann,
  bot,
  type CiState,
  type Comment,
  type Deployment,
  emptyRepository,
  nextId,
  type Pull,
  type Repository,
  timeOf,
} from './state.ts';

/** What people, apps and the host itself do in one repository. */
export interface CiWorld {
  readonly state: CiState;
  /** The branch has this commit at its head. */
  move(branch: string, commit: string): void;
  /** Somebody pushed to a branch, made or deleted it; the host remembers that. */
  happened(what: Pick<Activity, 'ref' | 'before' | 'after' | 'type'>, by?: string): void;
  /** `from`: the repository that its head lies in, where that is a fork; `null` for one that was deleted. */
  open(number: number, head: string, branch?: string, from?: string | null, by?: string | null): Pull;
  push(number: number, head: string): Pull;
  close(number: number, how?: 'merged' | 'unmerged'): Pull;
  reopen(number: number): Pull;
  /** It changes these files. */
  files(number: number, paths: readonly string[]): Pull;
  /** Its labels are these from now on. */
  label(number: number, labels: readonly string[]): Pull;
  draft(number: number, isDraft: boolean): Pull;
  /** It is no longer shown to anybody. */
  hide(number: number): void;
  /** The repository had another name, which leads to this one. */
  hadName(name: string): void;
  pull(number: number): Pull;
  /** The fork of a pull request is deleted. */
  dropFork(number: number): Pull;
  /** Only members may write there. */
  lock(number: number): void;

  /** Live, oldest first: changing one is somebody's edit. */
  comments(number: number): readonly Comment[];
  comment(number: number, body: string, by?: string): Comment;
  removeComment(id: number): void;

  deploy(o: { readonly sha: string; readonly environment: string; readonly ref?: string; readonly by?: string }): Deployment;
  /** A status of a deployment: `success`. */
  report(id: number, state: string, url?: string): Deployment;
  /** The job's environment was reviewed. */
  approve(run: string, environment: string, by: string, state?: Approval['state']): void;

  /** A token of a person (`ann`) or of an app that is installed here (`releaser[bot]`). */
  tokenOf(login: string): string;
  /** Requests that this token's hour still has, and when it is over. */
  spend(left: number, resetsInMs: number): void;
  /** The host refuses everything for this long; `message` gives no header that says how long. */
  slowDown(forMs: number, how?: 'retry-after' | 'message', status?: 403 | 429): void;
  /** Gives the job's token `actions: read`. */
  readActions(may: boolean): void;
  /** Gives the job's token `statuses: write`. */
  writeStatuses(may: boolean): void;
  /** Of a commit, oldest first, as `state context: description`. */
  statuses(commit: string): readonly string[];
}

export function ciWorld(state: CiState, repository: string, clock: Clock): CiWorld {
  const here = repositoryIn(state, repository);
  const now = (): string => timeOf(clock.now());
  const found = (number: number): Pull => {
    const pull = here.pulls.find((one) => one.number === number);
    if (!pull) throw new Error(`no pull request ${number}`);
    return pull;
  };
  const change = (number: number, how: Partial<Pull>): Pull => Object.assign(found(number), how, { updated_at: now() });

  return {
    state,
    move: (branch, commit) => {
      here.heads[branch] = commit;
    },
    happened: (what, by = 'mallory') => {
      here.activities.push({ ...what, id: nextId(state), actor: accountOf(by), at: now() });
    },
    open: (number, head, branch = 'feature', from = repository, by = null) => {
      const at = { created_at: now(), updated_at: now(), closed_at: null, merged_at: null };
      const author =
        by !== null ? accountOf(by) : from === null || from.toLowerCase() !== repository.toLowerCase() ? accountOf('mallory') : ann;
      const pull: Pull = {
        number,
        state: 'open',
        head,
        commits: [head],
        branch,
        from,
        author,
        labels: [],
        draft: false,
        files: ['README.md'],
        ...at,
      };
      here.pulls.push(pull);
      return pull;
    },
    push: (number, head) => change(number, { head, commits: [...found(number).commits, head] }),
    close: (number, how = 'unmerged') => change(number, { state: 'closed', closed_at: now(), merged_at: how === 'merged' ? now() : null }),
    reopen: (number) => change(number, { state: 'open', closed_at: null, merged_at: null }),
    files: (number, files) => change(number, { files }),
    label: (number, labels) => change(number, { labels }),
    draft: (number, isDraft) => change(number, { draft: isDraft }),
    hide: (number) => void here.pulls.splice(here.pulls.indexOf(found(number)), 1),
    hadName: (name) => void state.earlier.push(name.toLowerCase()),
    pull: found,
    dropFork: (number) => change(number, { from: null }),
    lock: (number) => void here.locked.push(number),

    comments: (number) => here.comments.filter((comment) => comment.number === number),
    comment: (number, body, by = 'ann') => {
      const comment: Comment = { id: nextId(state), number, body, author: accountOf(by), created_at: now(), updated_at: now() };
      here.comments.push(comment);
      return comment;
    },
    removeComment: (id) => {
      const at = here.comments.findIndex((comment) => comment.id === id);
      if (at < 0) throw new Error(`no comment ${id}`);
      here.comments.splice(at, 1);
    },

    deploy: ({ sha, environment, ref = sha, by = 'vercel[bot]' }) => {
      const deployment: Deployment = {
        id: nextId(state),
        sha,
        ref,
        task: 'deploy',
        environment,
        description: null,
        payload: {},
        isProduction: environment.toLowerCase() === 'production',
        isTransient: false,
        creator: accountOf(by),
        created_at: now(),
        updated_at: now(),
        statuses: [],
      };
      here.deployments.push(deployment);
      return deployment;
    },
    report: (id, status, url = '') => {
      const deployment = here.deployments.find((one) => one.id === id);
      if (!deployment) throw new Error(`no deployment ${id}`);
      const { environment, creator } = deployment;
      deployment.statuses.unshift({
        id: nextId(state),
        state: status,
        description: '',
        environment,
        environment_url: url,
        log_url: '',
        creator,
        at: now(),
      });
      deployment.updated_at = now();
      return deployment;
    },
    approve: (run, environment, by, how = 'approved') =>
      void here.approvals.push({ run, environments: [environment], state: how, by: accountOf(by), comment: '' }),

    tokenOf: (login) => {
      const account = accountOf(login);
      const token = `${account.type === 'Bot' ? 'ghs' : 'ghp'}_${login.replace(/\W/g, '')}0123456789abcdef`;
      state.accounts[token] = account;
      return token;
    },
    spend: (left, resetsInMs) => void Object.assign(state.primary, { left, resetAt: clock.now() + resetsInMs }),
    slowDown: (forMs, how = 'retry-after', status = 403) => {
      state.secondary = { until: clock.now() + forMs, how, status };
    },
    writeStatuses: (may) => {
      state.writesStatuses = may;
    },
    statuses: (commit) =>
      here.statuses
        .filter(({ sha }) => sha === commit)
        .map(({ state: told, context, description }) => `${told} ${context}: ${description}`),
    readActions: (may) => {
      state.readsActions = may;
    },
  };
}

export function repositoryIn(state: CiState, name: string): Repository {
  const key = name.toLowerCase();
  const known = state.repositories[key] ?? emptyRepository();
  state.repositories[key] = known;
  return known;
}

function accountOf(login: string): Account {
  if (login === bot.login) return bot;
  if (login === ann.login) return ann;
  const id = [...login].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_000, 1000);
  return { login, id, type: login.endsWith('[bot]') ? 'Bot' : 'User' };
}
