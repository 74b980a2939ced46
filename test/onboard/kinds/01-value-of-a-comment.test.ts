import { expect, it } from 'vitest';
import { app, danglingIn, type Files, initIn } from './init-in.ts';

const sets: readonly (readonly [what: string, files: Files, service: string, variable: string])[] = [
  [
    'Turso, whose organization no file names',
    {
      'package.json': app(['next', '@libsql/client']),
      'vercel.json': '{}',
      'lib/db.ts':
        "import { createClient } from '@libsql/client';\nexport const db = createClient({ url: process.env.TURSO_DATABASE_URL! });\n",
    },
    'turso',
    'TURSO_DATABASE_URL',
  ],
  [
    'Turso under the name of another database',
    {
      'package.json': app(['next', '@libsql/client', 'drizzle-orm']),
      'netlify.toml': '[build]\ncommand = "npm run build"\n',
      'drizzle.config.ts': "export default { dialect: 'turso', dbCredentials: { url: process.env.DATABASE_URL! } };\n",
      '.env.example': 'DATABASE_URL=libsql://shop-acme.turso.io\n',
    },
    'turso',
    'DATABASE_URL',
  ],
  [
    'Prisma Postgres beside Neon',
    {
      'package.json': app(['next', '@neondatabase/serverless', '@prisma/client']),
      'vercel.json': '{}',
      'lib/db.ts': "import { neon } from '@neondatabase/serverless';\nexport const sql = neon(process.env.DATABASE_URL!);\n",
      '.env.example':
        'DATABASE_URL=postgres://u:p@ep-a-1.eu-central-1.aws.neon.tech/shop\nARCHIVE_URL=postgres://u:p@db.prisma.io:5432/x\n',
    },
    'prisma_postgres',
    'ARCHIVE_URL',
  ],
  [
    'CockroachDB, whose cluster no file names',
    {
      'package.json': app(['next', 'pg']),
      'vercel.json': '{}',
      'lib/db.ts': "import { Pool } from 'pg';\nexport const pool = new Pool({ connectionString: process.env.COCKROACH_URL });\n",
      '.env.example': 'COCKROACH_URL=postgresql://u:p@shop-123.aws-eu-central-1.cockroachlabs.cloud:26257/defaultdb\n',
    },
    'cockroachdb',
    'COCKROACH_URL',
  ],
];

it.each(sets)('%s: no live line gives a value that only a comment would make', async (_, files, service, variable) => {
  const said = await initIn(files);
  expect(said.services).toContain(service);
  expect(danglingIn(said)).toEqual([]);
  const lines = said.told.found.find(({ name }) => name === service)?.lines ?? [];
  const isMade = lines.some(({ state }) => state === 'line');
  const given = said.live.filter(({ params }) => Object.values(params).includes(variable));
  if (!isMade) expect(given).toEqual([]);
  if (!isMade && lines.length > 0) expect(said.next.why).not.toMatch(/no placeholder left/);
});
