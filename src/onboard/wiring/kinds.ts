import type { DraftVariable, ValueKind } from '../../ops/detect.ts';

/** What a name says about its value. `address` and `secret` may be of several kinds. `other`: an environment that no preview is. */
export type NameKind = ValueKind | 'address' | 'secret' | 'other';

/** Prefixes with which a build puts a value into code that a browser or a phone gets. */
const shipped = /^(?:NEXT_PUBLIC|NUXT_PUBLIC|EXPO_PUBLIC|SNOWPACK_PUBLIC|PUBLIC|VITE|REACT_APP|VUE_APP|NG_APP|GATSBY|STORYBOOK)_/;
/** Prefixes of frameworks whose values stay on the server. */
const ofFramework = /^NUXT_(?!PUBLIC_)/;

export const isShipped = (name: string): boolean => shipped.test(name);

/** The name without the prefix of a build. */
export const bare = (name: string): string => name.replace(shipped, '').replace(ofFramework, '');

const words = (...all: readonly string[]): RegExp => new RegExp(`(?:^|_)(?:${all.join('|')})(?:_|$)`);

const databaseWords =
  /(?:^|_)(?:DATABASE|DB|SQL|POSTGRES|POSTGRESQL|PG|PGSQL|MYSQL|MARIADB|MONGO|MONGODB|LIBSQL|SQLITE|COCKROACH|COCKROACHDB|ECTO|PRISMA|DRIZZLE|[A-Z0-9]+DB)(?:_|$)/;
const addressWords = words('URL', 'URI', 'DSN', 'CONNECTION', 'CONNECTION_?STRING', 'CONN_STR', 'CONNSTR', 'ENDPOINT', 'ADDRESS', 'ADDR');
/** Frameworks call the driver so: `DB_CONNECTION=pgsql`. Only what opens it tells more. */
const driverName = /^(?:DB|DATABASE)_CONNECTION$/;
/** The last word decides: `WEBHOOK_ENDPOINT_SECRET` is no address. */
const keyEnd = /(?:SECRETS?|KEYS?|TOKENS?)(?:_V?\d+)?$/;
/** A number or a place beside an address or a key, and not the value itself. */
const settingEnd =
  /_(?:FILE|PATH|DIR|ARN|TIMEOUT|TTL|LIMIT|SIZE|MAX|MIN|COUNT|RETRIES|INTERVAL|ENABLED?|DISABLED?|REQUIRED|MODE|SSL|SSLMODE|TLS|VERSION|REGION|PREFIX|SUFFIX|SCHEMA|SCHEME|OPTIONS|PARAMS|ARGS|TYPE|DRIVER|DIALECT|AGE|EXPIRY|EXPIRES(?:_IN|_AT)?|LEVEL|(?:SECRET|KEY|TOKEN|CONNECTION)_(?:NAME|ID))$/;
const directWords = words('UNPOOLED', 'NON_?POOLING', 'NON_?POOLED', 'DIRECT', 'MIGRATE', 'MIGRATIONS?', 'SESSION');
const pooledWords = words('POOLED', 'POOLER', 'POOL', 'POOLING', 'PGBOUNCER', 'PRISMA');
/** A shadow database is another one, and these names mean a database that a preview must not have. */
const otherWords = words('SHADOW', 'TEST', 'TESTING', 'E2E', 'STAGING', 'PROD', 'PRODUCTION', 'LIVE', 'LOCAL', 'BACKUP', 'OLD');

/** The kind of value that a name means, by its words; `null` where they say nothing. */
export function kindOfName(name: string): NameKind | null {
  const own = bare(name);
  if (otherWords.test(own)) return 'other';
  if (/(?:^|_)(?:PGHOST|HOST|HOSTNAME|SERVER)$/.test(own)) return 'host';
  if (/(?:^|_)(?:PGPORT|PORT)$/.test(own)) return 'port';
  if (/(?:^|_)(?:PGUSER|USER|USERNAME|USER_?NAME|LOGIN)$/.test(own)) return 'user';
  if (/(?:^|_)(?:PGPASSWORD|PASSWORD|PASS|PASSWD|PWD)$/.test(own)) return 'password';
  if (settingEnd.test(own)) return 'other';
  if (addressWords.test(own) && !driverName.test(own) && !keyEnd.test(own)) return addressKind(own);
  return (
    keyKind(own) ?? (/(?:^|_)(?:PGDATABASE|DATABASE|DB|DBNAME|DB_NAME|DATABASE_NAME|POSTGRES_DB|MYSQL_DB)$/.test(own) ? 'database' : null)
  );
}

function addressKind(own: string): NameKind {
  if (!databaseWords.test(own) && !/^(?:DIRECT|POOLED|UNPOOLED)_UR[LI]$/.test(own)) return 'address';
  if (directWords.test(own)) return 'direct';
  return pooledWords.test(own) ? 'pooled' : 'connection';
}

const signing =
  /(?:^|_)(?:(?:WEB_?HOOKS?|HOOK|WH|SIGNING)_(?:[A-Z]+_)?(?:SECRET|KEY)|ENDPOINT_(?:[A-Z]+_)?SECRET|SECRET_WEB_?HOOKS?|WEB_?HOOKS?_SIGNATURE|WHSEC)(?:_|$)/;

function keyKind(own: string): NameKind | null {
  if (signing.test(own)) return 'signing-secret';
  // A role of a key stands for it.
  if (/(?:^|_)(?:ANON(?:_PUBLIC)?|PUBLISHABLE)$/.test(own)) return 'publishable-key';
  if (/(?:^|_)SERVICE_ROLE$/.test(own)) return 'secret-key';
  if (/_KEY(?:_|$)|^KEY$|KEY$/.test(own)) return keyKindOfName(own);
  if (/(?:^|_)TOKEN(?:_|$)/.test(own)) return 'token';
  if (/(?:^|_)SECRET(?:_|$)/.test(own)) return 'secret';
  return /(?:^|_)(?:ID|REF|PROJECT|ORG|SLUG)$/.test(own) ? 'id' : null;
}

/** The kind of key that a name means, once it is known to be of a key. */
export function keyKindOfName(name: string): NameKind {
  if (words('PUBLISHABLE', 'ANON', 'PUBLIC').test(bare(name))) return 'publishable-key';
  return words('SECRET', 'SERVICE', 'SERVICE_ROLE', 'ADMIN', 'PRIVATE').test(bare(name)) ? 'secret-key' : 'key';
}

/** Words of an address that is a page for people, a route of the app, or one part of a provider's API. */
const partWords = words(
  ...[
    'DASHBOARD',
    'CONSOLE',
    'ADMIN',
    'STUDIO',
    'DOCS?',
    'STATUS',
    'PORTAL',
    'LOG_?IN',
    'LOG_?OUT',
    'SIGN_?IN',
    'SIGN_?UP',
    'CHECKOUT',
    'SITE',
  ],
  ...[
    'WEB_?HOOKS?',
    'HOOK',
    'CALLBACK',
    'REDIRECT',
    'RETURN',
    'SUCCESS',
    'CANCEL',
    'AUTH',
    'ISSUER',
    'JWKS?',
    'JWT',
    'GRAPHQL',
    'REALTIME',
  ],
  ...[
    'FUNCTIONS?',
    'STORAGE',
    'BUCKET',
    'S3',
    'IMAGES?',
    'ASSETS?',
    'MEDIA',
    'FILES?',
    'CDN',
    'MCP',
    'WS',
    'WSS',
    'WEBSOCKET',
    'HTTP_ACTIONS?',
  ],
);
/** What may stand behind the name of a provider in the address of its API: `SUPABASE_PROJECT_URL`, `CONVEX_URL_V2`. */
const plainWords =
  /^_?(?:(?:URL|URI|ENDPOINT|ADDRESS|API|PROJECT|BASE|BACKEND|SERVER|CLIENT|PUBLIC|INSTANCE|DEPLOYMENT|CLOUD|HTTPS?|APP|DEFAULT|MAIN|PRIMARY|INTERNAL|EXTERNAL|V?\d+)(?:_|$))+$/;

/** Tells whether a name means the address of a provider's whole API. `word`: the word of the provider in it, if it has one. */
export function isWholeAddress(name: string, word: string | null): boolean {
  const own = bare(name);
  if (partWords.test(own)) return false;
  const at = word === null ? -1 : `_${own}_`.indexOf(`_${word}_`);
  return word === null || at < 0 || plainWords.test(own.slice(at + word.length));
}

/** The engine that a name names; `null` where it names none. */
export const engineOfName = (name: string): string | null => engineWords.find(([pattern]) => pattern.test(bare(name)))?.[1] ?? null;

const engineWords: readonly (readonly [RegExp, string])[] = [
  [words('POSTGRES', 'POSTGRESQL', 'PG', 'PGSQL', 'ECTO'), 'postgres'],
  [words('MYSQL', 'MARIADB'), 'mysql'],
  [words('MONGO', 'MONGODB'), 'mongodb'],
  [words('REDIS', 'VALKEY'), 'redis'],
  [words('LIBSQL', 'TURSO'), 'libsql'],
  [words('SQLITE'), 'sqlite'],
  [words('CLICKHOUSE'), 'clickhouse'],
];

/** The kinds that code in a browser may hold. */
const open: ReadonlySet<ValueKind> = new Set(['url', 'host', 'port', 'publishable-key', 'id', 'name']);

export const mayShip = (kind: ValueKind): boolean => open.has(kind);

/** What code does with the value: a kind, by its name or by the call that takes it. */
const fitting: { readonly [use in NameKind]?: readonly ValueKind[] } = {
  connection: ['pooled', 'connection', 'direct'],
  pooled: ['pooled', 'connection'],
  // A pooler loses the session that a migration holds its lock in.
  direct: ['direct', 'connection'],
  address: ['url'],
  // An own name with SECRET alone may be the key of the account.
  secret: ['secret-key'],
  other: [],
};

/** The kinds of values for a use, the best first. */
export const kindsFor = (use: NameKind): readonly ValueKind[] => fitting[use] ?? [use as ValueKind];

/** Pairs in which a name that the provider documents may have a wider meaning than its words. */
const alsoFitting: { readonly [use in NameKind]?: readonly ValueKind[] } = {
  address: ['url', 'pooled', 'connection', 'direct'],
  connection: ['pooled', 'connection', 'direct'],
  pooled: ['pooled', 'connection', 'direct'],
  direct: ['direct', 'connection'],
  key: ['key', 'publishable-key', 'secret-key', 'token'],
  secret: ['signing-secret', 'secret-key', 'key', 'token', 'password'],
  'secret-key': ['secret-key', 'key'],
  'publishable-key': ['publishable-key'],
  token: ['token', 'key', 'secret-key', 'password'],
  other: [],
};

/** Tells whether a name that the provider documents for a value of this kind may get it. */
export const mayHold = (use: NameKind | null, kind: ValueKind): boolean =>
  use === null || (alsoFitting[use] ?? [use as ValueKind]).includes(kind);

/** The kind of a variable of a draft. */
export function kindOf(variable: DraftVariable): ValueKind {
  if (variable.kind) return variable.kind;
  const meant = kindOfName(variable.names[0] ?? '');
  if (meant === null || meant === 'other') return 'key';
  return meant === 'address' ? 'url' : meant === 'secret' ? 'secret-key' : meant;
}

export const isConnection = (kind: ValueKind): boolean => kind === 'connection' || kind === 'pooled' || kind === 'direct';
