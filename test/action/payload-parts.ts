/** Where a repository lives, as the parts of every payload say it in their links. */
export interface Host {
  /** `https://github.com` */
  readonly server: string;
  /** `https://api.github.com` */
  readonly api: string;
}

/** A repository on a host. */
export interface Place extends Host {
  /** `acme/shop` */
  readonly repository: string;
}

/** As the host tells of a person or a bot. */
export function account(host: Host, login: string): object {
  const isBot = login.endsWith('[bot]');
  const url = `${host.api}/users/${encodeURIComponent(login)}`;
  const page = isBot ? `${host.server}/apps/${login.replace('[bot]', '')}` : `${host.server}/${login}`;
  const lists = ['followers', 'subscriptions', 'organizations', 'repos', 'received_events'];
  return {
    login,
    id: numberOf(login),
    node_id: `U_${numberOf(login)}`,
    avatar_url: `${host.server}/avatars/u/${numberOf(login)}?v=4`,
    gravatar_id: '',
    url,
    html_url: page,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    events_url: `${url}/events{/privacy}`,
    ...Object.fromEntries(lists.map((list) => [`${list}_url`, `${url}/${list}`])),
    type: isBot ? 'Bot' : 'User',
    user_view_type: 'public',
    site_admin: false,
  };
}

/** As the host tells of a repository. */
export function repositoryPart(host: Host, fullName: string, o: { readonly isFork?: boolean } = {}): object {
  const [owner = '', name = ''] = fullName.split('/');
  const url = `${host.api}/repos/${fullName}`;
  const page = `${host.server}/${fullName}`;
  const counts = ['size', 'stargazers_count', 'watchers_count', 'forks_count', 'open_issues_count', 'forks', 'open_issues', 'watchers'];
  const switches = ['has_issues', 'has_projects', 'has_downloads', 'has_wiki', 'allow_forking'];
  const made = '2026-01-05T09:00:00Z';
  return {
    id: numberOf(fullName),
    node_id: `R_${numberOf(fullName)}`,
    name,
    full_name: fullName,
    private: false,
    owner: account(host, owner),
    html_url: page,
    description: null,
    fork: o.isFork ?? false,
    url,
    ...Object.fromEntries(links.map((link) => [`${link.split('{')[0]?.replaceAll('/', '_')}_url`, `${url}/${link}`])),
    git_url: `git://${new URL(host.server).host}/${fullName}.git`,
    ssh_url: `git@${new URL(host.server).hostname}:${fullName}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    homepage: null,
    ...Object.fromEntries(counts.map((count) => [count, 0])),
    ...Object.fromEntries(switches.map((name_) => [name_, true])),
    has_pages: false,
    has_discussions: false,
    language: 'TypeScript',
    mirror_url: null,
    archived: false,
    disabled: false,
    license: null,
    is_template: false,
    web_commit_signoff_required: false,
    topics: [],
    visibility: 'public',
    default_branch: 'main',
    created_at: made,
    updated_at: made,
    pushed_at: made,
  };
}

const links = [
  'forks',
  'keys{/key_id}',
  'collaborators{/collaborator}',
  'teams',
  'hooks',
  'events',
  'assignees{/user}',
  'branches{/branch}',
  'tags',
  'languages',
  'stargazers',
  'contributors',
  'subscribers',
  'subscription',
  'commits{/sha}',
  'comments{/number}',
  'contents/{+path}',
  'compare/{base}...{head}',
  'merges',
  'downloads',
  'issues{/number}',
  'pulls{/number}',
  'milestones{/number}',
  'labels{/name}',
  'releases{/id}',
  'deployments',
];

/** A number for a name, the same each time. */
export function numberOf(name: string): number {
  let sum = 7;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return sum;
}
