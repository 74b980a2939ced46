import { expect, it } from 'vitest';
import { readAll } from '../../../../test/support/readings.ts';
import { addressReaders } from './addresses.ts';

const hintsIn = async (path: string, text: string): Promise<readonly (readonly [string, boolean])[]> => {
  const readings = await readAll(addressReaders, path, text, { hosts: ['.media.com', 'api.pay.com', 'search.com'] });
  return readings.flatMap(({ facts = [] }) => facts.map(({ name, isHint }) => [name, isHint === true] as const));
};

it.each<[string, string]>([
  ['netlify.toml', 'Content-Security-Policy = """\n  script-src \'self\'\n  https://api.pay.com\n  https://x.org;\n"""'],
  ['config/initializers/security.rb', 'policy.frame_src :self,\n  "https://api.pay.com",\n  "https://x.org"'],
  ['src/helmet.ts', "contentSecurityPolicy: { directives: { connectSrc: [\"'self'\",\n 'https://api.pay.com'] } }"],
  ['config/content_security_policy.php', "$hosts = ['https://api.pay.com'];"],
  ['next.config.js', "images: { remotePatterns: [\n  { protocol: 'https',\n    hostname: 'api.pay.com' },\n] }"],
  ['next.config.mjs', "const REMOTE_PATTERNS = [\n  'x.org',\n  'api.pay.com',\n];"],
  ['app/settings.py', 'ALLOWED_HOSTS = [\n  "x.org",\n  "api.pay.com",\n]'],
])('an address that %s allows is a hint: %s', async (path, text) => expect(await hintsIn(path, text)).toEqual([['api.pay.com', true]]));

it.each<[string, string]>([
  ['src/a.ts', "const policy = { scriptSrc: ['x.org'] };\nfetch('https://api.pay.com/v1');"],
  ['src/a.rb', 'script_src "x.org"\n\nurl = "https://api.pay.com"'],
  ['src/a.ts', "cors({ origin: ['https://x.org'] });\nconst base = 'https://api.pay.com';"],
  ['config.yaml', 'pay:\n  url: https://api.pay.com/v1\n'],
])('an address behind a policy or a list proves, in %s: %s', async (path, text) =>
  expect(await hintsIn(path, text)).toEqual([['api.pay.com', false]]),
);

it.each<[string, string]>([
  ['data/sponsors.json', '[{"name":"a","url":"https://search.com/"}]'],
  ['src/_data/tools.yaml', '- name: a\n  website: https://search.com\n'],
  ['src/partners.tsx', "const a = { canonicalHref: 'https://search.com/' };"],
])('the page of somebody in %s says nothing: %s', async (path, text) => expect(await hintsIn(path, text)).toEqual([]));
