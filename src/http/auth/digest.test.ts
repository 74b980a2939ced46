import { describe, expect, it } from 'vitest';
import { chooseChallenge, parseChallenges, unanswerable } from './digest-challenge.ts';
import { digestHeader } from './digest-response.ts';

const mufasa = {
  user: 'Mufasa',
  password: 'Circle of Life',
  method: 'GET',
  uri: '/dir/index.html',
  count: 1,
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
};
const lion = (algorithm: string) =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`;

function answer(header: string, request: Partial<typeof mufasa> = {}): ReadonlyMap<string, string> {
  const challenge = chooseChallenge(header);
  if (!challenge) throw new Error('no challenge was chosen');
  return parseChallenges(digestHeader(challenge, { ...mufasa, ...request }))[0]?.params ?? new Map();
}
const response = (header: string, request: Partial<typeof mufasa> = {}) => answer(header, request).get('response');

describe('the answer to a challenge', () => {
  // RFC 7616, section 3.9.1.
  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('is the published one for %s', (algorithm, expected) => {
    expect(digestHeader(chooseChallenge(lion(algorithm)) ?? never(), mufasa)).toBe(
      `Digest username="Mufasa", realm="http-auth@example.org", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", uri="/dir/index.html", algorithm=${algorithm}, qop=auth, nc=00000001, cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", response="${expected}", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`,
    );
  });

  // RFC 7616, section 3.9.2, with the values of its erratum 4897. The printed values are those of another hash.
  it('is the published one for SHA-512-256 with a hashed user name', () => {
    const header =
      'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true';
    const jason = {
      user: 'J\u00e4s\u00f8n Doe',
      password: 'Secret, or not?',
      uri: '/doe.json',
      cnonce: 'NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v',
    };
    const given = answer(header, jason);
    expect(given.get('username')).toBe('793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b');
    expect(given.get('response')).toBe('3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5');
    expect(given.get('userhash')).toBe('true');
    const plain = answer(header.replace('userhash=true', 'userhash=false'), jason);
    expect(plain.get('username*')).toBe("UTF-8''J%C3%A4s%C3%B8n%20Doe");
    expect(plain.get('response')).toBe(given.get('response'));
    expect(plain.has('username')).toBe(false);
  });

  // RFC 2617, section 3.5.
  it('is the published one without an algorithm, which means MD5', () => {
    const header =
      'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"';
    const given = answer(header, { password: 'Circle Of Life', cnonce: '0a4f113b' });
    expect(given.get('response')).toBe('6629fae49393a05397450978507c4ef1');
    expect(given.has('algorithm')).toBe(false);
  });

  it('is the short one without a quality of protection, even where that word is misspelt', () => {
    const header = 'Digest realm="MMS Public API", domain="", nonce="a+b/c=", algorithm=MD5, op="auth", stale=false';
    const given = answer(header);
    // H(H(Mufasa:MMS Public API:Circle of Life):a+b/c=:H(GET:/dir/index.html)), computed by another program.
    expect(given.get('response')).toBe('6cac83daa7c57ddfa0544b83216c5659');
    for (const name of ['qop', 'nc', 'cnonce']) expect(given.has(name)).toBe(false);
  });

  it('mixes nonce and cnonce into the key for an algorithm that ends in -sess', () => {
    // Another program computed this too: the documents give no example.
    expect(response(lion('MD5-sess'))).toBe('e783283f46242139c486a698fec7211d');
    expect(response(lion('SHA-256-sess'))).toBe('2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7');
    const short = answer(lion('MD5-sess').replace('qop="auth, auth-int", ', ''));
    expect(short.get('cnonce')).toBe(mufasa.cnonce);
    expect(short.has('qop')).toBe(false);
  });

  it('counts in hexadecimal, and hashes path and query as they are sent', () => {
    expect(answer(lion('MD5'), { count: 4660 }).get('nc')).toBe('00001234');
    expect(response(lion('MD5'), { count: 2 })).not.toBe(response(lion('MD5')));
    const asked = answer(lion('MD5'), { uri: '/a%2Fb?x=1,2' });
    expect(asked.get('uri')).toBe('/a%2Fb?x=1,2');
    expect(response(lion('MD5'), { uri: '/a/b?x=1,2' })).not.toBe(asked.get('response'));
  });

  it('quotes what would end a quoted text', () => {
    const header = digestHeader(chooseChallenge('Digest realm="a \\"b\\" \\\\ c", nonce="n"') ?? never(), { ...mufasa, user: 'x"y' });
    expect(header).toContain('username="x\\"y", realm="a \\"b\\" \\\\ c"');
    expect(parseChallenges(header)[0]?.params.get('realm')).toBe('a "b" \\ c');
  });
});

describe('the challenges of a refusal', () => {
  it('are told apart whatever stands inside of their quotes', () => {
    const header =
      'Negotiate, Basic realm="a, Digest nonce=x", NTLM TlRMTVNTUAAC==, Digest realm="b=c, d", nonce="q+/=", qop="auth,auth-int" ,, DIGEST nonce=n2, algorithm = SHA-256';
    expect(parseChallenges(header).map(({ scheme, params }) => [scheme, Object.fromEntries(params)])).toEqual([
      ['negotiate', {}],
      ['basic', { realm: 'a, Digest nonce=x' }],
      ['ntlm', {}],
      ['digest', { realm: 'b=c, d', nonce: 'q+/=', qop: 'auth,auth-int' }],
      ['digest', { nonce: 'n2', algorithm: 'SHA-256' }],
    ]);
  });

  it('end at once where they cannot be read', () => {
    for (const junk of [
      '',
      ',,,',
      '"',
      '=',
      'Digest "',
      'Digest nonce="never closed',
      '\\,"\u00e4',
      '('.repeat(20_000),
      'a '.repeat(20_000),
    ]) {
      expect(chooseChallenge(junk)).toBeNull();
    }
  });

  it.each([
    [`${lion('MD5')}, ${lion('SHA-256')}`, 'SHA-256'],
    [`${lion('SHA-256')}, ${lion('MD5')}`, 'SHA-256'],
    [`${lion('SHA-256')}, ${lion('SHA-512-256')}, ${lion('MD5')}`, 'SHA-512-256'],
    [`${lion('SHA-1024')}, ${lion('md5-SESS')}`, 'md5-SESS'],
    [`${lion('"SHA-256"')}`, 'SHA-256'],
    [`Basic realm="x", ${lion('MD5')}`, 'MD5'],
    [`${lion('SHA-256').replace('auth, auth-int', 'auth-int')}, ${lion('MD5')}`, 'MD5'],
  ])('of %s the client takes the strongest that it can answer', (header, algorithm) => {
    expect(chooseChallenge(header)?.algorithm).toBe(algorithm);
  });

  it.each([
    [undefined, 'without any challenge'],
    ['Basic realm="x", Bearer', 'it offers basic, bearer'],
    [lion('SHA-1024'), 'a Digest challenge for SHA-1024, which'],
    [lion('MD5').replace('auth, auth-int', 'auth-int'), 'for the quality of protection auth-int alone'],
    ['Digest realm="x"', 'holds no nonce'],
  ])('lead to an error that says why none can be answered: %s', (header, words) => {
    expect(chooseChallenge(header ?? '')).toBeNull();
    expect(unanswerable(header)).toContain(words);
  });
});

function never(): never {
  throw new Error('no challenge was chosen');
}
