import type { Fact } from '../../facts.ts';
import type { Spot } from '../routes/routes.ts';
import { type Language, readerOf } from './language.ts';
import type { Code } from './source-code.ts';
import type { Uses } from './uses.ts';

const language: Language = {
  name: 'dotnet',
  endings: ['cs', 'fs', 'vb'],
  comments: 'slashes',
  tells: /Environment|[cC]onfig|Map(?:Post|Get)|\[Http|Cron|using/,
  reads: [
    /\bGetEnvironmentVariable\(\s*"([A-Z][A-Z0-9_]{1,79})"/g,
    /\b[cC]onfig(?:uration)?(?:\[|\.GetValue<[^<>()\n]{1,40}>\(|\.GetSection\()\s*"([A-Z][A-Z0-9_]{1,79})"/g,
    /\bEnv\.Get\w{0,12}\(\s*"([A-Z][A-Z0-9_]{1,79})"/g,
  ],
  openings: [
    { call: /UseNpgsql$|NpgsqlConnection$|NpgsqlDataSource\.Create$|AddNpgsql\w*$/, engine: 'postgres', by: 'Npgsql' },
    { call: /UseMySQL$|UseMySql$|MySqlConnection$/, engine: 'mysql', by: 'MySql' },
    { call: /UseSqlServer$|SqlConnection$/, engine: 'sqlserver', by: 'SqlServer' },
    { call: /MongoClient$/, engine: 'mongodb', by: 'MongoDB.Driver' },
    { call: /ConnectionMultiplexer\.Connect(?:Async)?$|AddStackExchangeRedisCache$/, engine: 'redis', by: 'StackExchange.Redis' },
  ],
  more: connectionStrings,
  facts: options,
  routes,
  schedules: /\bCronSchedule\b|\bWithCronSchedule\(|\bRecurringJob\.AddOrUpdate|\[TimerTrigger\(/g,
};

/** Reads C#, F# and Visual Basic. */
export const dotnet = readerOf(language);

/** `GetConnectionString("Shop")` is the variable `ConnectionStrings__Shop`. */
function connectionStrings({ text }: Code, uses: Uses): void {
  for (const match of text.matchAll(/\bGetConnectionString\(\s*"([A-Za-z]\w{0,79})"\s*\)/g)) {
    const around = text.slice(Math.max(0, match.index - 200), match.index);
    const engine = /UseNpgsql|Npgsql/.test(around)
      ? 'postgres'
      : /UseMy[sS][qQ][lL]/.test(around)
        ? 'mysql'
        : /UseSqlServer/.test(around)
          ? 'sqlserver'
          : /Redis|Multiplexer/.test(around)
            ? 'redis'
            : null;
    uses.addSetting(`ConnectionStrings__${match[1] ?? ''}`, match.index, { opens: { engine, by: 'ConnectionStrings' } });
  }
}

/** Keys of settings: `configuration["Stripe:SecretKey"]`, and the members of a class of options, `GetString(nameof(options.GoogleId))`. */
function options(code: Code): readonly Fact[] {
  const keys =
    /\b\w*[cC]onfig(?:uration)?\[\s*"([A-Z][A-Za-z]+(?::\w+)+)"|\.Get(?:Value<[^<>()\n]{1,40}>|String|)\(\s*nameof\(\s*\w*(?:[oO]ptions|[sS]ettings|[cC]onfig)\w*\.([A-Z]\w{3,60})\s*\)/g;
  return [...code.text.matchAll(keys)].flatMap(({ 1: key, 2: member, index }): readonly Fact[] =>
    code.isQuoted(index) ? [] : [{ kind: 'setting', name: key ?? member ?? '', file: code.path, line: code.lineAt(index), use: code.use }],
  );
}

/** Minimal routes and controllers. */
function routes({ text }: Code): readonly Spot[] {
  const spots: Spot[] = [];
  for (const match of text.matchAll(/\.Map(Get|Post|Put|Patch|Delete)\(\s*"([^"\n]{0,200})"/g)) {
    spots.push({ at: match.index, path: joined(match[2] ?? ''), methods: [(match[1] ?? '').toUpperCase()] });
  }
  const controller = /\bclass\s+(\w+?)Controller\b/.exec(text)?.[1] ?? '';
  const base = (/\[Route\(\s*"([^"\n]{0,200})"/.exec(text)?.[1] ?? '').replace('[controller]', controller.toLowerCase());
  for (const match of text.matchAll(/\[Http(Get|Post|Put|Patch|Delete)(?:\(\s*"([^"\n]{0,200})")?/g)) {
    const own = match[2] ?? '';
    spots.push({ at: match.index, path: joined(own.startsWith('/') ? own : `${base}/${own}`), methods: [(match[1] ?? '').toUpperCase()] });
  }
  return spots;
}

const joined = (path: string): string => `/${path.replace(/^\/|\/$/g, '')}`.replace(/\{(\w+)[^}]*\}/g, ':$1').replace(/\/{2,}/g, '/');
