import type { Spot } from '../routes/routes.ts';
import { type Language, readerOf } from './language.ts';
import type { Code } from './source-code.ts';

const language: Language = {
  name: 'rust',
  endings: ['rs'],
  // A lifetime (`'a`) looks like the begin of a text, which then ends with the line.
  comments: 'slashes',
  tells: /env|Env|\.route\(|#\[|[cC]ron/,
  reads: [
    /\b(?:env|dotenv|dotenvy)::(?:var|var_os)\(\s*"([A-Z][A-Z0-9_]{1,79})"/g,
    /\b(?:env|option_env|dotenv)!\(\s*"([A-Z][A-Z0-9_]{1,79})"/g,
    // `#[arg(long, env = "X")]` of clap, `Environment::…`, `get_env("X")`.
    /\benv\s*=\s*"([A-Z][A-Z0-9_]{1,79})"/g,
    /\b(?:get|must|require|load|read)_env\w{0,12}\(\s*"([A-Z][A-Z0-9_]{1,79})"/g,
    // `secrets.get("X")` of Shuttle and Workers.
    /\b(?:secrets?|env)\.(?:get|secret|var)\(\s*"([A-Z][A-Z0-9_]{1,79})"/g,
  ],
  openings: [
    {
      call: /(?:^|::)(?:PgPool|PgPoolOptions|PgConnection|PgConnectOptions|ConnectionManager|AsyncPgConnection|tokio_postgres)(?:::|\.|$)/,
      engine: 'postgres',
      by: 'sqlx',
    },
    { call: /(?:^|::)(?:MySqlPool|MySqlPoolOptions|MysqlConnection)(?:::|$)/, engine: 'mysql', by: 'sqlx' },
    { call: /(?:^|::)(?:SqlitePool|SqlitePoolOptions|SqliteConnection)(?:::|$)/, engine: 'sqlite', by: 'sqlx' },
    { before: /\b(?:PgPool|PgPoolOptions)\b[^;]{0,180}$/, engine: 'postgres', by: 'sqlx' },
    { call: /(?:^|::)Database::connect$/, engine: null, by: 'sea-orm' },
    { call: /(?:^|::)Client::with_uri_str$|ClientOptions::parse$/, engine: 'mongodb', by: 'mongodb' },
    { call: /(?:^|::)redis::Client::open$|(?:^|::)RedisConnectionManager::new$/, engine: 'redis', by: 'redis' },
    { call: /(?:^|::)Builder::new_remote(?:_replica)?$/, engine: 'libsql', by: 'libsql' },
  ],
  // The macros ask the database while the app is built.
  implied: [{ pattern: /\bsqlx::query\w*!\(/, names: ['DATABASE_URL'], sense: { opens: { engine: null, by: 'sqlx' } } }],
  routes,
  schedules: /\bJob::new(?:_async)?\(\s*"[\d*]|\bJobScheduler::new\(|\bcron::Schedule\b/g,
};

/** Reads Rust. */
export const rust = readerOf(language);

/** axum, actix, rocket. */
function routes({ text }: Code): readonly Spot[] {
  const spots: Spot[] = [];
  for (const match of text.matchAll(/\.route\(\s*"(\/[^"\n]{0,200})"\s*,\s*(?:web::|axum::routing::)?(get|post|put|patch|delete|any)\b/g)) {
    spots.push({ at: match.index, path: parameters(match[1] ?? ''), methods: methodOf(match[2] ?? '') });
  }
  for (const match of text.matchAll(/#\[(get|post|put|patch|delete)\(\s*"(\/[^"\n]{0,200})"/g)) {
    spots.push({ at: match.index, path: parameters(match[2] ?? ''), methods: methodOf(match[1] ?? '') });
  }
  return spots;
}

const methodOf = (verb: string): readonly string[] => (verb === 'any' ? [] : [verb.toUpperCase()]);
const parameters = (path: string): string => path.replace(/\{\*?(\w+)[^}]*\}|<(\w+)(?:\.\.)?>/g, (_, a: string, b: string) => `:${a ?? b}`);
