import type { Spot } from '../routes/routes.ts';
import { type Language, readerOf } from './language.ts';
import { namesKept, secretsOfStreamlit, settingsOfPydantic } from './python-settings.ts';
import type { Code } from './source-code.ts';
import type { Uses } from './uses.ts';

const language: Language = {
  name: 'python',
  endings: ['py'],
  comments: 'python',
  tells:
    /environ|getenv|envvar|env\(|env\.|config\(|Settings|EnvConfig|BaseEnv|st\.secrets|get_\w+\(|[A-Z]_[A-Z]|@\w+\.(?:route|post|api_route)\(|path\(|cron|schedule|import/,
  reads: [
    // `os.environ["X"]`, `environ.get("X")`, `os.getenv("X")`.
    /\b(?:environ(?:\.get|\.pop)?|getenv)\s*[([]\s*["']([A-Z][A-Z0-9_]{1,79})["']/g,
    // `env("X")`, `env.str("X")` of django-environ and environs, `config("X")` of decouple and Starlette.
    /\b(?:env(?:\.[a-z_]{2,20})?|config|get_env\w{0,20}|require_env\w{0,20}|env_\w{2,20})\(\s*["']([A-Z][A-Z0-9_]{1,79})["']/g,
    // `get_string(name="X", default="")` and other functions of an app's own.
    /\bget_(?:str|string|bool|int|float|list|any|delimited_list|secret|setting|key|required|optional|config|var|variable)\w{0,12}\(\s*(?:\w{2,12}\s*=\s*)?["']([A-Z][A-Z0-9]*_[A-Z0-9_]{1,79})["']/g,
    // Options of click and typer.
    /\benvvar\s*=\s*\[?\s*["']([A-Z][A-Z0-9_]{1,79})["']/g,
  ],
  openings: [
    { call: /(?:^|\.)dj_database_url\.(?:parse|config)$/, engine: null, by: 'django' },
    { before: /\b(?:env|Env)\.(?:db|db_url|dj_db_url)(?:_url)?\($/, engine: null, by: 'django' },
    { name: /^DATABASES$/, engine: null, by: 'django' },
    { call: /(?:^|\.)(?:create_engine|create_async_engine|AsyncDatabase|Database|databases\.Database)$/, engine: null, by: 'sqlalchemy' },
    { name: /^(?:SQLALCHEMY_DATABASE_URI|SQLALCHEMY_DATABASE_URL|sqlalchemy_url)$/i, engine: null, by: 'sqlalchemy' },
    {
      call: /(?:^|\.)(?:psycopg2?|asyncpg|aiopg|pg8000)\.(?:connect|create_pool)$|(?:^|\.)(?:AsyncConnectionPool|ConnectionPool)$/,
      engine: 'postgres',
      by: 'psycopg',
    },
    { call: /(?:^|\.)(?:pymysql|MySQLdb|aiomysql|mysql\.connector)\.(?:connect|create_pool)$/, engine: 'mysql', by: 'pymysql' },
    {
      call: /(?:^|\.)(?:MongoClient|AsyncIOMotorClient|AsyncMongoClient|MotorClient|mongoengine\.connect|init_beanie)$/,
      engine: 'mongodb',
      by: 'pymongo',
    },
    {
      call: /(?:^|\.)(?:Redis|StrictRedis|redis|aioredis)\.from_url$|(?:^|\.)(?:Redis|StrictRedis|RedisDsn)$/,
      engine: 'redis',
      by: 'redis',
    },
    { call: /(?:^|\.)Celery$/, name: /^(?:broker|backend)$/, engine: 'redis', by: 'celery' },
    { call: /(?:^|\.)Tortoise\.init$/, engine: null, by: 'tortoise-orm' },
  ],
  clients: [{ call: /^(?:supabase\.)?(?:a?create_client|create_async_client)$/, package: 'supabase' }],
  implied: [
    {
      pattern: /\bdj_database_url\.config\((?![^)]{0,200}\benv\s*=)/,
      names: ['DATABASE_URL'],
      sense: { opens: { engine: null, by: 'django' } },
    },
    { pattern: /\bOpenAI\(\s*\)/, names: ['OPENAI_API_KEY'], sense: { givenTo: 'openai' } },
    { pattern: /\bAnthropic\(\s*\)/, names: ['ANTHROPIC_API_KEY'], sense: { givenTo: 'anthropic' } },
  ],
  more: settings,
  routes,
  schedules:
    /\bbeat_schedule\b|\bCELERY_BEAT_SCHEDULE\b|\bcrontab\(|@\w+\.(?:scheduled_job|on_event\.schedule|timer_trigger)\(|\.add_job\([^)]{0,200}(?:cron|interval)|\bschedule\.every\(/g,
};

/** Reads Python. */
export const python = readerOf(language);

function settings(code: Code, uses: Uses): void {
  settingsOfPydantic(code, uses);
  namesKept(code, uses);
  secretsOfStreamlit(code, uses);
}

function routes({ text }: Code): readonly Spot[] {
  const prefix = /\b(?:APIRouter|Blueprint|Router)\([^)]{0,300}\b(?:url_)?prefix\s*=\s*["']([^"'\n]{0,100})["']/.exec(text)?.[1] ?? '';
  const spots: Spot[] = [];
  // FastAPI, Flask, Sanic.
  for (const match of text.matchAll(/@\w+\.(route|get|post|put|patch|delete|api_route)\(\s*["'](\/[^"'\n]{0,200}|)["']([^)\n]{0,200})/g)) {
    const [, verb = '', path = '', rest = ''] = match;
    const listed = /\bmethods\s*=\s*[[(]([^\])]{0,100})/.exec(rest)?.[1];
    const methods = verb !== 'route' && verb !== 'api_route' ? [verb.toUpperCase()] : (listed?.match(/[A-Z]{3,7}/g) ?? ['GET']);
    spots.push({ at: match.index, path: parameters(`${prefix}${path}`), methods });
  }
  // Django.
  if (/\burlpatterns\b/.test(text)) {
    for (const match of text.matchAll(/\b(?:re_)?path\(\s*r?["']\^?([^"'\n]{0,200}?)\$?["']\s*,\s*([\w.]{0,100})/g)) {
      if (match[2] !== 'include')
        spots.push({ at: match.index, path: parameters(`/${match[1] ?? ''}`), methods: [], names: [match[2] ?? ''] });
    }
  }
  return spots;
}

/** `<int:id>` and `{id}` are `:id`. */
const parameters = (path: string): string =>
  path.replace(/<(?:\w+:)?(\w+)>|\{(\w+)(?::\w+)?\}/g, (_, a: string, b: string) => `:${a ?? b}`) || '/';
