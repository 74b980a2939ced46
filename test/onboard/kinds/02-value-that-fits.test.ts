import { expect, it } from 'vitest';
import { app, type Files, giverOf, initIn, wiredIn } from './init-in.ts';

const neon = { 'vercel.json': '{}', 'package.json': app(['next', '@neondatabase/serverless']) };
const supabase = { 'vercel.json': '{}', 'package.json': app(['next', '@supabase/supabase-js', 'postgres', 'drizzle-orm']) };

it.each<readonly [string, Files, Readonly<Record<string, string>>]>([
  [
    'a name of its own, which the code opens',
    { ...neon, 'lib/db.ts': "import { neon } from '@neondatabase/serverless';\nexport const sql = neon(process.env.SHOP_DB!);\n" },
    { SHOP_DB: 'neon' },
  ],
  [
    'the address of the API and the connection string',
    {
      ...supabase,
      'lib/api.ts':
        "import { createClient } from '@supabase/supabase-js';\nexport const api = createClient(process.env.SB_API!, process.env.SB_PUBLIC!);\n",
      'drizzle.config.ts': "export default { dialect: 'postgresql', dbCredentials: { url: process.env.SB_DB! } };\n",
    },
    { SB_API: 'supabase', SB_DB: 'supabase' },
  ],
  [
    'two databases, each under its own name',
    {
      'vercel.json': '{}',
      'package.json': app(['next', '@neondatabase/serverless', '@supabase/supabase-js']),
      '.env.example':
        'MAIN_URL=postgres://u:p@ep-a-1.eu-central-1.aws.neon.tech/shop\nNEXT_PUBLIC_SUPABASE_URL=https://abcdefghijklmnopqrst.supabase.co\n',
      'lib/db.ts': "import { neon } from '@neondatabase/serverless';\nexport const sql = neon(process.env.MAIN_URL!);\n",
    },
    { MAIN_URL: 'neon' },
  ],
])('%s: the name that the code reads gets the value of that service', async (_, files, expected) => {
  const said = await initIn(files);
  const givers = Object.fromEntries(Object.keys(expected).map((variable) => [variable, giverOf(said, variable)]));
  expect(givers).toEqual(expected);
});

it('the kind of a value fits the name: pooled and direct, address and key', async () => {
  const said = await initIn({
    ...supabase,
    'prisma/schema.prisma': 'datasource db {\n  provider = "postgresql"\n  url = env("POOLED_DB")\n  directUrl = env("DIRECT_DB")\n}\n',
    'lib/api.ts':
      "import { createClient } from '@supabase/supabase-js';\nexport const api = createClient(process.env.SB_API!, process.env.SB_PUBLIC!);\n",
  });
  const wired = wiredIn(said);
  expect(wired.DIRECT_DB).toMatch(/\.db_url$/);
  expect(wired.POOLED_DB).toMatch(/\.(?:pooler_url|prisma_url)$/);
  expect(wired.SB_API).toMatch(/\.api_url$/);
  expect(wired.SB_PUBLIC).toMatch(/\.publishable_key$/);
});

it.each<readonly [string, Files, string]>([
  [
    'another provider of the same file',
    {
      ...neon,
      '.env.example':
        'DATABASE_URL=mysql://u:p@aws.connect.psdb.cloud/shop\nNEON_URL=postgres://u:p@ep-a-1.eu-central-1.aws.neon.tech/shop\n',
    },
    'DATABASE_URL',
  ],
  [
    'another protocol',
    {
      'vercel.json': '{}',
      'package.json': app(['next', 'convex', '@prisma/client']),
      'convex/schema.ts': 'export default {};\n',
      'prisma/schema.prisma': 'datasource db {\n  provider = "postgresql"\n  url = env("REPORTS_DATABASE_URL")\n}\n',
    },
    'REPORTS_DATABASE_URL',
  ],
  [
    'another kind of value',
    {
      ...neon,
      'lib/db.ts':
        "import { neon } from '@neondatabase/serverless';\nexport const sql = neon(process.env.SHOP_DB!);\nexport const name = process.env.DATABASE_NAME_SUFFIX;\n",
    },
    'DATABASE_NAME_SUFFIX',
  ],
])('a name of %s gets nothing from the database', async (_, files, variable) => {
  const giver = giverOf(await initIn(files), variable);
  expect([undefined, 'planetscale']).toContain(giver);
});
