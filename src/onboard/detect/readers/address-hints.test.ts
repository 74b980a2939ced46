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

it.each<[string, string]>([
  [
    'web/js/orbit.js',
    '/* eslint-disable */\n/**\n * Orbit 1.4.0\n * (c) 2019 A. Person\n * License: MIT\n */\nvar url = "https://api.pay.com/a";',
  ],
  ['src/partners.tsx', "export const partners = [{ name: 'Pay', href2: 'https://api.pay.com/a' }];"],
  ['mail/example.config.json', '{ "host": "api.pay.com" }'],
  ['src/components/default-content.tsx', "export const text = { src: 'https://api.pay.com/a.png' };"],
  ['app/outbound-mock-routes.ts', "route('https://api.pay.com/a', answer);"],
  ['db/seeds.rb', 'Shop.create!(url: "https://api.pay.com/a")'],
])('an address in what is not the text of the app is a hint, in %s', async (path, text) =>
  expect(await hintsIn(path, text)).toEqual([['api.pay.com', true]]),
);

it('a licence above the code of an app makes it no library', async () =>
  expect(await hintsIn('src/pay.js', '/**\n * Copyright 2024 Shop\n * License: MIT\n */\nfetch("https://api.pay.com/a");')).toEqual([
    ['api.pay.com', false],
  ]));
