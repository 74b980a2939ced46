import type { RepositoryFacts } from '../platform/checkout.ts';
import { isWebUrl, slugOf } from '../platform/git-url.ts';
import { belongsTo, remoteHost, webAddress } from './addresses.ts';
import type { CodeHost, NoCodeHost } from './code-host.ts';
import { isGitlabJob } from './gitlab-job.ts';

/** Whether the repository lives on GitLab: a job of GitLab CI says so, elsewhere its remote does. */
export function isOnGitlab(env: NodeJS.ProcessEnv, facts: RepositoryFacts | null): boolean {
  // A mirror whose pull requests are on GitHub says where they are.
  if (env.GITHUB_REPOSITORY || env.GITHUB_ACTIONS === 'true') return false;
  if (isGitlabJob(env)) return true;
  const server = serverOf(env);
  return server !== null && repositoryAt(server, env, facts) !== null;
}

/**
 * The project on GitLab, by the variables of its CI (https://docs.gitlab.com/ci/variables/predefined_variables/) or by its remote.
 * `GITLAB_TOKEN` goes to `CI_SERVER_URL` alone. The job's own token can read merge requests and their notes on newer instances
 * (https://docs.gitlab.com/ci/jobs/ci_job_token/#job-token-access), so it serves where there is no other.
 */
export function gitlabHostOf(env: NodeJS.ProcessEnv, facts: RepositoryFacts | null): CodeHost | NoCodeHost {
  const server = serverOf(env);
  if (server === null) return noHost('CI_SERVER_URL is no web address', 'Correct or unset CI_SERVER_URL.');
  const repository = env.CI_PROJECT_PATH || repositoryAt(server, env, facts);
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

const noHost = (why: string, fix: string): NoCodeHost => ({ lacks: 'host', why, fix });

/** An instance may have a port, and lie below a path. */
const serverOf = (env: NodeJS.ProcessEnv): URL | null => webAddress(env.CI_SERVER_URL || 'https://gitlab.com');

function repositoryAt(server: URL, env: NodeJS.ProcessEnv, facts: RepositoryFacts | null): string | null {
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
