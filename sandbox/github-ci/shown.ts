import type { Account, Comment, Deployment, DeploymentStatus, Pull } from './state.ts';

/** Objects as the host shows them: all that its description requires, and links that lead back to it. */
export interface Place {
  readonly origin: string;
  /** `owner/name`, as asked for. */
  readonly fullName: string;
}

const links = (base: string, names: readonly string[]): { readonly [name: string]: string } =>
  Object.fromEntries(names.map((name) => [`${name}_url`, `${base}/${name}`]));

const accountLinks = [
  'avatar',
  'events',
  'followers',
  'following',
  'gists',
  'html',
  'organizations',
  'received_events',
  'repos',
  'starred',
];

export function shownAccount(origin: string, { login, id, type }: Account): unknown {
  const url = `${origin}/users/${encodeURIComponent(login)}`;
  const facts = { id, node_id: `U_${id}`, login, type, site_admin: false, gravatar_id: '', url };
  return { ...facts, ...links(url, accountLinks), subscriptions_url: `${url}/subscriptions` };
}

const repositoryLinks =
  'archive assignees blobs branches collaborators comments commits compare contents contributors deployments downloads events forks git_commits git_refs git_tags hooks html issue_comment issue_events issues keys labels languages merges milestones notifications pulls releases stargazers statuses subscribers subscription tags teams trees clone git ssh svn'.split(
    ' ',
  );

function shownRepository(origin: string, fullName: string, owner: Account, isFork: boolean, at: string): unknown {
  const url = `${origin}/repos/${fullName}`;
  const counts = ['forks', 'forks_count', 'open_issues', 'open_issues_count', 'size', 'stargazers_count', 'watchers', 'watchers_count'];
  const switches = ['private', 'has_downloads', 'has_issues', 'has_projects', 'has_wiki', 'has_pages', 'archived', 'disabled'];
  const absent = ['description', 'homepage', 'language', 'mirror_url', 'license'];
  return {
    ...links(url, repositoryLinks),
    ...Object.fromEntries(counts.map((name) => [name, 0])),
    ...Object.fromEntries(switches.map((name) => [name, false])),
    ...Object.fromEntries(absent.map((name) => [name, null])),
    fork: isFork,
    id: isFork ? 12 : 11,
    node_id: isFork ? 'R_12' : 'R_11',
    name: fullName.split('/')[1],
    full_name: fullName,
    owner: shownAccount(origin, owner),
    url,
    default_branch: 'main',
    pushed_at: at,
    created_at: at,
    updated_at: at,
  };
}

const ownerOf = (fullName: string): Account => ({ login: fullName.split('/')[0] ?? fullName, id: 5, type: 'User' });

/** A pull request as it stands in a list. */
export function shownPull({ origin, fullName }: Place, pull: Pull): { readonly [name: string]: unknown } {
  const url = `${origin}/repos/${fullName}/pulls/${pull.number}`;
  const side = (ref: string, sha: string, repository: string | null): unknown => ({
    label: `${repository === null ? 'unknown' : (repository.split('/')[0] ?? '')}:${ref}`,
    ref,
    sha,
    user: shownAccount(origin, ownerOf(repository ?? fullName)),
    // The repository of a deleted fork is `null`, which the published schema does not allow and the host does (seen 2026-11).
    repo:
      repository === null
        ? null
        : shownRepository(origin, repository, ownerOf(repository), repository.toLowerCase() !== fullName.toLowerCase(), pull.created_at),
  });
  const rels = ['comments', 'commits', 'statuses', 'html', 'issue', 'review_comments', 'review_comment', 'self'];
  const { number, state, created_at, updated_at, closed_at, merged_at } = pull;
  return {
    number,
    state,
    created_at,
    updated_at,
    closed_at,
    merged_at,
    ...links(url, ['html', 'diff', 'patch', 'issue', 'commits', 'review_comments', 'review_comment', 'comments', 'statuses']),
    url,
    id: 900_000 + number,
    node_id: `PR_${number}`,
    merge_commit_sha: null,
    locked: false,
    draft: pull.draft,
    title: `Pull request ${number}`,
    body: null,
    user: shownAccount(origin, pull.author),
    labels: pull.labels.map((name, at) => ({
      id: at + 1,
      node_id: `LA_${at + 1}`,
      url: `${origin}/repos/${fullName}/labels/${encodeURIComponent(name)}`,
      name,
      description: '',
      color: 'ededed',
      default: false,
    })),
    milestone: null,
    assignee: null,
    author_association: pull.from?.toLowerCase() === fullName.toLowerCase() ? 'MEMBER' : 'NONE',
    auto_merge: null,
    head: side(pull.branch, pull.head, pull.from),
    base: side('main', '0'.repeat(40), fullName),
    _links: Object.fromEntries(rels.map((rel) => [rel, { href: `${url}/${rel}` }])),
  };
}

/** A pull request as it is shown alone. */
export function shownWholePull(place: Place, pull: Pull): unknown {
  const counts = ['comments', 'review_comments', 'commits', 'additions', 'deletions', 'changed_files'];
  return {
    ...shownPull(place, pull),
    ...Object.fromEntries(counts.map((name) => [name, 0])),
    merged: pull.merged_at !== null,
    mergeable: pull.state === 'open' ? true : null,
    mergeable_state: 'unknown',
    merged_by: pull.merged_at === null ? null : shownAccount(place.origin, pull.author),
    maintainer_can_modify: false,
  };
}

/** What a bot writes also tells through which app it did. */
function shownApp(origin: string, { login, id }: Account, at: string): unknown {
  const slug = login.replace(/\[bot\]$/, '');
  return {
    id: id % 100_000,
    slug,
    node_id: `A_${id}`,
    owner: shownAccount(origin, ownerOf(slug)),
    name: slug,
    description: '',
    external_url: `${origin}/apps/${slug}`,
    html_url: `${origin}/apps/${slug}`,
    created_at: at,
    updated_at: at,
    permissions: { issues: 'write', metadata: 'read' },
    events: [],
  };
}

export function shownComment({ origin, fullName }: Place, comment: Comment): unknown {
  const { id, number, body, author, created_at, updated_at } = comment;
  const base = `${origin}/repos/${fullName}`;
  return {
    id,
    node_id: `IC_${id}`,
    url: `${base}/issues/comments/${id}`,
    html_url: `${base}/pull/${number}#issuecomment-${id}`,
    issue_url: `${base}/issues/${number}`,
    body,
    user: shownAccount(origin, author),
    created_at,
    updated_at,
    author_association: author.type === 'Bot' ? 'NONE' : 'MEMBER',
    performed_via_github_app: author.type === 'Bot' ? shownApp(origin, author, created_at) : null,
  };
}

export function shownDeployment({ origin, fullName }: Place, deployment: Deployment): unknown {
  const { statuses: _statuses, isProduction, isTransient, creator, ...facts } = deployment;
  const base = `${origin}/repos/${fullName}`;
  const url = `${base}/deployments/${facts.id}`;
  return {
    ...facts,
    url,
    node_id: `DE_${facts.id}`,
    original_environment: facts.environment,
    creator: shownAccount(origin, creator),
    statuses_url: `${url}/statuses`,
    repository_url: base,
    transient_environment: isTransient,
    production_environment: isProduction,
  };
}

export function shownStatus({ origin, fullName }: Place, deployment: Deployment, status: DeploymentStatus): unknown {
  const { at, creator, ...facts } = status;
  const base = `${origin}/repos/${fullName}`;
  const url = `${base}/deployments/${deployment.id}`;
  return {
    ...facts,
    url: `${url}/statuses/${facts.id}`,
    node_id: `DES_${facts.id}`,
    creator: shownAccount(origin, creator),
    target_url: facts.log_url,
    deployment_url: url,
    repository_url: base,
    created_at: at,
    updated_at: at,
  };
}
