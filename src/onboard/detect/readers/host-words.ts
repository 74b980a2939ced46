import type { FactReader, HostEvidence } from '../facts.ts';
import { baseOf } from '../paths.ts';
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

const hosts: { readonly [word: string]: string } = {
  vercel: 'vercel',
  netlify: 'netlify',
  heroku: 'heroku',
  fly: 'fly',
  flyio: 'fly',
  render: 'render',
  railway: 'railway',
  streamlit: 'streamlit_cloud',
};

/** `VERCEL_DEPLOYMENT.md`, `DEPLOY_TO_RENDER.md`, `railway-setup.md`. */
const page =
  /^(?:deploy(?:ment|ing)?[-_ ](?:to[-_ ]|on[-_ ])?(vercel|netlify|heroku|fly|flyio|render|railway|streamlit)|(vercel|netlify|heroku|fly|flyio|render|railway|streamlit)[-_ ](?:deploy(?:ment)?|setup|env(?:ironment)?)(?:[-_ ]\w+){0,3})\.md$/i;

/** A page beside an app whose name says that it is deployed there. Guides for others who deploy it lie in a folder of documentation. */
export const hostPages: FactReader = {
  name: 'host-pages',
  takes: (path) => page.test(baseOf(path)),
  names: (name) => page.test(name),
  endings: ['md'],
  read: (file) => {
    const [, first, second] = page.exec(baseOf(file.path)) ?? [];
    const provider = hosts[(first ?? second ?? '').toLowerCase()];
    return provider === undefined ? {} : { hosts: [evidence(file, { provider, by: 'word' })] };
  },
};

/** Streamlit's own cloud fills `st.secrets`. An image of the app takes variables instead. */
export const streamlitSecrets: FactReader = {
  name: 'streamlit-secrets',
  isCode: true,
  takes: (path) => path.endsWith('.py'),
  endings: ['py'],
  read: (file) => {
    const found = /\bst\.secrets\b/.exec(file.text)?.[0];
    return found === undefined
      ? {}
      : { hosts: [evidence(file, { provider: 'streamlit_cloud', by: 'word', line: lineOf(file.text, found) })] };
  },
};
