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
const token = { GITHUB_TOKEN: 'ghs_x' };
const asked = (env: NodeJS.ProcessEnv, remote: string | null = null): string => {
  const host = codeHostOf(env, remote === null ? null : checkout(remote));
  return isCodeHost(host) ? `${host.block.base_url} ${host.repository}` : host.why;
};

describe('pilotfish asks for pull requests', () => {
  it.each<[NodeJS.ProcessEnv, string | null, string]>([
    [{ GITHUB_REPOSITORY: 'acme/shop' }, null, 'https://api.github.com acme/shop'],
    [{}, 'https://github.com/acme/shop.git', 'https://api.github.com acme/shop'],
    [{}, 'git@github.com:acme/shop.git', 'https://api.github.com acme/shop'],
    [{}, 'ssh://git@ssh.github.com:443/acme/shop.git', 'https://api.github.com acme/shop'],
    [{ GITHUB_SERVER_URL: 'https://git.acme.example' }, 'https://git.acme.example/acme/shop', 'https://git.acme.example/api/v3 acme/shop'],
    [{ GITHUB_SERVER_URL: 'https://acme.ghe.com', GITHUB_REPOSITORY: 'acme/shop' }, null, 'https://api.acme.ghe.com acme/shop'],
    [
      {
        GITHUB_SERVER_URL: 'https://code.acme.example',
        GITHUB_API_URL: 'https://code.acme.example/api/v1/',
        GITHUB_REPOSITORY: 'acme/shop',
      },
      null,
      'https://code.acme.example/api/v1 acme/shop',
    ],
    [
      { GITHUB_SERVER_URL: 'http://127.0.0.1:3000', GITHUB_API_URL: 'http://localhost:3001', GITHUB_REPOSITORY: 'acme/shop' },
      null,
      'http://localhost:3001 acme/shop',
    ],
  ])('with %j and the remote %s at %s', (env, remote, where) => {
    expect(asked({ ...token, ...env }, remote)).toBe(where);
    expect(asked({ ...env, GH_TOKEN: 'gho_x' }, remote)).toBe(where);
    expect(asked({ ...env, GITHUB_TOKEN: '' }, remote)).toContain('GITHUB_TOKEN is not set');
  });
});

it('pilotfish asks the code host with the token of the job, where the workflow has mapped another one for a provider', () => {
  const host = codeHostOf({ GITHUB_REPOSITORY: 'acme/shop', GITHUB_TOKEN: 'ghp_webhooks', PILOTFISH_JOB_TOKEN: 'ghs_job' }, null);
  expect(isCodeHost(host) && host.block.auth).toEqual({ bearer_env: 'PILOTFISH_JOB_TOKEN' });
});

describe('a token is not sent', () => {
  it.each<[NodeJS.ProcessEnv, string | null, string]>([
    [{}, 'https://gitlab.com/acme/shop.git', 'GITLAB_TOKEN is not set'],
    [{}, 'git@gitlab.com:acme/shop.git', 'GITLAB_TOKEN is not set'],
    [{}, 'git@bitbucket.org:acme/shop.git', 'is not on github.com'],
    [{}, 'https://github.com.evil.example/acme/shop.git', 'is not on github.com'],
    [{}, '/srv/git/shop.git', 'is not on github.com'],
    [{}, null, 'is not on github.com'],
    [{ GITHUB_REPOSITORY: 'a/b/c' }, null, 'is not on github.com'],
    [{ GITHUB_REPOSITORY: '../shop/..' }, null, 'is not on github.com'],
    [
      { GITHUB_REPOSITORY: 'acme/shop', GITHUB_API_URL: 'https://api.evil.example' },
      null,
      'GITHUB_API_URL is not an address of github.com',
    ],
    [{ GITHUB_REPOSITORY: 'acme/shop', GITHUB_API_URL: 'http://api.github.com' }, null, 'GITHUB_API_URL'],
    [{ GITHUB_REPOSITORY: 'acme/shop', GITHUB_API_URL: 'http://127.0.0.1:1' }, null, 'GITHUB_API_URL'],
    [{ GITHUB_REPOSITORY: 'acme/shop', GITHUB_API_URL: 'nonsense' }, null, 'GITHUB_API_URL'],
    [{ GITHUB_REPOSITORY: 'acme/shop', GITHUB_SERVER_URL: 'ftp://x' }, null, 'GITHUB_SERVER_URL'],
  ])('with %j and the remote %s', (env, remote, why) => {
    expect(asked({ ...token, ...env }, remote)).toContain(why);
  });
});
