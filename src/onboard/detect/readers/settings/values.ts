import { answersIn } from '../../addresses.ts';
import type { Asked, Use, VariableUse } from '../../facts.ts';

/** One key of a file of settings, with its value. Only what the value names is kept. */
interface Setting {
  readonly key: string;
  readonly value: string;
  readonly file: string;
  readonly line: number;
  readonly use: Use;
}

/** `${VAR:default}`, `${?VAR}`, `%env(resolve:VAR)%`, `<%= ENV["VAR"] %>`, `<%= ENV.fetch("VAR") { … } %>`, `env("VAR")`. */
const placeholder =
  /\$\{\??([A-Z][A-Z0-9_]{0,99})(?=[:}?-])|%env\((?:\w{1,40}:){0,5}([A-Z][A-Z0-9_]{0,99})\)%|\bENV(?:\.fetch)?[[(]\s*["']([A-Z][A-Z0-9_]{0,99})["']/g;

/** The variables that a value names. The value itself is compared with what services ask for, without the placeholders in it. */
export function variablesIn({ key, value, file, line, use }: Setting, asked: Asked): readonly VariableUse[] {
  const found = [...value.matchAll(placeholder)].flatMap((match) => match[1] ?? match[2] ?? match[3] ?? []);
  if (found.length === 0) return [];
  const { hosts, schemes } = answersIn(value, asked);
  const opens = openedBy(key, value);
  const java = /(?:^|[\s"'])(r2dbc|jdbc):/.exec(value)?.[1] ?? (isJava.test(key) ? 'jdbc' : null);
  // In `jdbc:postgresql://${HOST}/shop` the variable is a piece of the address.
  const isPiece = /\S/.test(value.slice(0, value.search(placeholder)).replace(/<%=|["']/g, ''));
  const role = isPiece ? { role: 'part' as const } : {};
  return [...new Set(found)].map((name) => ({
    name,
    file,
    line,
    where: 'settings',
    use,
    hosts,
    schemes,
    ...(opens !== null && { opens: { ...opens, ...role } }),
    ...(java !== null && { form: `${java}:` }),
  }));
}

/** Keys of frameworks whose value is an address of JDBC. */
const isJava = /(?:^|\.)(?:(?:datasources?|hikari|flyway|liquibase)(?:\.[\w"-]+){0,2}\.(?:jdbc-?)?url|jdbc\.url)$/i;

/** Keys of frameworks whose value opens a database, with its engine where the key says it. */
const databases: readonly (readonly [key: RegExp, engine: string | null])[] = [
  [/(?:^|\.)mongodb\.(?:uri|host|connection-string)$|^mongodb\.uri$/, 'mongodb'],
  [/(?:^|\.)redis\.(?:url|uri|host|hosts)$|^cable\.|^quarkus\.redis\./, 'redis'],
  [/(?:^|\.)(?:datasources?(?:\.[\w"-]+)?|r2dbc|hikari|flyway|liquibase)\.(?:(?:jdbc|reactive)\.)?(?:jdbc-?)?(?:url|uri)$/i, null],
  [/^database\.(?:[\w-]+\.){1,2}(?:url|host)$/, null],
  [/^(?:doctrine\.dbal\.(?:connections\.\w+\.)?url)$/, null],
];

const engines: { readonly [scheme: string]: string } = {
  postgres: 'postgres',
  postgresql: 'postgres',
  postgis: 'postgres',
  cockroachdb: 'postgres',
  mysql: 'mysql',
  mysql2: 'mysql',
  mariadb: 'mysql',
  mongodb: 'mongodb',
  redis: 'redis',
  rediss: 'redis',
  sqlite: 'sqlite',
  sqlite3: 'sqlite',
  libsql: 'libsql',
  sqlserver: 'sqlserver',
};

/** The database that a key opens, if it opens one. */
export function openedBy(key: string, value: string): { readonly engine: string | null; readonly by: string } | null {
  const [, named] = databases.find(([pattern]) => pattern.test(key)) ?? [];
  if (named === undefined) return null;
  const [, scheme = ''] = /(?:jdbc:|r2dbc:|^|[\s"'])(\w{3,20})(?:\+\w{1,20})?:(?:\/\/|thin)/.exec(value.slice(0, 500)) ?? [];
  return { engine: named ?? engines[scheme.toLowerCase()] ?? null, by: key };
}
