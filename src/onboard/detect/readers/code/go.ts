import type { Asked, Fact } from '../../facts.ts';
import type { Spot } from '../routes/routes.ts';
import { type Language, readerOf } from './language.ts';
import type { Code } from './source-code.ts';

const language: Language = {
  name: 'go',
  endings: ['go'],
  comments: 'slashes',
  tells: /[eE]nv|oauth2\/|Post|POST|HandleFunc|[cC]ron|viper/,
  reads: [
    // `os.Getenv("X")`, `os.LookupEnv("X")`, `getEnv("X", "default")`, `viper.GetString("X")`, `viper.BindEnv("x", "X")`.
    /\b(?:[gG]et|[lL]ookup|[mM]ust|[rR]equire|[rR]ead|[eE]xpect)\w{0,20}[eE]nv\w{0,20}\(\s*["`]([A-Z][A-Z0-9_]{1,79})["`]/g,
    /\bviper\.(?:Get\w{0,12}|BindEnv)\(\s*(?:"[^"\n]{0,80}"\s*,\s*)?"([A-Z][A-Z0-9_]{1,79})"/g,
    /\benv\.\w{2,20}\(\s*"([A-Z][A-Z0-9_]{1,79})"/g,
    // A tag of a struct, or a flag of a command.
    /\b(?:env|envconfig|mapstructure):"([A-Z][A-Z0-9_]{1,79})\b/g,
    /\bEnvVars?:\s*(?:\[\]string\{)?"([A-Z][A-Z0-9_]{1,79})"/g,
  ],
  openings: [
    { call: /^(?:pgx|pgxpool|pq)\.(?:Connect|New|ParseConfig|Open|NewConnector)\w*$/, engine: 'postgres', by: 'github.com/jackc/pgx' },
    { call: /^postgres\.(?:Open|New)$/, engine: 'postgres', by: 'gorm.io/gorm' },
    { call: /^mysql\.(?:Open|New)$/, engine: 'mysql', by: 'gorm.io/gorm' },
    { call: /^(?:sqlite|sqlite3)\.Open$/, engine: 'sqlite', by: 'gorm.io/gorm' },
    { call: /^pgdriver\.(?:NewConnector|WithDSN)$/, engine: 'postgres', by: 'github.com/uptrace/bun' },
    { call: /^(?:sql|sqlx|ent|otelsql|apmsql|bun)\.(?:Open|Connect|MustConnect|MustOpen|OpenDB)\w*$/, engine: null, by: 'database/sql' },
    { call: /ApplyURI$/, engine: 'mongodb', by: 'go.mongodb.org/mongo-driver' },
    { call: /^redis\.(?:ParseURL|NewClient|NewUniversalClient|DialURL)$/, engine: 'redis', by: 'github.com/redis/go-redis' },
    { call: /^libsql\.(?:NewConnector|Open)\w*$/, engine: 'libsql', by: 'github.com/tursodatabase/go-libsql' },
    { call: /^migrate\.New\w*$/, engine: null, by: 'github.com/golang-migrate/migrate' },
  ],
  facts: modules,
  routes,
  schedules: /\bcron\.New\w*\(|\bgocron\.New\w*\(|\.AddFunc\(\s*"[@*\d]/g,
};

/** Reads Go. */
export const go = readerOf(language);

/** Packages inside a module that signals name by themselves: `golang.org/x/oauth2/github`. */
function modules(code: Code, { modules: asked }: Asked): readonly Fact[] {
  const found = [...code.text.matchAll(/^[ \t]*(?:import[ \t]+)?(?:\w+[ \t]+)?"([a-z][\w-]*\.[\w./-]{3,120})"[ \t]*$/gm)];
  return found.flatMap(({ 1: name = '', index }): readonly Fact[] =>
    asked.includes(name) ? [{ kind: 'module', name, file: code.path, line: code.lineAt(index), use: code.use }] : [],
  );
}

/** chi, gin, echo, fiber, gorilla and the standard library. */
function routes({ text }: Code): readonly Spot[] {
  const spots: Spot[] = [];
  for (const match of text.matchAll(
    /\.(Get|Post|Put|Patch|Delete|GET|POST|PUT|PATCH|DELETE|Any|All|HandleFunc|Handle)\(\s*"(?:(GET|POST|PUT|PATCH|DELETE) )?(\/[^"\n]{0,200})"[^\n]{0,200}/g,
  )) {
    const verb = match[2] ?? (match[1] ?? '').toUpperCase();
    const listed = /\.Methods\(([^)\n]{0,100})\)/.exec(match[0])?.[1];
    const named = listed === undefined ? null : listed.toUpperCase().match(/POST|GET|PUT|PATCH|DELETE/g);
    const methods = named ?? (/^(?:ANY|ALL|HANDLE\w*)$/.test(verb) ? [] : [verb]);
    spots.push({ at: match.index, path: (match[3] ?? '').replace(/\{(\w+)[^}]*\}/g, ':$1'), methods });
  }
  return spots;
}
