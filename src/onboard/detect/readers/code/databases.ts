/** Packages that open a database, with its engine; `null` where a setting beside it tells the engine. */
const engines: { readonly [name: string]: string | null } = {
  pg: 'postgres',
  'pg-promise': 'postgres',
  'pg-boss': 'postgres',
  'pg-pool': 'postgres',
  postgres: 'postgres',
  slonik: 'postgres',
  'graphile-worker': 'postgres',
  'postgres.js': 'postgres',
  '@neondatabase/serverless': 'postgres',
  '@vercel/postgres': 'postgres',
  '@prisma/adapter-pg': 'postgres',
  '@prisma/adapter-neon': 'postgres',
  '@prisma/adapter-ppg': 'postgres',
  '@auth/pg-adapter': 'postgres',
  '@payloadcms/db-postgres': 'postgres',
  '@payloadcms/db-vercel-postgres': 'postgres',
  '@payloadcms/db-mongodb': 'mongodb',
  '@payloadcms/db-sqlite': 'sqlite',
  '@mastra/pg': 'postgres',
  '@langchain/langgraph-checkpoint-postgres': 'postgres',
  'connect-pg-simple': 'postgres',
  '@keyv/postgres': 'postgres',
  '@mikro-orm/postgresql': 'postgres',
  '@mikro-orm/mysql': 'mysql',
  '@mikro-orm/mariadb': 'mysql',
  '@mikro-orm/mongodb': 'mongodb',
  '@mikro-orm/sqlite': 'sqlite',
  '@mikro-orm/core': null,
  'drizzle-orm/node-postgres': 'postgres',
  'drizzle-orm/postgres-js': 'postgres',
  'drizzle-orm/neon-http': 'postgres',
  'drizzle-orm/neon-serverless': 'postgres',
  'drizzle-orm/vercel-postgres': 'postgres',
  'drizzle-orm/bun-sql': 'postgres',
  'drizzle-orm/mysql2': 'mysql',
  'drizzle-orm/planetscale-serverless': 'mysql',
  'drizzle-orm/libsql': 'libsql',
  'drizzle-orm/better-sqlite3': 'sqlite',
  'drizzle-kit': null,
  mysql: 'mysql',
  mysql2: 'mysql',
  mariadb: 'mysql',
  '@planetscale/database': 'mysql',
  '@prisma/adapter-planetscale': 'mysql',
  '@prisma/adapter-mariadb': 'mysql',
  mongodb: 'mongodb',
  mongoose: 'mongodb',
  'connect-mongo': 'mongodb',
  '@nestjs/mongoose': 'mongodb',
  monk: 'mongodb',
  agenda: 'mongodb',
  redis: 'redis',
  ioredis: 'redis',
  '@redis/client': 'redis',
  '@keyv/redis': 'redis',
  'cache-manager-ioredis-yet': 'redis',
  '@socket.io/redis-adapter': 'redis',
  bull: 'redis',
  bullmq: 'redis',
  'bee-queue': 'redis',
  '@nestjs/bull': 'redis',
  '@nestjs/bullmq': 'redis',
  'connect-redis': 'redis',
  iovalkey: 'redis',
  '@libsql/client': 'libsql',
  '@prisma/adapter-libsql': 'libsql',
  '@libsql/kysely-libsql': 'libsql',
  'better-sqlite3': 'sqlite',
  '@prisma/adapter-better-sqlite3': 'sqlite',
  sqlite3: 'sqlite',
  mssql: 'sqlserver',
  tedious: 'sqlserver',
  oracledb: 'oracle',
  '@clickhouse/client': 'clickhouse',
  'cassandra-driver': 'cassandra',
  'neo4j-driver': 'neo4j',
  '@elastic/elasticsearch': 'elasticsearch',
  '@opensearch-project/opensearch': 'elasticsearch',
  amqplib: 'rabbitmq',
  'amqp-connection-manager': 'rabbitmq',
  kafkajs: 'kafka',
  knex: null,
  kysely: null,
  sequelize: null,
  'sequelize-typescript': null,
  '@nestjs/sequelize': null,
  typeorm: null,
  '@nestjs/typeorm': null,
  objection: null,
  '@prisma/client': null,
  '@adonisjs/lucid': null,
};

/** A package that opens a database: `undefined` for any other module. */
export const engineOf = (module: string): string | null | undefined => {
  const known = engines[module] ?? engines[packageOf(module)];
  return known === undefined && !(module in engines) && !(packageOf(module) in engines) ? undefined : (known ?? null);
};

/** The package of a module: `stripe` of `stripe/lib/webhooks`. */
export function packageOf(module: string): string {
  const bare = module.replace(/^(?:npm|jsr):/, '').replace(/(?<=.)@[\d^~.*x]+(?=\/|$)/, '');
  const parts = bare.split('/');
  return parts.slice(0, bare.startsWith('@') ? 2 : 1).join('/');
}

/** Words for engines in settings: `dialect: 'postgresql'`, `client: 'pg'`, `adapter: mysql2`, `jdbc:postgresql:`. */
const words: { readonly [word: string]: string } = {
  postgres: 'postgres',
  postgresql: 'postgres',
  pg: 'postgres',
  pgsql: 'postgres',
  postgis: 'postgres',
  psycopg2: 'postgres',
  asyncpg: 'postgres',
  cockroachdb: 'postgres',
  mysql: 'mysql',
  mysql2: 'mysql',
  mariadb: 'mysql',
  trilogy: 'mysql',
  mongodb: 'mongodb',
  mongo: 'mongodb',
  redis: 'redis',
  rediss: 'redis',
  turso: 'libsql',
  libsql: 'libsql',
  sqlite: 'sqlite',
  sqlite3: 'sqlite',
  'better-sqlite3': 'sqlite',
  mssql: 'sqlserver',
  sqlserver: 'sqlserver',
  sqlsrv: 'sqlserver',
  clickhouse: 'clickhouse',
  amqp: 'rabbitmq',
  amqps: 'rabbitmq',
};

export const engineOfWord = (word: string): string | null => words[word.toLowerCase()] ?? null;

/** The scheme of a database's address: `postgresql+asyncpg`, `mongodb+srv`, `jdbc:mysql`. */
export function engineOfScheme(value: string): string | null {
  const scheme = /^["'`]?(?:jdbc:|ecto:)?([a-z][a-z0-9]{1,20})(?:\+[a-z0-9_]{1,20})?:\/\//i.exec(value.slice(0, 60))?.[1];
  return scheme === undefined ? null : engineOfWord(scheme);
}

/** What only one kind of client takes, of the begin of an address: `jdbc:`, `postgresql+asyncpg://`; `null` for a plain one. */
export function formOf(value: string): string | null {
  const [, java, driver] =
    /^["'`]?(?:(jdbc:|r2dbc:)\w|((?:postgres|postgresql|mysql|mariadb|cockroachdb)\+\w{1,20}:\/\/))/i.exec(value.slice(0, 60)) ?? [];
  return (java ?? driver)?.toLowerCase() ?? (/^["'`]?(?:Host|Server|Data Source|User Id)=[^;\n]{1,200};/i.test(value) ? 'keys' : null);
}

const parts =
  /^(?:host|hostname|server|port|user|username|userName|password|passwd|pass|database|databaseName|db|dbName|authToken|token|ssl|ca|schema|region|account|ns|namespace)$/i;

/** Tells whether a member of a client's settings holds a part of an address and not the whole one. */
export const isPart = (member: string): boolean => parts.test(member);
