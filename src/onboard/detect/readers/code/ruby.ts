import type { Spot } from '../routes/routes.ts';
import { type Language, readerOf } from './language.ts';
import { credentialsOfRails, variablesOfRuby } from './ruby-settings.ts';
import type { Code } from './source-code.ts';

const language: Language = {
  name: 'ruby',
  endings: ['rb', 'rake', 'ru'],
  comments: 'ruby',
  tells: /ENV|routes|Cron|cron|every|sinatra|::|credentials|secrets|Settings|Figaro/,
  reads: [
    /\bENV(?:\.fetch|\.dig)?\s*[[(]\s*["']([A-Z][A-Z0-9_]{1,79})["']/g,
    /\bRails\.application\.env\(\s*["']([A-Z][A-Z0-9_]{1,79})["']/g,
  ],
  openings: [
    { call: /^(?:PG|PG::Connection)\.(?:connect|new|open)$/, engine: 'postgres', by: 'pg' },
    { call: /^Mysql2::Client\.new$/, engine: 'mysql', by: 'mysql2' },
    { call: /^(?:Redis|Redis::Pool|RedisClient)\.(?:new|config|connect)$/, engine: 'redis', by: 'redis' },
    { call: /^(?:Sequel|DB)\.connect$|establish_connection$/, engine: null, by: 'activerecord' },
    { call: /^Mongo::Client\.new$/, engine: 'mongodb', by: 'mongo' },
    {
      before: /\bRedis(?:Client)?\.new[^\n]{0,80}$|\b(?:Sidekiq|config)\.redis\s*=[^\n]{0,80}$|:redis_cache_store[^\n]{0,80}$/,
      engine: 'redis',
      by: 'redis',
    },
  ],
  more: variablesOfRuby,
  facts: credentialsOfRails,
  routes,
  schedules:
    /\bSidekiq::Cron::Job\b|\bSidekiq(?:::Scheduler)?\.schedule\b|^[ \t]*every\s+[\d:"'][^\n]{0,60}\bdo\b|\bRufus::Scheduler\b|\brecurring\s*[:=]/gm,
};

/** Reads Ruby. */
export const ruby = readerOf(language);

/** The routes of Rails and Sinatra. Blocks of `namespace` and `scope` give the begin of a path. */
function routes({ text, path }: Code): readonly Spot[] {
  const isRails = /(?:^|\/)config\/routes(?:\/[\w/-]+)?\.rb$/.test(path);
  if (!isRails && !/\bSinatra\b|\brequire\s*\(?\s*["']sinatra|\bGrape::API\b|\bRoda\b/.test(text)) return [];
  const spots: Spot[] = [];
  const blocks: string[] = [];
  let at = 0;
  for (const line of text.split('\n').slice(0, 5_000)) {
    const route = /^\s*(get|post|put|patch|delete|match|mount)\s*\(?\s*["':]?(\/?[\w/:.-]*|[A-Z]\w*(?:::\w+)*)["']?([^\n]{0,300})/.exec(
      line,
    );
    if (route) spots.push(...spotOf(route, at, blocks));
    const block =
      /^\s*(?:(namespace|scope|resources?|constraints|authenticate|concern|collection|member|draw|if|unless|devise_scope|authenticated|unauthenticated|with_options|direct|resolve|defaults)\b[ (]*["':]?(\/?[\w/:-]*)|[\w.]+)[^\n]*\bdo\b(?:\s*\|[^|\n]*\|)?\s*$/.exec(
        line,
      );
    if (block) blocks.push(/^(?:namespace|scope|resources?)$/.test(block[1] ?? '') && !/\bmodule:/.test(line) ? (block[2] ?? '') : '');
    else if (/^\s*(?:if|unless)\b/.test(line)) blocks.push('');
    else if (/^\s*end\b/.test(line)) blocks.pop();
    at += line.length + 1;
  }
  return spots;
}

function spotOf([, verb = '', own = '', rest = '']: RegExpExecArray, at: number, blocks: readonly string[]): readonly Spot[] {
  const mounted = verb === 'mount' ? /(?:\bat:\s*|=>\s*)["']([^"'\n]{1,200})["']/.exec(rest)?.[1] : undefined;
  if (verb === 'mount' && mounted === undefined) return [];
  const path = [...blocks, mounted ?? own].map((part) => part.replace(/^\/|\/$/g, '')).filter((part) => part !== '');
  const methods = verb === 'mount' ? [] : verb === 'match' ? (/:post\b/.test(rest) ? ['POST'] : []) : [verb.toUpperCase()];
  return [
    { at, path: `/${path.join('/')}`, methods, names: [verb === 'mount' ? own : (/(?:to:|=>)\s*["']([\w/#]+)/.exec(rest)?.[1] ?? '')] },
  ];
}
