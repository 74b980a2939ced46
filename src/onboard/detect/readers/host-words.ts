import type { FactReader, HostEvidence } from '../facts.ts';
import { evidence, lineOf } from './host-file.ts';

/** Addresses that a host gives to apps, and those of its button for installs. */
const addresses: readonly (readonly [pattern: RegExp, provider: string])[] = [
  [/\bvercel\.com\/(?:new|import)\b(?!\?utm_medium=default-template)|\bvercel\.com\/button\b/, 'vercel'],
  [/\bapp\.netlify\.com\/start\/deploy\b/, 'netlify'],
  [/\bheroku\.com\/deploy\b/, 'heroku'],
  [/\brailway\.(?:app|com)\/(?:new|template|deploy)\b/, 'railway'],
  [/\brender\.com\/deploy\b/, 'render'],
  [/\bcloud\.digitalocean\.com\/apps\/new\b/, 'digitalocean'],
  [/\bdeploy\.workers\.cloudflare\.com\b/, 'cloudflare'],
];

/** What a page about the repository says of a host: its button for installs. */
export const hostWords: FactReader = {
  name: 'readme',
  takes: (path) => /^readme(?:\.(?:md|rst|txt|adoc))?$/i.test(path),
  endings: ['readme', 'md', 'rst', 'txt', 'adoc'],
  read: (file) => ({
    hosts: addresses.flatMap(([pattern, provider]): readonly HostEvidence[] => {
      const found = pattern.exec(file.text)?.[0];
      return found === undefined ? [] : [evidence(file, { provider, by: 'word', folder: '', line: lineOf(file.text, found) })];
    }),
  }),
};
