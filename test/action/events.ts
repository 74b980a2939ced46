import { account, numberOf, type Place, repositoryPart } from './payload-parts.ts';
import { type PullThen, pullPart } from './payload-pull.ts';

export type { Place } from './payload-parts.ts';

/** An event as a job gets it: its name, its payload, and what the runner's variables say of it. */
export interface Event {
  readonly name: 'pull_request' | 'pull_request_target' | 'deployment_status' | 'push' | 'schedule' | 'workflow_dispatch' | 'issue_comment';
  readonly payload: object;
  /** `GITHUB_SHA`: in a pull request the merge commit that the host made up. */
  readonly sha: string;
  /** `refs/pull/12/merge`; empty where a commit was deployed by its hash. */
  readonly ref: string;
  readonly headRef: string;
  readonly baseRef: string;
  readonly actor: string;
}

export type PullAction =
  | 'opened'
  | 'synchronize'
  | 'reopened'
  | 'closed'
  | 'labeled'
  | 'unlabeled'
  | 'ready_for_review'
  | 'converted_to_draft'
  | 'edited';

/** As `pull_request`, or as `pull_request_target`, whose job is about the default branch and whose checkout is that branch. */
export function pullRequest(
  place: Place,
  action: PullAction,
  pull: PullThen,
  o: { readonly before?: string; readonly sender?: string; readonly isOfBase?: boolean } = {},
): Event {
  const { author = 'ann', isMerged = false } = pull;
  const { sender = author, isOfBase = false } = o;
  return {
    name: isOfBase ? 'pull_request_target' : 'pull_request',
    payload: {
      action,
      number: pull.number,
      pull_request: pullPart(place, pull),
      ...(action === 'synchronize' && { before: o.before ?? '1'.repeat(40), after: pull.head }),
      ...((action === 'labeled' || action === 'unlabeled') && {
        label: { id: 1, name: 'preview', color: 'ededed', default: false, description: null },
      }),
      ...about(place, sender),
    },
    sha: isOfBase ? pull.base : pull.merge,
    // A merged one is about the branch that it went into.
    ref: isMerged || isOfBase ? 'refs/heads/main' : `refs/pull/${pull.number}/merge`,
    headRef: pull.branch,
    baseRef: 'main',
    actor: sender,
  };
}

export interface DeploymentThen {
  readonly sha: string;
  /** The branch, or the commit where the host's own integration deploys by hash. */
  readonly ref: string;
  /** `Preview`, `Production`, `production – shop`. */
  readonly environment: string;
  readonly state: 'queued' | 'pending' | 'in_progress' | 'success' | 'failure' | 'error' | 'inactive';
  readonly url?: string;
  readonly creator?: string;
  readonly at: string;
}

export function deploymentStatus(place: Place, deployment: DeploymentThen): Event {
  const { sha, ref, environment, state, url = '', creator = 'vercel[bot]', at } = deployment;
  const id = numberOf(`${sha}${environment}`);
  const self = `${place.api}/repos/${place.repository}/deployments/${id}`;
  const times = { created_at: at, updated_at: at };
  const isProduction = /^production/i.test(environment);
  const by = { creator: account(place, creator), performed_via_github_app: null };
  return {
    name: 'deployment_status',
    payload: {
      action: 'created',
      deployment_status: {
        url: `${self}/statuses/${id + 1}`,
        id: id + 1,
        node_id: `DES_${id + 1}`,
        state,
        description: state === 'success' ? 'Deployment has completed' : '',
        environment,
        target_url: url,
        ...times,
        deployment_url: self,
        repository_url: `${place.api}/repos/${place.repository}`,
        environment_url: url,
        log_url: url,
        ...by,
      },
      deployment: {
        url: self,
        id,
        node_id: `DE_${id}`,
        task: 'deploy',
        original_environment: environment,
        environment,
        description: null,
        ...times,
        statuses_url: `${self}/statuses`,
        repository_url: `${place.api}/repos/${place.repository}`,
        sha,
        ref,
        payload: {},
        transient_environment: !isProduction,
        production_environment: isProduction,
        ...by,
      },
      check_run: null,
      workflow: null,
      workflow_run: null,
      ...about(place, creator),
    },
    sha,
    ref: /^[0-9a-f]{40}$/.test(ref) ? '' : `refs/heads/${ref}`,
    headRef: '',
    baseRef: '',
    actor: creator,
  };
}

export function push(
  place: Place,
  o: { readonly before: string; readonly after: string; readonly branch?: string; readonly pusher?: string },
): Event {
  const { before, after, branch = 'main', pusher = 'ann' } = o;
  const commit = commitPart(place, after, pusher);
  return {
    name: 'push',
    payload: {
      ref: `refs/heads/${branch}`,
      before,
      after,
      pusher: { name: pusher, email: `${pusher}@localhost` },
      created: false,
      deleted: false,
      forced: false,
      base_ref: null,
      compare: `${place.server}/${place.repository}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
      commits: [commit],
      head_commit: commit,
      ...about(place, pusher),
    },
    ...on(after, branch, pusher),
  };
}

export const schedule = (place: Place, sha: string): Event => ({
  name: 'schedule',
  payload: { schedule: '17 3 * * *', workflow: '.github/workflows/pilotfish.yml', ...about(place, 'ann') },
  ...on(sha, 'main', 'ann'),
});

export const workflowDispatch = (place: Place, sha: string, inputs: Readonly<Record<string, string>> = {}): Event => ({
  name: 'workflow_dispatch',
  payload: { inputs, ref: 'refs/heads/main', workflow: '.github/workflows/pilotfish.yml', ...about(place, 'ann') },
  ...on(sha, 'main', 'ann'),
});

export function issueComment(
  place: Place,
  sha: string,
  o: { readonly pull: number; readonly body: string; readonly author: string },
): Event {
  const url = `${place.api}/repos/${place.repository}/issues/${o.pull}`;
  const page = `${place.server}/${place.repository}/pull/${o.pull}`;
  const times = { created_at: '2026-11-21T09:00:00Z', updated_at: '2026-11-21T09:00:00Z' };
  return {
    name: 'issue_comment',
    payload: {
      action: 'created',
      issue: {
        url,
        html_url: page,
        id: numberOf(url),
        number: o.pull,
        title: `Pull request ${o.pull}`,
        user: account(place, 'ann'),
        state: 'open',
        locked: false,
        comments: 1,
        pull_request: { url: `${place.api}/repos/${place.repository}/pulls/${o.pull}`, html_url: page },
        body: null,
        ...times,
      },
      comment: {
        url: `${place.api}/repos/${place.repository}/issues/comments/5`,
        html_url: `${page}#issuecomment-5`,
        issue_url: url,
        id: 5,
        user: account(place, o.author),
        author_association: 'NONE',
        body: o.body,
        ...times,
      },
      ...about(place, o.author),
    },
    ...on(sha, 'main', o.author),
  };
}

const about = (place: Place, sender: string): object => ({
  repository: repositoryPart(place, place.repository),
  organization: { login: place.repository.split('/')[0], id: numberOf(place.repository), node_id: 'O_1', description: '' },
  sender: account(place, sender),
});

const on = (sha: string, branch: string, actor: string) => ({ sha, ref: `refs/heads/${branch}`, headRef: '', baseRef: '', actor });

function commitPart(place: Place, id: string, author: string): object {
  const person = { name: author, email: `${author}@localhost`, username: author };
  const url = `${place.server}/${place.repository}/commit/${id}`;
  const files = { added: [], removed: [], modified: ['release.plan.yaml'] };
  return {
    id,
    tree_id: '2'.repeat(40),
    distinct: true,
    message: 'A change',
    timestamp: '2026-11-21T09:00:00Z',
    url,
    author: person,
    committer: person,
    ...files,
  };
}
