import {
  type Call,
  Ids,
  json,
  makeKit,
  type Reply,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';

/** A pull request as the code host stores it. */
export interface Pull {
  readonly number: number;
  state: 'open' | 'closed';
  head: string;
  readonly branch: string;
  readonly created_at: string;
  updated_at: string;
  closed_at: string | null;
  merged_at: string | null;
}

export interface PullsState {
  /** By `owner/name` in lower case. */
  readonly repositories: Record<string, Pull[]>;
}

/** What people do to pull requests of one repository. */
export interface PullsWorld {
  open(number: number, head: string, branch?: string): Pull;
  push(number: number, head: string): Pull;
  close(number: number, how?: 'merged' | 'unmerged'): Pull;
  reopen(number: number): Pull;
  /** It is no longer shown to anybody. */
  hide(number: number): void;
}

const docs = 'https://docs.github.com/rest';

/**
 * Pull requests (REST, version 2022-11-28), as https://docs.github.com/en/rest/pulls/pulls describes reading one. What a token may
 * not see is 404, like what is not there.
 */
export function githubPulls(options: SimulationOptions & { repository: string; origin?: string }): Simulation<PullsWorld> {
  const kit = makeKit('github-pulls', options);
  const { repository, origin = 'https://api.github.com' } = options;
  const ids = new Ids('github-pulls');
  const state: PullsState = { repositories: { [repository.toLowerCase()]: [] } };
  const now = (): string => new Date(kit.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');

  return simulate<PullsState, PullsWorld>(kit, {
    name: 'github-ci',
    origin,
    state,
    blind: () => ({ repositories: {} }),
    world: (live) => {
      const pulls = live.repositories[repository.toLowerCase()] ?? [];
      const change = (number: number, how: Partial<Pull>): Pull => {
        const pull = pulls.find((one) => one.number === number);
        if (!pull) throw new Error(`no pull request ${number}`);
        return Object.assign(pull, how, { updated_at: now() });
      };
      return {
        open: (number, head, branch = 'feature') => {
          const pull: Pull = {
            number,
            state: 'open',
            head,
            branch,
            created_at: now(),
            updated_at: now(),
            closed_at: null,
            merged_at: null,
          };
          pulls.push(pull);
          return pull;
        },
        push: (number, head) => change(number, { head }),
        close: (number, how = 'unmerged') =>
          change(number, { state: 'closed', closed_at: now(), merged_at: how === 'merged' ? now() : null }),
        reopen: (number) => change(number, { state: 'open', closed_at: null, merged_at: null }),
        hide: (number) =>
          void pulls.splice(
            pulls.findIndex((one) => one.number === number),
            1,
          ),
      };
    },
    tokens: kit.tokens,
    credential: ({ headers }) => /^(?:bearer|token) (.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null,
    refuseCredential: (_, why) => failure(401, why === 'wrong' ? 'Bad credentials' : 'Requires authentication'),
    routes: [route('GET', '/repos/{owner}/{repo}/pulls/{number}', (call) => json(200, shown(call, pullOf(call), ids.next())))],
  });
}

type PullCall = Call<PullsState, { readonly owner: string; readonly repo: string; readonly number: string }>;

function failure(status: number, message: string): Reply {
  return json(status, { message, documentation_url: docs, status: String(status) });
}

function pullOf({ params, state, headers }: PullCall): Pull {
  if (!headers.get('user-agent')) throw refuse(403, { message: 'Request forbidden by administrative rules.', documentation_url: docs });
  const pulls = state.repositories[`${params.owner}/${params.repo}`.toLowerCase()] ?? [];
  const pull = pulls.find(({ number }) => String(number) === params.number);
  if (!pull) throw refuse(404, failure(404, 'Not Found').body);
  return pull;
}

const links = (base: string, names: readonly string[]): { readonly [name: string]: string } =>
  Object.fromEntries(names.map((name) => [`${name}_url`, `${base}/${name}`]));

function person(origin: string): unknown {
  const url = `${origin}/users/ann`;
  const names = ['avatar', 'events', 'followers', 'following', 'gists', 'html', 'organizations', 'received_events', 'repos', 'starred'];
  const facts = { id: 7, node_id: 'U_7', login: 'ann', type: 'User', site_admin: false, gravatar_id: '', url };
  return { ...facts, ...links(url, names), subscriptions_url: `${url}/subscriptions` };
}

const repositoryLinks =
  'archive assignees blobs branches collaborators comments commits compare contents contributors deployments downloads events forks git_commits git_refs git_tags hooks html issue_comment issue_events issues keys labels languages merges milestones notifications pulls releases stargazers statuses subscribers subscription tags teams trees clone git ssh svn'.split(
    ' ',
  );

function repositoryOf(origin: string, fullName: string, at: string): unknown {
  const url = `${origin}/repos/${fullName}`;
  const counts = ['forks', 'forks_count', 'open_issues', 'open_issues_count', 'size', 'stargazers_count', 'watchers', 'watchers_count'];
  const switches = ['fork', 'private', 'has_downloads', 'has_issues', 'has_projects', 'has_wiki', 'has_pages', 'archived', 'disabled'];
  const absent = ['description', 'homepage', 'language', 'mirror_url', 'license'];
  return {
    ...links(url, repositoryLinks),
    ...Object.fromEntries(counts.map((name) => [name, 0])),
    ...Object.fromEntries(switches.map((name) => [name, false])),
    ...Object.fromEntries(absent.map((name) => [name, null])),
    id: 11,
    node_id: 'R_11',
    name: fullName.split('/')[1],
    full_name: fullName,
    owner: person(origin),
    url,
    default_branch: 'main',
    pushed_at: at,
    created_at: at,
    updated_at: at,
  };
}

function shown({ params }: PullCall, pull: Pull, id: number): unknown {
  const origin = 'https://api.github.com';
  const fullName = `${params.owner}/${params.repo}`;
  const url = `${origin}/repos/${fullName}/pulls/${pull.number}`;
  const side = (ref: string, sha: string): unknown => ({
    label: `${params.owner}:${ref}`,
    ref,
    sha,
    user: person(origin),
    repo: repositoryOf(origin, fullName, pull.created_at),
  });
  const rels = ['comments', 'commits', 'statuses', 'html', 'issue', 'review_comments', 'review_comment', 'self'];
  const counts = ['comments', 'review_comments', 'commits', 'additions', 'deletions', 'changed_files'];
  const { branch, head, merged_at, ...facts } = pull;
  return {
    ...facts,
    ...links(url, ['html', 'diff', 'patch', 'issue', 'commits', 'review_comments', 'review_comment', 'comments', 'statuses']),
    ...Object.fromEntries(counts.map((name) => [name, 0])),
    url,
    id: 900_000 + id,
    node_id: `PR_${pull.number}`,
    merged_at,
    merged: merged_at !== null,
    mergeable: pull.state === 'open' ? true : null,
    mergeable_state: 'unknown',
    merged_by: merged_at === null ? null : person(origin),
    merge_commit_sha: null,
    locked: false,
    title: `Pull request ${pull.number}`,
    body: null,
    user: person(origin),
    labels: [],
    milestone: null,
    assignee: null,
    author_association: 'MEMBER',
    auto_merge: null,
    maintainer_can_modify: false,
    head: side(branch, head),
    base: side('main', '0'.repeat(40)),
    _links: Object.fromEntries(rels.map((rel) => [rel, { href: `${url}/${rel}` }])),
  };
}
