import { expect, it } from 'vitest';
import { slugOf, stripUserinfo, stripUserinfoInText, transportOf, userinfoOf } from './git-url.ts';

it('cuts user and password out of a remote address and leaves the rest', () => {
  const addresses = {
    'https://u:p@example.org/o/r.git': 'https://example.org/o/r.git',
    'https://token@example.org/o/r': 'https://example.org/o/r',
    'https://u:p%40%2F@example.org:8443/o/r.git': 'https://example.org:8443/o/r.git',
    'https://example.org/o/r.git': 'https://example.org/o/r.git',
    'ssh://git@example.org/o/r.git': 'ssh://git@example.org/o/r.git',
    'ssh://git:word@example.org/o/r.git': 'ssh://git@example.org/o/r.git',
    'git@example.org:o/r.git': 'git@example.org:o/r.git',
    '/srv/git/r.git': '/srv/git/r.git',
    'file:///srv/git/r.git': 'file:///srv/git/r.git',
    'https://u:p@bad host/o/r.git': 'https://bad host/o/r.git',
  };
  for (const [from, to] of Object.entries(addresses)) expect(stripUserinfo(from)).toBe(to);
});

it('cuts user info out of every address in a message', () => {
  const text = "fatal: unable to access 'https://u:p@example.org/r.git/' via http://x:y@proxy:3128";
  expect(stripUserinfoInText(text)).toBe("fatal: unable to access 'https://example.org/r.git/' via http://proxy:3128");
});

it('reads user info decoded', () => {
  expect(userinfoOf('https://u:p%40@example.org/r')).toEqual({ user: 'u', password: 'p@' });
  expect(userinfoOf('https://example.org/r')).toBeNull();
  expect(userinfoOf('git@example.org:o/r')).toBeNull();
});

it('knows owner and repository of a hosted remote', () => {
  expect(slugOf('https://u:p@example.org/o/r.git')).toBe('o/r');
  expect(slugOf('git@example.org:group/sub/r.git')).toBe('group/sub/r');
  expect(slugOf('ssh://git@example.org:22/o/r')).toBe('o/r');
  expect(slugOf('/srv/git/r.git')).toBeNull();
  expect(slugOf('file:///srv/git/r.git')).toBeNull();
  expect(slugOf('C:\\git\\r')).toBeNull();
});

it.each([
  ['https://example.org/o/r.git', 'web'],
  ['http://127.0.0.1:8080/r.git', 'web'],
  ['HTTPS://example.org/r', 'web'],
  ['ssh://git@example.org:22/o/r', 'ssh'],
  ['git+ssh://git@example.org/o/r', 'ssh'],
  ['git@example.org:o/r.git', 'ssh'],
  ['example:o/r.git', 'ssh'],
  ['[::1]:o/r.git', 'ssh'],
  ['file:///srv/git/r.git', 'folder'],
  ['/srv/git/r.git', 'folder'],
  ['../r.git', 'folder'],
  ['./a:b', 'folder'],
  ['C:\\git\\r', 'folder'],
  ['ext::sh -c "touch x"', null],
  ['EXT::sh', null],
  ['fd::17', null],
  ['my-helper::https://example.org/r', null],
  ['git://example.org/r.git', null],
  ['ftp://example.org/r.git', null],
  ['--upload-pack=touch x', null],
  ['-oProxyCommand=x:r', null],
  ['ssh://-oProxyCommand=x/r', null],
  ['ssh://git@-oProxyCommand=x/r', null],
  ['https://a%0ahost=example.org@127.0.0.1/r', null],
  ['https://example.org/r\nhost=other.org', null],
])('knows the transport of %j', (url, transport) => {
  expect(transportOf(url)).toBe(transport);
});
