import { describe, expect, it } from 'vitest';
import { linkTo, outputLink } from './inert.ts';

describe('an address becomes a link', () => {
  it('and shows where it leads', () => {
    expect(linkTo('https://shop.example.app/a_b?c=d&e=f#g')).toBe(
      '<a href="https://shop.example.app/a&#95;b?c=d&#38;e=f&#35;g"><code>https&#58;<wbr>&#47;&#47;shop.example.app&#47;a&#95;b&#63;c&#61;d&#38;e&#61;f&#35;g</code></a>',
    );
    expect(linkTo('http://localhost:3000')).toContain('href="http://localhost:3000"');
    expect(linkTo('https://ci.example.com/1', 'Run')).toBe('<a href="https://ci.example.com/1">Run</a>');
  });

  it.each([
    ['another scheme', 'javascript:alert(1)'],
    ['another scheme with slashes', 'ftp://example.com/a'],
    ['data', 'data:text/html,<b>'],
    ['a user name that looks like a host', 'https://example.com@evil.test/'],
    ['letters that look like others', 'https://ex\u0430mple.com/'],
    ['a host in upper case, which is another text than what opens', 'https://EXAMPLE.com/'],
    ['a quote', 'https://example.com/"onclick="x'],
    ['a space', 'https://example.com/a b'],
    ['a line break', 'https://example.com/\n::set-output'],
    ['a backslash', 'https://example.com\\@evil.test'],
    ['a path that a browser shortens', 'https://example.com/a/../b'],
    ['what a log may take for a command', 'https://example.com/::set-env'],
    ['an IPv6 address', 'https://[::1]/'],
    ['an empty host', 'https:///a'],
    ['a port that is none', 'https://example.com:99999/'],
    ['far too much', `https://example.com/${'a'.repeat(2_000)}`],
    ['a bidi mark', 'https://example.com/\u202etxt'],
    ['a bracket and a pipe', 'https://example.com/[a](b)|c'],
  ])('unless it has %s', (_, url) => {
    expect(linkTo(url)).toBeNull();
  });

  it('but an output does not link to a code host, which would notify the other side', () => {
    const run = 'https://git.acme.test/acme/shop/actions/runs/1';
    expect(outputLink('https://github.com/torvalds/linux/pull/1', run)).toBeNull();
    expect(outputLink('https://gist.github.com/a', run)).toBeNull();
    expect(outputLink('https://gitlab.com/a/b/-/issues/1', run)).toBeNull();
    expect(outputLink('https://git.acme.test/acme/shop/pull/7', run)).toBeNull();
    expect(outputLink('https://shop.example.app/', run)).not.toBeNull();
    expect(outputLink('https://notgithub.com/', null)).not.toBeNull();
  });
});
