import { describe, expect, it } from 'vitest';
import { jobLinks } from './job-links.ts';

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
