import { door } from '../core/door.ts';
import type { ProviderBlock } from '../http/types.ts';
import type { RepositoryFacts } from '../platform/checkout.ts';
import { isWebUrl, slugOf } from '../platform/git-url.ts';
import { belongsTo, isGitlabJob, remoteHost, webAddress } from './addresses.ts';

/** The API that answers for pull requests, with the variable of the token that may be sent there. */
export interface CodeHost {
  /** The API that the host speaks. */
  readonly kind: 'github' | 'gitlab';
  readonly block: ProviderBlock;
  /** `owner/repo`, on GitLab with every group. */
  readonly repository: string;
  /** How the API of GitLab names the project. */
  readonly project?: string;
  /** True where the token can only read pull requests and comments. */
  readonly isReadOnly?: boolean;
}

/** Why no code host can be asked, in words for people, and the one thing that would change that. */
export interface NoCodeHost {
  readonly why: string;
  readonly fix: string;
  readonly lacks: 'token' | 'host';
}

/**
 * The code host of this repository, as the variables of its CI name it. GitHub's token is for `GITHUB_SERVER_URL` alone: it never goes to
 * another host, neither for a repository that lives elsewhere nor for an API address there.
 */
export function codeHostOf(env: NodeJS.ProcessEnv, facts: RepositoryFacts | null): CodeHost | NoCodeHost {
  if (isOnGitlab(env, facts)) return gitlabHostOf(env, facts);
  const server = webAddress(env.GITHUB_SERVER_URL || 'https://github.com');
  if (server === null) return noHost('GITHUB_SERVER_URL is not a web address', 'Correct or unset GITHUB_SERVER_URL.');
  const repository = env.GITHUB_REPOSITORY || repositoryAt(server, facts);
  if (!repository || !/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    return noHost(
      `the repository is not on ${server.host}, and pilotfish cannot ask other hosts for pull requests`,
      `Name the scope with ${door.named('scope')}. If your own server is a GitLab, set CI_SERVER_URL. If it speaks the API of GitHub, set GITHUB_SERVER_URL and GITHUB_REPOSITORY.`,
    );
  }
  const given = env.GITHUB_API_URL || defaultApi(server);
  const api = webAddress(given);
  if (api === null || !belongsTo(api, server, [`api.${server.host}`])) {
    return noHost(
      `GITHUB_API_URL is not an address of ${server.host}, so the token must not be sent there`,
      'Correct or unset GITHUB_API_URL.',
    );
  }
  const token = hostTokens.find((name) => env[name]);
  if (token === undefined) {
    return {
      lacks: 'token',
      why: `GITHUB_TOKEN is not set, so pilotfish cannot ask ${server.host}`,
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
 * Variables that may hold the host's token. The action sets the first one, because a workflow may map another token to GITHUB_TOKEN, which
 * writes webhooks and nothing else.
 */
const hostTokens = ['PILOTFISH_JOB_TOKEN', 'GITHUB_TOKEN', 'GH_TOKEN'] as const;

export const isCodeHost = (host: CodeHost | NoCodeHost): host is CodeHost => 'block' in host;

const noHost = (why: string, fix: string): NoCodeHost => ({ lacks: 'host', why, fix });

/** The API of the cloud host has a host of its own. The API of an own server lies below its address. */
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

/** Whether the repository lives on GitLab. A job of GitLab CI says so; elsewhere the remote does. */
function isOnGitlab(env: NodeJS.ProcessEnv, facts: RepositoryFacts | null): boolean {
  // A mirror whose pull requests are on GitHub sets these variables.
  if (env.GITHUB_REPOSITORY || env.GITHUB_ACTIONS === 'true') return false;
  if (isGitlabJob(env)) return true;
  const server = gitlabServer(env);
  return server !== null && projectAt(server, env, facts) !== null;
}

/**
 * The project on GitLab, by the variables of its CI (https://docs.gitlab.com/ci/variables/predefined_variables/) or by its remote.
 * `GITLAB_TOKEN` goes to `CI_SERVER_URL` alone. The job's own token can read merge requests and their notes on newer instances
 * (https://docs.gitlab.com/ci/jobs/ci_job_token/#job-token-access), so that token serves where no other one is set.
 */
function gitlabHostOf(env: NodeJS.ProcessEnv, facts: RepositoryFacts | null): CodeHost | NoCodeHost {
  const server = gitlabServer(env);
  if (server === null) return noHost('CI_SERVER_URL is not a web address', 'Correct or unset CI_SERVER_URL.');
  const repository = env.CI_PROJECT_PATH || projectAt(server, env, facts);
  if (!repository || !/^[\w.-]+(\/[\w.-]+)+$/.test(repository)) {
    return noHost(`CI_PROJECT_PATH names no project on ${server.host}`, 'Set CI_PROJECT_PATH to the path of the project.');
  }
  const given = env.CI_API_V4_URL || `${server.href.replace(/\/+$/, '')}/api/v4`;
  const api = webAddress(given);
  if (api === null || !belongsTo(api, server)) {
    return noHost(
      `CI_API_V4_URL is not an address of ${server.host}, so the token must not be sent there`,
      'Correct or unset CI_API_V4_URL.',
    );
  }
  const isJob = !env.GITLAB_TOKEN && isGitlabJob(env) && Boolean(env.CI_JOB_TOKEN);
  if (!env.GITLAB_TOKEN && !isJob) {
    return {
      lacks: 'token',
      why: `GITLAB_TOKEN is not set, so pilotfish cannot ask ${server.host}`,
      fix: 'Set GITLAB_TOKEN to a project access token with the scope `api`.',
    };
  }
  return {
    kind: 'gitlab',
    repository,
    // The id is safer than the path: some proxies decode the slash of a path.
    project: env.CI_PROJECT_PATH && env.CI_PROJECT_ID ? env.CI_PROJECT_ID : encodeURIComponent(repository),
    isReadOnly: isJob,
    block: {
      api: 'gitlab',
      base_url: given.replace(/\/+$/, ''),
      auth: isJob ? { header: 'JOB-TOKEN', value_env: 'CI_JOB_TOKEN' } : { header: 'PRIVATE-TOKEN', value_env: 'GITLAB_TOKEN' },
    },
  };
}

/** The server of the instance, which may have a port and lie below a path. */
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
