import { describe, expect, it } from 'vitest';
import { work } from '../../../../test/support/work.ts';
import { isOrmFile, namesInOrmFile } from './orm.ts';

describe('files that say where the database is', () => {
  it.each([
    'prisma/schema.prisma',
    'packages/db/prisma/schema/user.prisma',
    'prisma.config.ts',
    'drizzle.config.ts',
    'apps/api/drizzle.config.mjs',
    'drizzle.config.prod.ts',
    'drizzle-dev.config.ts',
    'knexfile.js',
    'ormconfig.json',
    'src/data-source.ts',
    'mikro-orm.config.ts',
    'kysely.config.ts',
    '.sequelizerc',
    'config/config.json',
    'config/database.yml',
    'src/db/index.ts',
    'lib/db.ts',
  ])('%s', (file) => expect(isOrmFile(file)).toBe(true));

  it.each(['next.config.ts', 'src/index.ts', 'src/db/users.ts', 'config/routes.rb', 'database.yml', 'mydb.ts', 'schema.prisma.md'])(
    'not %s',
    (file) => expect(isOrmFile(file)).toBe(false),
  );

  it('are recognised by their names at once, however long and odd these are', async () => {
    for (const piece of ['-', '.', 'a-', '.a', '-a.config']) {
      const file = `src/drizzle${piece.repeat(255)}x`;
      expect(isOrmFile(file)).toBe(false);
      expect(await work(() => isOrmFile(file))).toBeLessThan(5_000);
    }
  });
});

describe('names of variables that hold the address of the database', () => {
  it('are those of the datasource of a Prisma schema, whatever they are called', () => {
    const schema = `
      // url = env("OLD")
      generator client { provider = "prisma-client-js" binaryTargets = env("TARGETS") }
      datasource db {
        provider  = "postgresql"
        url       = env("SHOP") // env("NOT_ME")
        /* env("NOR_ME") */
        directUrl = env("SHOP_DIRECT")
      }
      model User { id Int @default(env("NO")) }`;
    expect(namesInOrmFile('prisma/schema.prisma', schema)).toEqual(['SHOP', 'SHOP_DIRECT']);
  });

  it.each([
    ['drizzle.config.ts', 'dbCredentials: { url: process.env.DATABASE_URL! }', ['DATABASE_URL']],
    ['drizzle.config.ts', 'url: env.POSTGRES_URL, token: process.env.TURSO_AUTH_TOKEN', ['POSTGRES_URL']],
    ['drizzle.config.ts', 'const { DATABASE_URL: url, NODE_ENV } = process.env', ['DATABASE_URL']],
    ['drizzle.config.ts', '// process.env.OLD_DATABASE_URL\nurl: "postgres://localhost" ?? process.env["DB_URL"]', ['DB_URL']],
    ['drizzle.config.ts', 'url: process.env.TURSO_CONNECTION_URL, site: process.env.APP_URL', ['TURSO_CONNECTION_URL']],
    ['prisma.config.ts', "datasource: { url: env<Env>('DATABASE_URL'), directUrl: env('DIRECT_URL') }", ['DATABASE_URL', 'DIRECT_URL']],
    ['src/data-source.ts', 'url: requireEnv("DATABASE_URL"), host: process.env.DB_HOST', ['DATABASE_URL']],
    ['src/db.ts', 'postgres(Deno.env.get("PG_URI")); import.meta.env.NEXT_PUBLIC_SITE_URL', ['PG_URI']],
    ['config/config.json', '{ "production": { "use_env_variable": "SHOP_DB" } }', ['SHOP_DB']],
    ['config/database.yml', '# url: <%= ENV["OLD_URL"] %>\nurl: <%= ENV.fetch("DATABASE_URL") { "" } %>', ['DATABASE_URL']],
    ['knexfile.js', 'connection: process.env.DATABASE_URL || process.env.DATABASE_URL', ['DATABASE_URL']],
  ])('are found in %s: %s', (file, text, names) => expect(namesInOrmFile(file, text)).toEqual(names));

  it('are found in time that grows with the length of the file, not with its square', async () => {
    const pieces = ['/*', '//', 'env<', '{', 'datasource a {', 'env.', '{a}=', 'use_env_variable', '#', ' '];
    for (const text of pieces.map((piece) => piece.repeat(Math.ceil(500_000 / piece.length)))) {
      for (const file of ['a.prisma', 'drizzle.config.ts', 'config/database.yml']) {
        expect(await work(() => namesInOrmFile(file, text)), `${text.slice(0, 10)} in ${file}`).toBeLessThan(10_000);
      }
    }
  });
});
