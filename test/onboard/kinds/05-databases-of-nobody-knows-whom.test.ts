import { expect, it } from 'vitest';
import { app, type Files, initIn } from './init-in.ts';

it.each<readonly [string, Files, string, string]>([
  [
    'Prisma with a bare address',
    {
      'package.json': app(['next', '@prisma/client']),
      'vercel.json': '{}',
      'prisma/schema.prisma': 'datasource db {\n  provider = "postgresql"\n  url = env("DATABASE_URL")\n}\n',
      '.env.example': 'DATABASE_URL=\n',
    },
    'postgres',
    'DATABASE_URL',
  ],
  [
    'Django on Railway',
    {
      'requirements.txt': 'django==5.1\npsycopg==3.2\ndj-database-url==2.3\n',
      'manage.py': '',
      'railway.json': '{}',
      'a/settings.py': 'import dj_database_url\nDATABASES = {"default": dj_database_url.config(env="DATABASE_URL")}\n',
    },
    'postgres',
    'DATABASE_URL',
  ],
  [
    'Mongoose at home',
    {
      'package.json': app(['next', 'mongoose']),
      'vercel.json': '{}',
      '.env.example': 'MONGODB_URI=mongodb://localhost:27017/shop\n',
      'lib/db.ts': "import mongoose from 'mongoose';\nmongoose.connect(process.env.MONGODB_URI!);\n",
    },
    'mongodb',
    'MONGODB_URI',
  ],
  [
    'MySQL with Drizzle',
    {
      'package.json': app(['next', 'mysql2', 'drizzle-orm']),
      'netlify.toml': '[build]\ncommand = "npm run build"\n',
      'drizzle.config.ts': "export default { dialect: 'mysql', dbCredentials: { url: process.env.DB_URL! } };\n",
    },
    'mysql',
    'DB_URL',
  ],
])('%s: the database is listed with its evidence, and ways to have one stand as comments', async (_, files, engine, variable) => {
  const said = await initIn(files);
  const entry = said.told.engines.find(({ name }) => name === engine);
  expect(entry?.evidence.length).toBeGreaterThan(0);
  expect(said.told.wired.map((one) => one.variable)).not.toContain(variable);
  expect(said.live.map(({ id }) => id)).not.toContain('database');
  expect(said.plan).toMatch(/^ *#.*\b(?:Neon|Supabase|Atlas|PlanetScale|branch|database)\b/im);
});
