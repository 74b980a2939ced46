import { expect, it } from 'vitest';
import { app, type Files, initIn, runsIn } from './init-in.ts';

it.each<readonly [string, Files]>([
  [
    'Turso on Fly',
    {
      'package.json': app(['@libsql/client']),
      'fly.toml': 'app = "shop"\n',
      'db.js': "import { createClient } from '@libsql/client';\nexport const db = createClient({ url: process.env.DATABASE_URL });\n",
    },
  ],
  [
    'Turso on Heroku',
    {
      'package.json': app(['@libsql/client', 'express']),
      Procfile: 'web: npm start\n',
      'db.js':
        "import { createClient } from '@libsql/client';\nexport const db = createClient({ url: process.env.TURSO_DATABASE_URL, authToken: process.env.TURSO_AUTH_TOKEN });\n",
    },
  ],
  [
    'Upstash and Stripe on Netlify',
    {
      'package.json': app(['astro', 'stripe', '@upstash/redis']),
      'netlify.toml': '[build]\ncommand = "astro build"\n',
      'src/pages/api/stripe.ts':
        "import Stripe from 'stripe';\nimport { Redis } from '@upstash/redis';\nexport const redis = Redis.fromEnv();\nexport const POST = async ({ request }) => new Stripe(process.env.STRIPE_SECRET_KEY).webhooks.constructEvent(await request.text(), '', process.env.STRIPE_WEBHOOK_SECRET);\n",
    },
  ],
  [
    'Supabase with a push of the whole schema, on Railway',
    {
      'package.json': app(['@supabase/supabase-js', 'postgres']),
      'railway.json': '{}',
      'db.ts':
        "import postgres from 'postgres';\nexport const sql = postgres(process.env.DATABASE_URL!);\nexport const key = process.env.SUPABASE_SERVICE_ROLE_KEY;\n",
    },
  ],
  [
    'PlanetScale on Render',
    {
      'package.json': app(['@planetscale/database']),
      'render.yaml': 'services:\n  - { type: web, name: shop, runtime: node, envVars: [{ key: DATABASE_URL, sync: false }] }\n',
      'db.ts': "import { connect } from '@planetscale/database';\nexport const db = connect({ url: process.env.DATABASE_URL });\n",
    },
  ],
])('%s: the plan runs as it stands and with each comment made a line', async (_, files) => {
  expect(await runsIn(await initIn(files))).toEqual([]);
});
