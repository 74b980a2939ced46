import { describe, expect, it } from 'vitest';
import { originOf } from './code-host.ts';

const named = (url: string | null, env: NodeJS.ProcessEnv = {}): string => {
  const origin = originOf(url, env);
  return origin.host === 'other' ? 'other' : `${origin.host} ${origin.server} ${origin.slug}`;
};

describe('the host of a remote', () => {
  it.each([
    ['git@github.com:acme/shop.git', 'github github.com acme/shop'],
    ['https://github.com/acme/shop', 'github github.com acme/shop'],
    ['ssh://git@ssh.github.com:443/acme/shop.git', 'github github.com acme/shop'],
    ['https://acme.ghe.com/acme/shop.git', 'github acme.ghe.com acme/shop'],
    ['git@github.acme.example:tools/shop.git', 'github github.acme.example tools/shop'],
    ['https://code-github.acme.example:8443/tools/shop', 'github code-github.acme.example:8443 tools/shop'],
    ['git@gitlab.com:acme/web/shop.git', 'gitlab gitlab.com acme/web/shop'],
    ['ssh://git@gitlab.acme.example:2222/web/shop.git', 'gitlab gitlab.acme.example web/shop'],
    ['git@bitbucket.org:acme/shop.git', 'other'],
    ['https://notgithub.example/acme/shop', 'other'],
    ['https://example.com/github/shop', 'other'],
    ['/srv/git/shop.git', 'other'],
    [null, 'other'],
  ])('of %s is %s', (url, host) => {
    expect(named(url)).toBe(host);
  });

  it('is recognised by the variables of its programs for a self-hosted server', () => {
    expect(named('git@code.acme.example:a/b.git', { GH_HOST: 'code.acme.example' })).toBe('github code.acme.example a/b');
    expect(named('git@code.acme.example:a/b.git', { GITHUB_SERVER_URL: 'https://code.acme.example' })).toBe('github code.acme.example a/b');
    expect(named('git@code.acme.example:a/b.git', { GITLAB_HOST: 'https://code.acme.example' })).toBe('gitlab code.acme.example a/b');
    expect(named('git@code.acme.example:a/b.git', { GH_HOST: 'other.example', GITLAB_HOST: '' })).toBe('other');
  });
});

describe('the commands', () => {
  it('hold the name and the repository, and never the value', () => {
    const origin = originOf('git@gitlab.acme.example:web/shop.git', {});
    if (origin.host === 'other') throw new Error('it is known');
    expect(origin.cli.set('A_KEY', 'se$cret')).toEqual(
      'glab variable set A_KEY --repo https://gitlab.acme.example/web/shop --masked --raw'.split(' '),
    );
  });
});
