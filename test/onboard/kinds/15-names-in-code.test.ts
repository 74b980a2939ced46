import { expect, it } from 'vitest';
import { app, type Files, initIn, wiredIn } from './init-in.ts';

const neonIn = (files: Files, name: string) => [files, name] as const;
const vercel = { 'vercel.json': '{}' };

it.each<readonly [string, readonly [Files, string]]>([
  [
    'process.env',
    neonIn(
      {
        ...vercel,
        'package.json': app(['next', '@neondatabase/serverless']),
        'db.ts': "import { neon } from '@neondatabase/serverless';\nexport const sql = neon(process.env.MY_DB!);\n",
      },
      'MY_DB',
    ),
  ],
  [
    'import.meta.env',
    neonIn(
      {
        ...vercel,
        'package.json': app(['astro', '@neondatabase/serverless']),
        'src/db.ts': "import { neon } from '@neondatabase/serverless';\nexport const sql = neon(import.meta.env.MY_DB);\n",
      },
      'MY_DB',
    ),
  ],
  [
    'a workspace package',
    neonIn(
      {
        'package.json': { name: 'm', private: true, workspaces: ['apps/*', 'packages/*'] },
        'apps/web/package.json': { ...app(['next']), name: 'web', dependencies: { next: '15', '@m/db': '*' } },
        'apps/web/vercel.json': '{}',
        'packages/db/package.json': { name: '@m/db', private: true, dependencies: { '@neondatabase/serverless': '1' } },
        'packages/db/src/index.ts': "import { neon } from '@neondatabase/serverless';\nexport const sql = neon(process.env.MY_DB!);\n",
      },
      'MY_DB',
    ),
  ],
  [
    'a schema of zod',
    neonIn(
      {
        ...vercel,
        'package.json': app(['next', 'zod', '@neondatabase/serverless']),
        'env.ts': "import { z } from 'zod';\nexport const env = z.object({ MY_DB_URL: z.string().url() }).parse(process.env);\n",
        'db.ts':
          "import { neon } from '@neondatabase/serverless';\nimport { env } from './env';\nexport const sql = neon(env.MY_DB_URL);\n",
      },
      'MY_DB_URL',
    ),
  ],
  [
    'Prisma',
    neonIn(
      {
        ...vercel,
        'package.json': app(['next', '@prisma/client', '@prisma/adapter-neon']),
        'prisma/schema.prisma': 'datasource db {\n  provider = "postgresql"\n  url = env("MY_DB")\n}\n',
      },
      'MY_DB',
    ),
  ],
  [
    'System.get_env',
    neonIn(
      {
        'fly.toml': 'app = "a"\n',
        'mix.exs':
          'defmodule A.MixProject do\n  use Mix.Project\n  def project, do: [app: :a, deps: [{:phoenix, "~> 1.7"}, {:postgrex, ">= 0.0.0"}]]\nend\n',
        'config/runtime.exs': 'import Config\nconfig :a, A.Repo, url: System.get_env("MY_DB")\n# ep-a-1.eu-central-1.aws.neon.tech\n',
        '.env.example': 'MY_DB=postgres://u:p@ep-a-1.eu-central-1.aws.neon.tech/a\n',
      },
      'MY_DB',
    ),
  ],
  [
    'os.environ',
    neonIn(
      {
        'render.yaml': 'services:\n  - { type: web, name: a, runtime: python }\n',
        'requirements.txt': 'fastapi\nasyncpg\n',
        'main.py': 'import os\nimport asyncpg\npool = asyncpg.create_pool(os.environ["MY_DB"])\n',
        '.env.example': 'MY_DB=postgres://u:p@ep-a-1.eu-central-1.aws.neon.tech/a\n',
      },
      'MY_DB',
    ),
  ],
  [
    'ENV.fetch',
    neonIn(
      {
        Procfile: 'web: puma\n',
        Gemfile: "gem 'rails'\ngem 'pg'\n",
        'config/database.yml': "production:\n  url: <%= ENV.fetch('MY_DB') %>\n",
        '.env.example': 'MY_DB=postgres://u:p@ep-a-1.eu-central-1.aws.neon.tech/a\n',
      },
      'MY_DB',
    ),
  ],
  [
    'two names of one value',
    neonIn(
      {
        ...vercel,
        'package.json': app(['next', '@neondatabase/serverless', 'drizzle-orm']),
        'drizzle.config.ts': "export default { dialect: 'postgresql', dbCredentials: { url: process.env.MIGRATE_DB! } };\n",
        'db.ts': "import { neon } from '@neondatabase/serverless';\nexport const sql = neon(process.env.MY_DB!);\n",
      },
      'MIGRATE_DB',
    ),
  ],
])('a name that only %s has gets the value', async (_, [files, name]) => {
  expect(Object.keys(wiredIn(await initIn(files)))).toContain(name);
});

it.each<readonly [string, Files, string]>([
  [
    'a script of JavaScript',
    {
      'scripts/env.mjs':
        "import fs from 'node:fs';\nconst text = fs.readFileSync('.env', 'utf8');\nfs.writeFileSync('web/.env', text.replaceAll(/^PUBLIC_/gm, 'NEXT_PUBLIC_'));\n",
    },
    'NEXT_PUBLIC_SUPABASE_URL',
  ],
  ['a script of sed', { 'scripts/env.sh': "#!/bin/sh\nsed 's/^PUBLIC_/NEXT_PUBLIC_/' .env > web/.env\n" }, 'NEXT_PUBLIC_SUPABASE_URL'],
  [
    'a config that maps names',
    { 'web/next.config.js': 'module.exports = { env: { NEXT_PUBLIC_SUPABASE_URL: process.env.PUBLIC_SUPABASE_URL } };\n' },
    'NEXT_PUBLIC_SUPABASE_URL',
  ],
])('the name of the code wins over that of the example file: %s', async (_, script, name) => {
  const said = await initIn({
    'package.json': { name: 'm', private: true, workspaces: ['web'] },
    '.env.example': 'PUBLIC_SUPABASE_URL=\n',
    'web/package.json': { ...app(['next', '@supabase/supabase-js']), name: 'web' },
    'web/vercel.json': '{}',
    'web/db.ts':
      "import { createClient } from '@supabase/supabase-js';\nexport const c = createClient(process.env.NEXT_PUBLIC_SUPABASE_URL!, 'k');\n",
    ...script,
  });
  const names = Object.keys(wiredIn(said));
  // Next.js puts the value of the other name in at the build, so that one may be given instead.
  if ('web/next.config.js' in script) expect(names.some((one) => one === name || one === 'PUBLIC_SUPABASE_URL')).toBe(true);
  else {
    expect(names).toContain(name);
    expect(names).not.toContain('PUBLIC_SUPABASE_URL');
  }
});
