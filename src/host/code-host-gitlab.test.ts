import { describe, expect, it } from 'vitest';
import type { RepositoryFacts } from '../platform/checkout.ts';
import { codeHostOf, isCodeHost } from './code-host.ts';

const checkout = (remoteUrl: string): RepositoryFacts => ({
  top: '/shop',
  gitDir: '/shop/.git',
  commonDir: '/shop/.git',
  remoteUrl,
  remote: null,
  sha: null,
  branch: null,
  shallow: false,
  objectFormat: 'sha1',
  slug: null,
});
const asked = (env: NodeJS.ProcessEnv, remote: string | null = null): string => {
  const host = codeHostOf(env, remote === null ? null : checkout(remote));
  if (!isCodeHost(host)) return host.why;
  const auth = host.block.auth;
  const token = auth && 'value_env' in auth ? `${auth.header}: ${auth.value_env}` : 'GitHub';
  return `${host.block.base_url} ${host.repository} ${token}${host.isReadOnly ? ', reads' : ''}`;
};
const token = { GITLAB_TOKEN: 'glpat-x' };
/** Variables of every job. */
const job = {
  GITLAB_CI: 'true',
  CI_SERVER_URL: 'https://gitlab.com',
  CI_API_V4_URL: 'https://gitlab.com/api/v4',
  CI_PROJECT_PATH: 'acme/web/shop',
  CI_PROJECT_ID: '42',
  CI_JOB_TOKEN: 'glcbt-x',
};
const own = { CI_SERVER_URL: 'https://git.acme.example:8443/code', CI_API_V4_URL: 'https://git.acme.example:8443/code/api/v4' };

describe('pilotfish asks for merge requests', () => {
  it.each<[NodeJS.ProcessEnv, string | null, string]>([
    [job, null, 'https://gitlab.com/api/v4 acme/web/shop'],
    [{ ...job, ...own }, null, 'https://git.acme.example:8443/code/api/v4 acme/web/shop'],
    [
      { ...own, CI_API_V4_URL: '' },
      'https://git.acme.example:8443/code/acme/shop.git',
      'https://git.acme.example:8443/code/api/v4 acme/shop',
    ],
    [own, 'git@git.acme.example:acme/shop.git', 'https://git.acme.example:8443/code/api/v4 acme/shop'],
    [
      { CI_SERVER_URL: 'https://git.acme.example', CI_SERVER_SHELL_SSH_HOST: 'ssh.acme.example' },
      'ssh://git@ssh.acme.example:2222/acme/shop.git',
      'https://git.acme.example/api/v4 acme/shop',
    ],
    [{}, 'https://gitlab.com/acme/shop.git', 'https://gitlab.com/api/v4 acme/shop'],
    [{}, 'git@gitlab.com:acme/web/shop.git', 'https://gitlab.com/api/v4 acme/web/shop'],
    [{}, 'ssh://git@altssh.gitlab.com:443/acme/shop.git', 'https://gitlab.com/api/v4 acme/shop'],
    [
      { ...job, CI_SERVER_URL: 'http://localhost:3000', CI_API_V4_URL: 'http://127.0.0.1:3001/gitlab/api/v4/' },
      null,
      'http://127.0.0.1:3001/gitlab/api/v4 acme/web/shop',
    ],
  ])('with %j and the remote %s at %s', (env, remote, where) => {
    expect(asked({ ...env, ...token }, remote)).toBe(`${where} PRIVATE-TOKEN: GITLAB_TOKEN`);
    const isJob = env.GITLAB_CI === 'true';
    expect(asked(env, remote)).toEqual(
      isJob ? `${where} JOB-TOKEN: CI_JOB_TOKEN, reads` : expect.stringContaining('GITLAB_TOKEN is not set'),
    );
  });

  it('by the id of the project, or by its path in one piece', () => {
    const projectOf = (env: NodeJS.ProcessEnv, remote: string | null = null): unknown => {
      const host = codeHostOf({ ...env, ...token }, remote === null ? null : checkout(remote));
      return isCodeHost(host) && host.project;
    };
    expect(projectOf(job)).toBe('42');
    expect(projectOf({}, 'https://gitlab.com/acme/web/shop.git')).toBe('acme%2Fweb%2Fshop');
  });
});

describe('a token of GitLab is not sent', () => {
  it.each<[NodeJS.ProcessEnv, string | null, string]>([
    [{ ...job, CI_API_V4_URL: 'https://api.evil.example/api/v4' }, null, 'CI_API_V4_URL is not an address of gitlab.com'],
    [{ ...job, CI_API_V4_URL: 'http://gitlab.com/api/v4' }, null, 'CI_API_V4_URL'],
    [{ ...job, CI_API_V4_URL: 'http://127.0.0.1:1/api/v4' }, null, 'CI_API_V4_URL'],
    [{ ...job, CI_SERVER_URL: 'https://git.acme.example' }, null, 'CI_API_V4_URL is not an address of git.acme.example'],
    [{ ...job, CI_SERVER_URL: 'http://git.acme.example', CI_API_V4_URL: '' }, null, 'CI_API_V4_URL'],
    [{ ...job, CI_SERVER_URL: 'ftp://x' }, null, 'CI_SERVER_URL'],
    [{ ...job, CI_PROJECT_PATH: 'shop' }, null, 'CI_PROJECT_PATH'],
    [{ ...job, CI_PROJECT_PATH: 'acme/../shop?x' }, null, 'CI_PROJECT_PATH'],
    [{}, 'https://gitlab.com.evil.example/acme/shop.git', 'is not on github.com'],
    [own, 'https://git.acme.example:8443/other/shop.git', 'is not on github.com'],
    [own, 'https://gitlab.com/acme/shop.git', 'is not on github.com'],
    [{}, 'https://github.com/acme/shop.git', 'GITHUB_TOKEN is not set'],
    [{ ...job, GITHUB_REPOSITORY: 'acme/shop' }, null, 'GITHUB_TOKEN is not set'],
    [{ ...job, GITHUB_ACTIONS: 'true' }, 'https://github.com/acme/shop.git', 'GITHUB_TOKEN is not set'],
  ])('with %j and the remote %s', (env, remote, why) => {
    expect(asked({ ...env, ...token }, remote)).toContain(why);
  });
});
