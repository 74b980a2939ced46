import type { Spot } from '../routes/routes.ts';
import { type Language, readerOf } from './language.ts';
import { isOfSkeleton } from './laravel-skeleton.ts';
import type { Code } from './source-code.ts';

const language: Language = {
  name: 'php',
  endings: ['php'],
  comments: 'php',
  tells: /env|ENV|Route|Schedule|schedule|\\/,
  reads: [
    /\b(?:env|getenv|Env::get|Env::getOrFail)\(\s*["']([A-Z][A-Z0-9_]{1,79})["']/g,
    /\$_(?:ENV|SERVER)\[\s*["']([A-Z][A-Z0-9_]{1,79})["']/g,
    // `%env(resolve:X)%` of Symfony.
    /%env\((?:\w+:)*([A-Z][A-Z0-9_]{1,79})\)%/g,
    /#\[Autowire\(env:\s*["'](?:\w+:)*([A-Z][A-Z0-9_]{1,79})["']/g,
  ],
  openings: [
    { name: /^redis$/, engine: 'redis', by: 'laravel' },
    { name: /^pgsql$/, engine: 'postgres', by: 'laravel' },
    { name: /^(?:mysql|mariadb)$/, engine: 'mysql', by: 'laravel' },
    { name: /^mongodb$/, engine: 'mongodb', by: 'laravel' },
    { call: /^new \\?PDO$/, engine: null, by: 'pdo' },
    { call: /^(?:new )?\\?(?:MongoDB\\)?Client$/, name: /^uri$/, engine: 'mongodb', by: 'mongodb' },
    { call: /DriverManager::getConnection$/, engine: null, by: 'doctrine' },
  ],
  routes,
  isOfSkeleton,
  schedules: /\bSchedule::\w+\(|\$schedule->\w+\(|#\[AsCronTask\(|#\[AsPeriodicTask\(/g,
};

/** Reads PHP. */
export const php = readerOf(language);

/** Laravel, Lumen, Slim and Symfony. Routes of `routes/api.php` begin with `/api`. */
function routes({ text, path }: Code): readonly Spot[] {
  const prefix = /(?:^|\/)routes\/api\.php$/.test(path) ? '/api' : '';
  const group = /\bRoute::prefix\(\s*["']\/?([^"'\n]{1,100})["']\s*\)\s*->group\(/.exec(text);
  const spots: Spot[] = [];
  for (const match of text.matchAll(
    /(?:\bRoute::(?:\w+\([^)\n]{0,100}\)->)?|\$(?:app|router|group|r)->)(get|post|put|patch|delete|any|match)\(\s*(?:\[[^\]\n]{0,100}\]\s*,\s*)?["']([^"'\n]{0,200})["'][^\n;]{0,200}/g,
  )) {
    const inside = group && match.index > group.index ? `/${group[1] ?? ''}` : '';
    const own = `${prefix}${inside}/${(match[2] ?? '').replace(/^\//, '')}`.replace(/\{(\w+)\??\}/g, ':$1');
    const verb = match[1] ?? '';
    spots.push({ at: match.index, path: own, methods: verb === 'any' || verb === 'match' ? [] : [verb.toUpperCase()] });
  }
  for (const match of text.matchAll(/#\[Route\(\s*(?:path:\s*)?["'](\/[^"'\n]{0,200})["']([^\]]{0,300})\]/g)) {
    const methods =
      /methods:\s*\[?([^\])]{0,100})/
        .exec(match[2] ?? '')?.[1]
        ?.toUpperCase()
        .match(/[A-Z]{3,7}/g) ?? [];
    spots.push({ at: match.index, path: (match[1] ?? '').replace(/\{(\w+)\??[^}]*\}/g, ':$1'), methods });
  }
  return spots;
}
