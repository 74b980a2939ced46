import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { pilotfish } from '../command.ts';
import { app, type Files, initAgain, initIn, layIn, replaceIn } from './init-in.ts';

const sets: readonly (readonly [string, Files])[] = [
  [
    'Neon, Clerk and Stripe on Vercel',
    {
      'package.json': app(['next', '@neondatabase/serverless', '@clerk/nextjs', 'stripe']),
      'vercel.json': '{}',
      'middleware.ts': "export { clerkMiddleware as default } from '@clerk/nextjs/server';\n",
      'db.ts': "import { neon } from '@neondatabase/serverless';\nexport const sql = neon(process.env.DATABASE_URL!);\n",
      'app/api/stripe/route.ts':
        "import Stripe from 'stripe';\nexport async function POST(r: Request) {\n  new Stripe(process.env.STRIPE_SECRET_KEY!).webhooks.constructEvent(await r.text(), '', process.env.STRIPE_WEBHOOK_SECRET!);\n  return new Response();\n}\n",
    },
  ],
  [
    'Supabase and Auth0 on Netlify',
    {
      'package.json': app(['astro', '@supabase/supabase-js', '@auth0/auth0-react']),
      'netlify.toml': '[build]\ncommand = "astro build"\n',
      'src/c.ts':
        "import { createClient } from '@supabase/supabase-js';\nexport const c = createClient(import.meta.env.PUBLIC_SUPABASE_URL, import.meta.env.PUBLIC_SUPABASE_ANON_KEY);\n",
      '.env.example': 'AUTH0_DOMAIN=\nAUTH0_CLIENT_ID=\n',
    },
  ],
  [
    'Rails on Heroku',
    {
      Gemfile: "gem 'rails'\ngem 'stripe'\ngem 'sentry-ruby'\ngem 'launchdarkly-server-sdk'\n",
      Procfile: 'web: puma\n',
      'config/initializers/stripe.rb': "Stripe.api_key = ENV['STRIPE_SECRET_KEY']\n",
    },
  ],
];

it.each(sets)('%s: a second run changes nothing and calls nothing new', async (_, files) => {
  const first = await initIn(files);
  const before = first.plan;
  const second = await initAgain(first.cwd);
  expect(second.plan).toBe(before);
  const states = second.told.found.flatMap(({ lines }) => lines.map(({ id, state }) => `${id}: ${state}`));
  expect(states.filter((state) => state.endsWith(': new'))).toEqual([]);
});

it.each(sets)('%s: --add puts a line in the place of its comment', async (_, files) => {
  const first = await initIn(files);
  const [comment] = first.comments;
  if (!comment) return;
  const second = await initAgain(first.cwd, ['--add', comment.id]);
  expect(second.live.map(({ id }) => id)).toContain(comment.id);
  expect(second.plan.match(new RegExp(`^ *#? *- id: ${comment.id}$`, 'gm'))).toHaveLength(1);
});

it.each<readonly [string, string, string]>([
  [
    'a project of Neon',
    'adapter: neon\n    op: branch\n    project_id: winter-lake-11112222\n    branch_name: ${ctx.scope}',
    'winter-lake-11112222',
  ],
  ['a team of Vercel', 'adapter: vercel\n    op: deploy\n    project: other-shop', 'other-shop'],
  [
    'a site of Netlify',
    'adapter: netlify\n    op: deploy\n    account_id: acme\n    site_id: 99999999-9999-4999-8999-999999999999',
    '99999999-9999-4999-8999-999999999999',
  ],
])('the plan’s own value goes before that of a file: %s', async (what, line, value) => {
  const cwd = await layIn({
    'package.json': app(['next', '@neondatabase/serverless']),
    ...(what.includes('Netlify')
      ? { 'netlify.toml': '[build]\n', '.netlify/state.json': { siteId: '11111111-1111-4111-8111-111111111111' } }
      : { '.vercel/project.json': { projectId: 'prj_file', orgId: 'team_file' } }),
    '.neon': { projectId: 'file-lake-33334444' },
    'db.ts': "import { neon } from '@neondatabase/serverless';\nexport const sql = neon(process.env.DATABASE_URL!);\n",
    'release.plan.yaml': `version: 1\n\nchanges:\n  - id: ours\n    ${line}\n`,
  });
  const said = await initAgain(cwd);
  const added = said.told.found.flatMap(({ lines }) => lines.filter(({ state }) => state === 'new').map(({ id }) => id));
  for (const id of added.slice(0, 3)) await pilotfish(['init', '--add', id], { cwd });
  const plan = await readFile(join(cwd, 'release.plan.yaml'), 'utf8');
  expect(plan).toContain(value);
  const others = {
    'winter-lake-11112222': 'file-lake-33334444',
    'other-shop': 'prj_file',
    '99999999-9999-4999-8999-999999999999': '11111111-1111-4111-8111-111111111111',
  };
  expect(plan).not.toContain(others[value as keyof typeof others]);
});

it.each([
  ['a plan without lines', 'version: 1\n\nchanges: []\n'],
  ['the line endings of Windows', 'version: 1\r\nchanges: []\r\n'],
  ['a line of another provider', 'version: 1\nchanges:\n  - { id: a, recipe: stripe.coupon, coupon_id: x }\n'],
])('a release.plan.yml is noticed, and no second plan is written: %s', async (_, text) => {
  const cwd = await layIn({ 'package.json': app(['next', '@neondatabase/serverless']), 'vercel.json': '{}', 'release.plan.yml': text });
  const told = await pilotfish(['init'], { cwd });
  expect(told.stdout + told.stderr).toContain('release.plan.yml');
  expect(await readFile(join(cwd, 'release.plan.yaml'), 'utf8').catch(() => null)).toBeNull();
  expect(await readFile(join(cwd, 'release.plan.yml'), 'utf8')).toBe(text);
});

it('a plan of people keeps its lines and its words', async () => {
  const first = await initIn(sets[0]?.[1] ?? {});
  await replaceIn(first.cwd, (plan) => `${plan}\n# ours\n`);
  expect((await initAgain(first.cwd)).plan.endsWith('# ours\n')).toBe(true);
  expect(parse(first.plan).version).toBe(1);
});
