import { expect, it } from 'vitest';
import { app, type Files, initIn } from './init-in.ts';

it.each<readonly [string, Files]>([
  ['SvelteKit without a host', { 'package.json': app(['@sveltejs/kit', '@neondatabase/serverless']), '.env.example': 'DATABASE_URL=\n' }],
  [
    'a container without a host',
    {
      'package.json': app(['express', '@supabase/supabase-js']),
      Dockerfile: 'FROM node:24\n',
      'db.js':
        "import { createClient } from '@supabase/supabase-js';\nexport const c = createClient(process.env.SUPABASE_URL, process.env.SUPABASE_ANON_KEY);\n",
    },
  ],
  [
    'FastAPI without a host',
    {
      'requirements.txt': 'fastapi\nasyncpg\n',
      '.env.example': 'DATABASE_URL=postgres://u:p@ep-a-1.eu-central-1.aws.neon.tech/a\n',
      'main.py': 'import os\nurl = os.environ["DATABASE_URL"]\n',
    },
  ],
])('%s: nothing is made that nobody gets, and init says why', async (_, files) => {
  const said = await initIn(files);
  expect(said.live).toEqual([]);
  expect(`${await said.text()}\n${said.plan}`).toMatch(/\bhosts?\b/i);
});

const job = (deploy: string, env: string) =>
  `on: pull_request\njobs:\n  a:\n    runs-on: ubuntu-latest\n    env:\n${env}    steps:\n      - uses: actions/checkout@v4\n${deploy}`;

it.each<readonly [string, Files, readonly string[]]>([
  [
    'Pages from a workflow',
    {
      'package.json': app(['next', '@supabase/supabase-js']),
      'src/c.ts':
        "import { createClient } from '@supabase/supabase-js';\nexport const c = createClient(process.env.NEXT_PUBLIC_SUPABASE_URL!, process.env.NEXT_PUBLIC_SUPABASE_ANON_KEY!);\n",
      '.github/workflows/pages.yml': job(
        '      - run: npm run build\n      - run: npx wrangler pages deploy dist --project-name dash --branch ${{ github.head_ref }}\n',
        '      NEXT_PUBLIC_SUPABASE_URL: ${{ secrets.SUPABASE_URL }}\n      NEXT_PUBLIC_SUPABASE_ANON_KEY: ${{ secrets.SUPABASE_ANON_KEY }}\n',
      ),
    },
    ['NEXT_PUBLIC_SUPABASE_URL', 'NEXT_PUBLIC_SUPABASE_ANON_KEY'],
  ],
  [
    'Netlify from a workflow',
    {
      'package.json': app(['vite', '@supabase/supabase-js'], { scripts: { build: 'vite build' } }),
      'src/c.ts':
        "import { createClient } from '@supabase/supabase-js';\nexport const c = createClient(import.meta.env.VITE_SUPABASE_URL, import.meta.env.VITE_SUPABASE_ANON_KEY);\n",
      '.github/workflows/deploy.yml': job(
        '      - run: npm ci && npm run build\n      - run: npx netlify deploy --dir dist --alias pr-${{ github.event.number }}\n',
        '      VITE_SUPABASE_URL: ${{ secrets.A }}\n      VITE_SUPABASE_ANON_KEY: ${{ secrets.B }}\n',
      ),
    },
    ['VITE_SUPABASE_URL', 'VITE_SUPABASE_ANON_KEY'],
  ],
  [
    'Vercel, prebuilt',
    {
      'package.json': app(['next', '@neondatabase/serverless']),
      'lib/db.ts': "import { neon } from '@neondatabase/serverless';\nexport const sql = neon(process.env.DATABASE_URL!);\n",
      '.github/workflows/preview.yml': job(
        '      - run: npx vercel build\n      - run: npx vercel deploy --prebuilt --token=$VERCEL_TOKEN\n',
        '      DATABASE_URL: ${{ secrets.DATABASE_URL }}\n',
      ),
    },
    ['DATABASE_URL'],
  ],
])('%s: the values go to the job, and init says how', async (_, files, variables) => {
  const said = await initIn(files);
  for (const variable of variables) expect(said.told.wired.find((one) => one.variable === variable)?.where, variable).toBe('job');
  expect(await said.text()).toMatch(/\bjob\b/);
});
