import type { ProviderBlock } from '../http/types.ts';
import type { RepositoryFacts } from '../platform/checkout.ts';
import { isWebUrl, slugOf } from '../platform/git-url.ts';
import { belongsTo, isGitlabJob, remoteHost, webAddress } from './addresses.ts';

/** Where pull requests are asked for, with the variable of the token that may be sent there. */
export interface CodeHost {
  /** Whose API it speaks. */
  readonly kind: 'github' | 'gitlab';
  readonly block: ProviderBlock;
  /** `owner/repo`, on GitLab with every group. */
  readonly repository: string;
  /** How the API of GitLab names the project. */
  readonly project?: string;
  /** The token reads pull requests and comments, and writes none. */
  readonly isReadOnly?: boolean;
}

/** Why nobody can be asked, in words for people, and the one thing that would change it. */
export interface NoCodeHost {
  readonly why: string;
  readonly fix: string;
  readonly lacks: 'token' | 'host';
}

/**
 * The code host of this repository, as the variables of its CI name it. GitHub's token is for `GITHUB_SERVER_URL` alone: a repository
 * that lives elsewhere, or an API address of another host, is never asked with it.
 */
export function codeHostOf(env: NodeJS.ProcessEnv, facts: RepositoryFacts | null): CodeHost | NoCodeHost {
  if (isOnGitlab(env, facts)) return gitlabHostOf(env, facts);
  const server = webAddress(env.GITHUB_SERVER_URL || 'https://github.com');
  if (server === null) return noHost('GITHUB_SERVER_URL is no web address', 'Correct or unset GITHUB_SERVER_URL.');
  const repository = env.GITHUB_REPOSITORY || repositoryAt(server, facts);
  if (!repository || !/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    return noHost(
      `the repository is not on ${server.host}; pull requests of other hosts cannot be asked for`,
      'Name the scope with `--scope`. For a server of your own set CI_SERVER_URL where it is GitLab, or GITHUB_SERVER_URL and GITHUB_REPOSITORY where it speaks the API of GitHub.',
    );
  }
  const given = env.GITHUB_API_URL || defaultApi(server);
  const api = webAddress(given);
  if (api === null || !belongsTo(api, server, [`api.${server.host}`])) {
    return noHost(
      `GITHUB_API_URL is not an address of ${server.host}, whose token would be sent there`,
      'Correct or unset GITHUB_API_URL.',
    );
  }
  const token = hostTokens.find((name) => env[name]);
  if (token === undefined) {
    return {
      lacks: 'token',
      why: `GITHUB_TOKEN is not set, so ${server.host} cannot be asked`,
      fix: 'Set GITHUB_TOKEN to a token that may read pull requests.',
    };
  }
  return {
    kind: 'github',
    repository,
    block: {
      api: 'github',
      base_url: given.replace(/\/+$/, ''),
      auth: { bearer_env: token },
      headers: { Accept: 'application/vnd.github+json', 'X-GitHub-Api-Version': '2022-11-28' },
    },
  };
}

/**
 * Where the host's token is looked for. The first is set by the action: under GITHUB_TOKEN a workflow may map another one, which writes
 * webhooks and nothing else.
 */
const hostTokens = ['PILOTFISH_JOB_TOKEN', 'GITHUB_TOKEN', 'GH_TOKEN'] as const;

export const isCodeHost = (host: CodeHost | NoCodeHost): host is CodeHost => 'block' in host;

const noHost = (why: string, fix: string): NoCodeHost => ({ lacks: 'host', why, fix });

/** The cloud host has its API beside it, an own server below it. */
function defaultApi(server: URL): string {
  return isCloud(server) ? `https://api.${server.host}` : `${server.origin}/api/v3`;
}

const isCloud = ({ hostname }: URL): boolean => hostname === 'github.com' || hostname.endsWith('.ghe.com');

function repositoryAt(server: URL, facts: RepositoryFacts | null): string | null {
  const remote = facts?.remoteUrl;
  if (!remote) return null;
  const host = remoteHost(remote);
  // `ssh.github.com` answers for ssh where port 22 is closed.
  return host === server.hostname || host === `ssh.${server.hostname}` ? slugOf(remote) : null;
}

/** Whether the repository lives on GitLab: a job of GitLab CI says so, elsewhere its remote does. */
function isOnGitlab(env: NodeJS.ProcessEnv, facts: RepositoryFacts | null): boolean {
  // A mirror whose pull requests are on GitHub says where they are.
  if (env.GITHUB_REPOSITORY || env.GITHUB_ACTIONS === 'true') return false;
  if (isGitlabJob(env)) return true;
  const server = gitlabServer(env);
  return server !== null && projectAt(server, env, facts) !== null;
}

/**
 * The project on GitLab, by the variables of its CI (https://docs.gitlab.com/ci/variables/predefined_variables/) or by its remote.
 * `GITLAB_TOKEN` goes to `CI_SERVER_URL` alone. The job's own token can read merge requests and their notes on newer instances
 * (https://docs.gitlab.com/ci/jobs/ci_job_token/#job-token-access), so it serves where there is no other.
 */
function gitlabHostOf(env: NodeJS.ProcessEnv, facts: RepositoryFacts | null): CodeHost | NoCodeHost {
  const server = gitlabServer(env);
  if (server === null) return noHost('CI_SERVER_URL is no web address', 'Correct or unset CI_SERVER_URL.');
  const repository = env.CI_PROJECT_PATH || projectAt(server, env, facts);
  if (!repository || !/^[\w.-]+(\/[\w.-]+)+$/.test(repository)) {
    return noHost(`CI_PROJECT_PATH names no project on ${server.host}`, 'Set CI_PROJECT_PATH to the path of the project.');
  }
  const given = env.CI_API_V4_URL || `${server.href.replace(/\/+$/, '')}/api/v4`;
  const api = webAddress(given);
  if (api === null || !belongsTo(api, server)) {
    return noHost(`CI_API_V4_URL is not an address of ${server.host}, whose token would be sent there`, 'Correct or unset CI_API_V4_URL.');
  }
  const isJob = !env.GITLAB_TOKEN && isGitlabJob(env) && Boolean(env.CI_JOB_TOKEN);
  if (!env.GITLAB_TOKEN && !isJob) {
    return {
      lacks: 'token',
      why: `GITLAB_TOKEN is not set, so ${server.host} cannot be asked`,
      fix: 'Set GITLAB_TOKEN to a project access token with the scope `api`.',
    };
  }
  return {
    kind: 'gitlab',
    repository,
    // Some proxies decode the slash of a path that stands for an id.
    project: env.CI_PROJECT_PATH && env.CI_PROJECT_ID ? env.CI_PROJECT_ID : encodeURIComponent(repository),
    isReadOnly: isJob,
    block: {
      api: 'gitlab',
      base_url: given.replace(/\/+$/, ''),
      auth: isJob ? { header: 'JOB-TOKEN', value_env: 'CI_JOB_TOKEN' } : { header: 'PRIVATE-TOKEN', value_env: 'GITLAB_TOKEN' },
    },
  };
}

/** An instance may have a port, and lie below a path. */
const gitlabServer = (env: NodeJS.ProcessEnv): URL | null => webAddress(env.CI_SERVER_URL || 'https://gitlab.com');

function projectAt(server: URL, env: NodeJS.ProcessEnv, facts: RepositoryFacts | null): string | null {
  const remote = facts?.remoteUrl;
  if (!remote) return null;
  // `altssh.gitlab.com` answers for ssh where port 22 is closed.
  const hosts = [server.hostname, `altssh.${server.hostname}`, env.CI_SERVER_SHELL_SSH_HOST];
  const host = remoteHost(remote);
  if (host === null || !hosts.includes(host)) return null;
  const slug = slugOf(remote);
  const root = server.pathname.replace(/^\/+|\/+$/g, '');
  if (slug === null || root === '' || !isWebUrl(remote)) return slug;
  return slug.startsWith(`${root}/`) ? slug.slice(root.length + 1) : null;
}
