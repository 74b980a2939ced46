import type { FactReader, HostEvidence, SourceFile } from '../facts.ts';
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

/** The ends of the addresses under which hosts show an app. */
const sites: readonly (readonly [end: string, provider: string])[] = [
  ['fly\\.dev', 'fly'],
  ['vercel\\.app|now\\.sh', 'vercel'],
  ['netlify\\.(?:app|com)', 'netlify'],
  ['onrender\\.com', 'render'],
  ['herokuapp\\.com', 'heroku'],
  ['(?:up\\.)?railway\\.app', 'railway'],
  ['pages\\.dev|workers\\.dev', 'cloudflare'],
  ['web\\.app|firebaseapp\\.com', 'firebase_hosting'],
  ['deno\\.(?:dev|net)', 'deno_deploy'],
  ['azurewebsites\\.net', 'azure_app_service'],
  ['azurestaticapps\\.net', 'azure_static_web_apps'],
  ['streamlit\\.app', 'streamlit_cloud'],
  ['gigalixirapp\\.com', 'gigalixir'],
  ['surge\\.sh', 'surge'],
  ['run\\.app', 'cloud_run'],
  ['appspot\\.com', 'app_engine'],
  ['amplifyapp\\.com', 'amplify'],
  ['ondigitalocean\\.app', 'digitalocean'],
  ['koyeb\\.app', 'koyeb'],
  ['zeabur\\.app', 'zeabur'],
];
const site = new RegExp(`https?://([a-z\\d][a-z\\d.-]{0,80})\\.(${sites.map(([end]) => end).join('|')})(?![\\w-]|\\.\\w)`, 'gi');

/** Badges that show the last deployment of one site. */
const badges: readonly (readonly [badge: RegExp, provider: string])[] = [
  [/\bapi\.netlify\.com\/api\/v1\/badges\/|\bimg\.shields\.io\/netlify\//, 'netlify'],
  [
    /\b(?:vercelbadge|therealsujitk-vercel-badge|deploy-badge)\.vercel\.app\b|\bimg\.shields\.io\/github\/deployments\/\S*vercel/i,
    'vercel',
  ],
  [/\bheroku(?:-badge|badge)\.\S*[?&]app=/, 'heroku'],
];

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z\d]/g, '');

/**
 * The host of the site that a page about the repository links to. Pages link to other sites and to examples, so the address must have a
 * word of the page's title, and all such addresses must be of one host.
 */
function siteIn(file: SourceFile): readonly HostEvidence[] {
  const title = /^\s*(?:#\s+(.+)|(.+)\n\s*[=-]{3,}\s*$|<h1[^>]*>([\s\S]{1,300}?)<\/h1>)/m.exec(file.text.slice(0, 5_000));
  const words = (title?.[1] ?? title?.[2] ?? title?.[3] ?? '')
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word.length > 3 && !plainWords.test(word));
  const isNamed = (label: string): boolean => words.some((word) => letters(label).includes(letters(word)));
  const linked = [...file.text.matchAll(site)].flatMap(([text, label = '', end = '']) => {
    const provider = sites.find(([pattern]) => new RegExp(`^(?:${pattern})$`, 'i').test(end))?.[1];
    return provider !== undefined && isNamed(label) ? [{ provider, text }] : [];
  });
  const shown = badges.flatMap(([pattern, provider]) => {
    const text = pattern.exec(file.text)?.[0];
    return text === undefined ? [] : [{ provider, text }];
  });
  const all = shown.length > 0 ? shown : linked;
  const [first] = all;
  if (!first || all.some(({ provider }) => provider !== first.provider)) return [];
  return [evidence(file, { provider: first.provider, by: 'word', folder: '', line: lineOf(file.text, first.text) })];
}

const plainWords =
  /^(?:the|this|project|website|site|apps?|application|demo|example|starter|template|with|your|vercel|netlify|next|react|simple)$/i;

/** What a page about the repository says of a host: its button for installs, and the site that runs. */
export const hostWords: FactReader = {
  name: 'readme',
  takes: (path) => /^readme(?:\.(?:md|rst|txt|adoc))?$/i.test(path),
  endings: ['readme', 'md', 'rst', 'txt', 'adoc'],
  read: (file) => {
    const buttons = addresses.flatMap(([pattern, provider]): readonly HostEvidence[] => {
      const found = pattern.exec(file.text)?.[0];
      return found === undefined ? [] : [evidence(file, { provider, by: 'word', folder: '', line: lineOf(file.text, found) })];
    });
    // A button is for others. The site that runs tells more.
    const running = siteIn(file);
    return { hosts: running.length > 0 ? running : buttons };
  },
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
