import type { Fact, FactReader } from '../../facts.ts';
import { linesOf, useOfSettings, withoutComments } from '../source.ts';

/** Modules and files of settings: `environment.prod.ts` of Angular, `app.config.ts` and `app.json` of Expo, `config/default.json`. */
const settingsFile =
  /(?:^|\/)(?:environments?|configs?|configuration|settings|app\.config|app\.settings|runtime-?config|site-?config)(?:[.-][\w-]+)*\.(?:[cm]?[jt]s|json5?)$|(?:^|\/)app\.json$|(?:^|\/)config\/[\w.-]+\.(?:[cm]?[jt]s|json5?)$/i;

const isOfTools =
  /(?:^|\/)(?:[jt]sconfig|package|composer|nest-cli|angular|components|biome|turbo|nx|lerna|deno|vercel|firebase|renovate)[\w.-]*\.json$/;

/** The ends of keys that hold a credential or an account. */
const credential = /(?:[kK]ey|[tT]oken|[sS]ecret|[dD]sn|[a-z]Id|^dsn)$/;

const deepest = 6;

/** Keys of settings with a credential of a service, each with the keys above it: `stripe.publishableKey`, `facebookAppId`. */
export const javascriptSettings: FactReader = {
  name: 'settings in JavaScript and JSON',
  isCode: true,
  endings: ['js', 'cjs', 'mjs', 'ts', 'cts', 'mts', 'json', 'json5'],
  takes: (path) => settingsFile.test(path) && !isOfTools.test(path) && !path.endsWith('.d.ts'),
  read: ({ path, text }) => {
    const code = withoutComments(text.slice(0, 200_000), 'slashes');
    const lineOf = linesOf(code);
    const use = useOfSettings(path);
    const facts = new Map<string, Fact>();
    for (const { name, at } of keysIn(code))
      if (!facts.has(name)) facts.set(name, { kind: 'setting', name, file: path, line: lineOf(at), use });
    return { facts: [...facts.values()] };
  },
};

function* keysIn(text: string): Generator<{ readonly name: string; readonly at: number }> {
  const path: string[] = [];
  const token = /[{}]|(?<![\w$.?])["']?([A-Za-z_$][\w$-]{0,60})["']?\s*[:=]\s*(\{)?/g;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [whole, key, open] = match;
    if (key === undefined) {
      if (whole === '{') path.push('');
      else path.pop();
    } else if (open !== undefined) path.push(key);
    else if (credential.test(key) && path.length <= deepest) {
      const above = path.filter((part) => part !== '' && !plain.test(part)).slice(-2);
      yield { name: [...above, key].join('.'), at: match.index };
    }
  }
}

/** What settings stand in, and not what they are of. */
const plain =
  /^(?:default|config|configuration|settings|environment|env|extra|expo|public|private|runtimeConfig|production|module|exports|options|keys)$/i;
