import { describe, expect, it } from 'vitest';
import { work } from '../../../../../test/support/work.ts';
import { variablesOfJavascript } from './javascript-variables.ts';
import { codeOf } from './source-code.ts';

const usesIn = (text: string, path = 'src/index.ts') => variablesOfJavascript(codeOf({ path, text }, 'slashes'));
const namesIn = (text: string, path?: string) => usesIn(text, path).map(({ name }) => name);
/** `NAME: engine by package, role` and `NAME > package`. */
const sensesIn = (text: string, path?: string) =>
  usesIn(text, path).map(({ name, opens, givenTo }) =>
    opens ? `${name}: ${opens.engine} by ${opens.by}${opens.role ? `, ${opens.role}` : ''}` : givenTo ? `${name} > ${givenTo}` : name,
  );

describe('variables of JavaScript', () => {
  it.each([
    ['process.env.API_URL', ['API_URL']],
    ['process.env?.API_URL ?? process.env["API_KEY"]', ['API_URL', 'API_KEY']],
    ['import.meta.env.VITE_API_URL; Bun.env.API_KEY; Deno.env.get("DENO_KEY")', ['VITE_API_URL', 'API_KEY', 'DENO_KEY']],
    ['const { API_URL, API_KEY: key, OTHER = "x" } = process.env', ['API_URL', 'API_KEY', 'OTHER']],
    ['requireEnv("API_URL"); getEnv<string>(`API_KEY`); env("ONE_KEY")', ['API_URL', 'API_KEY', 'ONE_KEY']],
    ['serverEnv.API_URL; c.env.API_KEY; env.ONE_KEY', ['API_URL', 'API_KEY', 'ONE_KEY']],
    ["import { API_URL, API_KEY as key } from '$env/static/private'", ['API_URL', 'API_KEY']],
    ["import { API_URL } from 'astro:env/server'", ['API_URL']],
    ["configService.get<string>('API_URL'); this.config.getOrThrow('API_KEY')", ['API_URL', 'API_KEY']],
    ['createEnv({ server: { API_URL: z.string().url(), API_KEY: z.string().min(1) } })', ['API_URL', 'API_KEY']],
    ['cleanEnv(process.env, { API_URL: url(), API_KEY: str({ default: "" }) })', ['API_URL', 'API_KEY']],
    ['const schema = v.object({ API_URL: v.string() }); v.parse(schema, process.env)', ['API_URL']],
    ['export default defineConfig({ env: { schema: { API_URL: envField.string({ context: "server" }) } } })', ['API_URL']],
    ['fetch(`https://${process.env.API_HOST_NAME}/x`)', ['API_HOST_NAME']],
  ])('%s', (text, names) => expect(namesIn(text)).toEqual(names));

  it.each([
    ['// process.env.OLD_KEY'],
    ['/* process.env.OLD_KEY */'],
    ['/**\n * Set process.env.OLD_KEY first.\n */'],
    ['<!-- {process.env.OLD_KEY} -->'],
    ['throw new Error("process.env.OLD_KEY is missing")'],
    ['Env.PRODUCTION; Environment.STAGING; NodeEnv.TEST'],
    ['process.env.NODE_ENV; process.env.PORT'],
    ['const schema = z.object({ STATUS: z.string() })'],
    ['const environment = { NAME_OF: "x" }'],
  ])('not in %s', (text) => expect(namesIn(text)).toEqual([]));

  it.each([
    ["const a = 'a // b'; const b = process.env.API_KEY", ['API_KEY']],
    ["const files = 'src/**/*.ts'; const b = process.env.API_KEY; /* end */", ['API_KEY']],
    ["<p>Don't</p>\n<a href={process.env.API_URL} />", ['API_URL']],
    ['const a = /* one */ process.env.API_KEY // two', ['API_KEY']],
    ['/* never closed\nconst b = process.env.API_KEY', ['API_KEY']],
  ])('behind signs that begin no comment: %s', (text, names) => expect(namesIn(text)).toEqual(names));

  it('of Nuxt are those of its runtime configuration', () => {
    const text = `export default defineNuxtConfig({
      runtimeConfig: {
        databaseUrl: '',
        mail: { apiKey: '', from: process.env.MAIL_FROM },
        public: { apiBase: '/api' },
      },
      modules: ['@nuxt/ui'],
    })`;
    expect(namesIn(text, 'nuxt.config.ts').toSorted()).toEqual([
      'MAIL_FROM',
      'NUXT_DATABASE_URL',
      'NUXT_MAIL_API_KEY',
      'NUXT_PUBLIC_API_BASE',
    ]);
  });

  it('of tests are for the work on the app', () => {
    expect(usesIn('process.env.API_KEY', 'src/a.test.ts')[0]).toMatchObject({ use: 'develop' });
    expect(usesIn('process.env.API_KEY', 'e2e/login.ts')[0]).toMatchObject({ use: 'develop' });
    expect(usesIn('\n\nprocess.env.API_KEY', 'src/a.ts')[0]).toMatchObject({ use: 'runtime', line: 3 });
  });
});

describe('the client that takes a variable', () => {
  it.each([
    ["import Stripe from 'stripe'\nnew Stripe(process.env.STRIPE_SECRET_KEY!, { apiVersion: 'x' })", ['STRIPE_SECRET_KEY > stripe']],
    [
      "import { createClient } from '@supabase/supabase-js'\nexport const c = createClient(process.env.NEXT_PUBLIC_SUPABASE_URL!, process.env.NEXT_PUBLIC_SUPABASE_ANON_KEY!)",
      ['NEXT_PUBLIC_SUPABASE_URL > @supabase/supabase-js', 'NEXT_PUBLIC_SUPABASE_ANON_KEY > @supabase/supabase-js'],
    ],
    ["const { Resend } = require('resend')\nconst key = process.env.MAIL_KEY\nnew Resend(key)", ['MAIL_KEY > resend']],
    ["import { Client } from './client'\nnew Client(process.env.API_KEY)", ['API_KEY']],
    ["import { z } from 'zod'\nz.string().parse(process.env.API_KEY)", ['API_KEY']],
  ])('%s', (text, senses) => expect(sensesIn(text)).toEqual(senses));
});

describe('the database that code opens', () => {
  it.each([
    ["import { neon } from '@neondatabase/serverless'\nneon(process.env.SHOP_URL!)", ['SHOP_URL: postgres by @neondatabase/serverless']],
    ["import pg from 'pg'\nnew pg.Pool({ connectionString: process.env.SHOP_URL })", ['SHOP_URL: postgres by pg']],
    [
      "import { Pool } from 'pg'\nnew Pool({ host: process.env.SHOP_HOST, password: process.env.SHOP_PASSWORD })",
      ['SHOP_HOST: postgres by pg, part', 'SHOP_PASSWORD: postgres by pg, part'],
    ],
    [
      "import mongoose from 'mongoose'\nconst MONGODB_URI = process.env.MONGODB_URI as string\nif (!MONGODB_URI) throw new Error('x')\nmongoose.connect(MONGODB_URI)",
      ['MONGODB_URI: mongodb by mongoose'],
    ],
    ["import { drizzle } from 'drizzle-orm/mysql2'\nexport const db = drizzle(env.SHOP_URL)", ['SHOP_URL: mysql by drizzle-orm']],
    [
      "import mongoose from 'mongoose'\nmongoose.connect(`mongodb+srv://${process.env.SHOP_NAME}:${encodeURIComponent(pw)}@x`)",
      ['SHOP_NAME: mongodb by mongoose, part'],
    ],
    [
      "import pg from 'pg'\nconst own = process.env.SHOP_NAME\nnew pg.Pool({ connectionString: 'postgres://' + own + ':x@db' })",
      ['SHOP_NAME: postgres by pg, part'],
    ],
    [
      "import { createClient } from '@libsql/client'\ncreateClient({ url: process.env.SHOP_URL!, authToken: process.env.SHOP_TOKEN })",
      ['SHOP_URL: libsql by @libsql/client', 'SHOP_TOKEN: libsql by @libsql/client, part'],
    ],
    ["import { DataSource } from 'typeorm'\nnew DataSource({ type: 'mysql', url: process.env.SHOP_URL })", ['SHOP_URL: mysql by typeorm']],
    [
      "import { Sequelize } from 'sequelize'\nconst { SHOP_URL } = process.env\nnew Sequelize(SHOP_URL, { dialect: 'postgres' })",
      ['SHOP_URL: postgres by sequelize'],
    ],
    ["import Redis from 'ioredis'\nexport default new Redis(process.env.CACHE_URL)", ['CACHE_URL: redis by ioredis']],
    [
      "import { PrismaNeon } from '@prisma/adapter-neon'\nconst connectionString = `${process.env.SHOP_URL}`\nnew PrismaNeon({ connectionString })",
      ['SHOP_URL: postgres by @prisma/adapter-neon'],
    ],
    [
      "import { Redis } from '@upstash/redis'\nRedis.fromEnv()",
      ['UPSTASH_REDIS_REST_URL > @upstash/redis', 'UPSTASH_REDIS_REST_TOKEN > @upstash/redis'],
    ],
  ])('%s', (text, senses) => expect(sensesIn(text)).toEqual(senses));

  it.each([
    [
      'drizzle.config.ts',
      "export default { dialect: 'postgresql', dbCredentials: { url: process.env.SHOP_URL! } };",
      ['SHOP_URL: postgres by drizzle-kit, migrate'],
    ],
    [
      'drizzle.config.ts',
      "import { defineConfig } from 'drizzle-kit'\nexport default defineConfig({ dialect: 'turso', dbCredentials: { url: process.env.SHOP_URL!, authToken: process.env.SHOP_TOKEN } })",
      ['SHOP_URL: libsql by drizzle-kit, migrate', 'SHOP_TOKEN: libsql by drizzle-kit, part'],
    ],
    [
      'prisma.config.ts',
      "import { defineConfig, env } from 'prisma/config'\nexport default defineConfig({ datasource: { url: env('SHOP_URL') } })",
      ['SHOP_URL: null by prisma, migrate'],
    ],
    ['knexfile.js', "module.exports = { client: 'pg', connection: process.env.SHOP_URL }", ['SHOP_URL: postgres by knex']],
    [
      'config/config.js',
      "module.exports = { production: { use_env_variable: 'SHOP_URL', dialect: 'mysql' } }",
      ['SHOP_URL: mysql by sequelize'],
    ],
  ])('in %s: %s', (path, text, senses) => expect(sensesIn(text, path)).toEqual(senses));
});

it('variables are found in time that grows with the length of the file, not with its square', async () => {
  const pieces = [
    '/*',
    '//',
    'env<',
    '{',
    'env.',
    '{A}=',
    '"\\"',
    "'",
    '`',
    'import ',
    'const a = require(',
    'env("A',
    'env.ABC',
    '(',
    'A: z.',
    'Config.get(',
    '<!--',
    'a(process.env.ABC, ',
    'const ab = process.env.ABC\nab(ab)\n',
  ];
  for (const piece of pieces) {
    const text = `import a from 'pg'\nprocess.env\n${piece.repeat(Math.ceil(300_000 / piece.length))}`;
    expect(await work(() => usesIn(text)), piece).toBeLessThan(6_000);
  }
});

describe('what a client takes at a place', () => {
  const takenIn = (text: string) =>
    usesIn(`import { connect } from 'shop-client'\n${text}`).map(({ name, givenAs }) => `${name} ${givenAs}`);

  it.each([
    ['connect(process.env.A_ONE!, process.env.A_TWO!)', ['A_ONE address', 'A_TWO key']],
    [
      'connect<Shop>(process.env.A_ONE as string, String(process.env.A_TWO), { x: 1, y: process.env.A_THREE })',
      ['A_ONE address', 'A_TWO key', 'A_THREE undefined'],
    ],
    ["const one = process.env.A_ONE ?? '';\nconst two = process.env.A_TWO;\nconnect(one, two)", ['A_ONE address', 'A_TWO key']],
    [
      'connect({ name: 1, apiUrl: process.env.A_ONE, apiKey: process.env.A_TWO, size: process.env.A_THREE })',
      ['A_ONE address', 'A_TWO key', 'A_THREE undefined'],
    ],
    ['connect(process.env.A_ONE)', ['A_ONE undefined']],
    ['connect(process.env.A_ONE, { x: 1 })', ['A_ONE undefined']],
    ["connect([process.env.A_ONE, process.env.A_TWO], 'x')", ['A_ONE undefined', 'A_TWO undefined']],
  ])('%s', (text, expected) => expect(takenIn(text)).toEqual(expected));
});
