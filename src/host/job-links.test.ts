import { describe, expect, it } from 'vitest';
import { jobLinks, repositoryLinks } from './job-links.ts';

describe('the links to a job', () => {
  it.each<[NodeJS.ProcessEnv, string | null, string | null]>([
    [
      { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'acme/shop', GITHUB_RUN_ID: '4711' },
      'https://github.com/acme/shop/actions/runs/4711',
      'https://github.com/acme/shop/actions/runs/4711#artifacts',
    ],
    [
      { GITHUB_SERVER_URL: 'https://git.acme.example:8443/', GITHUB_REPOSITORY: 'acme/shop', GITHUB_RUN_ID: '1' },
      'https://git.acme.example:8443/acme/shop/actions/runs/1',
      'https://git.acme.example:8443/acme/shop/actions/runs/1#artifacts',
    ],
    [
      { CI_JOB_URL: 'https://gitlab.example/acme/shop/-/jobs/9' },
      'https://gitlab.example/acme/shop/-/jobs/9',
      'https://gitlab.example/acme/shop/-/jobs/9/artifacts/browse',
    ],
    [{}, null, null],
    [{ GITHUB_REPOSITORY: 'acme/shop', GITHUB_RUN_ID: '../x' }, null, null],
    [{ GITHUB_REPOSITORY: 'acme', GITHUB_RUN_ID: '1' }, null, null],
    [{ GITHUB_SERVER_URL: 'javascript:x', GITHUB_REPOSITORY: 'acme/shop', GITHUB_RUN_ID: '1' }, null, null],
    [{ CI_JOB_URL: 'nonsense' }, null, null],
  ])('of %j', (env, run, artifacts) => {
    expect(jobLinks(env)).toEqual({ run, artifacts });
  });
});

describe('the links into the repository', () => {
  const commit = 'c0ffee'.padEnd(40, '0');

  it.each<[NodeJS.ProcessEnv, string | undefined]>([
    [{ GITHUB_REPOSITORY: 'acme/shop' }, 'https://github.com/acme/shop'],
    [{ GITHUB_SERVER_URL: 'https://git.acme.example', GITHUB_REPOSITORY: 'acme/shop' }, 'https://git.acme.example/acme/shop'],
    [{ CI_PROJECT_URL: 'https://gitlab.example/a/b/shop' }, 'https://gitlab.example/a/b/shop/-'],
    [{}, undefined],
    [{ GITHUB_SERVER_URL: 'javascript:x', GITHUB_REPOSITORY: 'acme/shop' }, undefined],
  ])('of %j', (env, base) => {
    const links = repositoryLinks(env);
    expect(links?.file(commit, 'apps/web/release.plan.yaml')).toBe(base && `${base}/blob/${commit}/apps/web/release.plan.yaml`);
    expect(links?.branch('pilotfish-receipts/preview/pr-12')).toBe(base && `${base}/tree/pilotfish-receipts/preview/pr-12`);
  });

  it.each(['../x', 'a/../b', '/a', 'a b', 'a?b', 'a#b', 'a//b', ''])('%j is no part of an address', (path) => {
    const links = repositoryLinks({ GITHUB_REPOSITORY: 'acme/shop' });
    expect([links?.file(commit, path), links?.branch(path), links?.file('main', 'x')]).toEqual([null, null, null]);
  });
});
