import type { Spot } from '../routes/routes.ts';
import { type Language, readerOf } from './language.ts';
import type { Code } from './source-code.ts';

const language: Language = {
  name: 'elixir',
  endings: ['ex', 'exs'],
  comments: 'elixir',
  tells: /env|Router|scope|Cron|crontab|[wW]ebhook/,
  reads: [
    /\bSystem\.(?:get_env|fetch_env!?)\(\s*"([A-Z][A-Z0-9_]{1,79})"/g,
    /\benv!\(\s*"([A-Z][A-Z0-9_]{1,79})"/g,
    /\{:system,\s*(?::\w+,\s*)?"([A-Z][A-Z0-9_]{1,79})"/g,
    /\b(?:get|fetch|require)_env!?\(\s*"([A-Z][A-Z0-9_]{1,79})"/g,
  ],
  openings: [
    { name: /^url$/, before: /\bRepo\b[\s\S]{0,180}\burl:\s*$/, engine: null, by: 'ecto_sql' },
    { name: /^(?:hostname|username|password|database)$/, before: /\bRepo\b[\s\S]{0,180}$/, engine: null, by: 'ecto_sql' },
    { call: /^Redix\.start_link$/, engine: 'redis', by: 'redix' },
    { before: /\b(?:Redix|redis_url|Redis)\b[^\n]{0,80}$/, engine: 'redis', by: 'redix' },
    { before: /\bMongo\b[\s\S]{0,120}\burl:\s*$/, engine: 'mongodb', by: 'mongodb_driver' },
  ],
  routes,
  schedules: /\bOban\.Plugins\.Cron\b|\bcrontab:\s*\[|\buse Quantum\b|\bjobs:\s*\[\s*\n?\s*(?:\w+:\s*\[)?\s*(?:schedule|\{")/g,
};

/** Reads Elixir. */
export const elixir = readerOf(language);

/** The routes of Phoenix and of Plug. A `scope` gives the begin of a path. */
function routes({ text }: Code): readonly Spot[] {
  const spots: Spot[] = [];
  // A plug that takes webhooks before the router reads the body.
  for (const match of text.matchAll(
    /^\s*plug\s*\(?\s*([A-Z][\w.]{0,100}[wW]ebhook[\w.]{0,60})\s*,\s*[^\n]{0,100}?\b(?:at|path|request_path):\s*"(\/[^"\n]{0,200})"/gm,
  )) {
    spots.push({ at: match.index, path: match[2] ?? '', methods: ['POST'], names: [match[1] ?? ''] });
  }
  if (!/\bRouter\b|:router\b/.test(text)) return spots;
  const blocks: string[] = [];
  let at = 0;
  for (const line of text.split('\n').slice(0, 5_000)) {
    const route = /^\s*(get|post|put|patch|delete|match|forward)\s*\(?\s*"(\/[^"]{0,200})"\s*,?\s*(?:to:\s*)?([\w.]{0,100})/.exec(line);
    if (route) {
      const [, verb = '', own = '', handler = ''] = route;
      const path = [...blocks, own].map((part) => part.replace(/^\/|\/$/g, '')).filter((part) => part !== '');
      spots.push({
        at,
        path: `/${path.join('/')}`,
        methods: verb === 'match' || verb === 'forward' ? [] : [verb.toUpperCase()],
        names: [handler],
      });
    }
    const scope = /^\s*scope\s*\(?\s*(?:path:\s*)?"(\/[^"]{0,200})"/.exec(line)?.[1];
    if (/\bdo\s*$/.test(line)) blocks.push(scope ?? '');
    else if (/^\s*end\b/.test(line)) blocks.pop();
    at += line.length + 1;
  }
  return spots;
}
