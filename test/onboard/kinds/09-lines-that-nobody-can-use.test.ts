import { expect, it } from 'vitest';
import { app, danglingIn, type Files, initIn } from './init-in.ts';

it.each<readonly [string, Files, string]>([
  [
    'a database whose values reach no variable',
    { 'package.json': app(['@sveltejs/kit', '@neondatabase/serverless']), '.env.example': 'DATABASE_URL=\n' },
    'neon',
  ],
  ['a cache that no name reads', { 'package.json': app(['next', '@upstash/redis']), 'vercel.json': '{}' }, 'upstash_redis'],
  [
    'a schedule where nothing schedules',
    {
      'package.json': app(['next', '@upstash/qstash']),
      'vercel.json': '{}',
      'lib/queue.ts':
        "import { Client } from '@upstash/qstash';\nexport const q = new Client({ token: process.env.QSTASH_TOKEN! });\nexport const send = (url: string) => q.publishJSON({ url, body: {} });\n",
    },
    'qstash',
  ],
  [
    'a webhook that no route takes',
    { 'package.json': app(['next', '@stripe/stripe-js']), 'vercel.json': '{}', '.env.example': 'NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY=\n' },
    'stripe',
  ],
  [
    'a report of a release, alone',
    {
      Gemfile: "gem 'rails'\ngem 'bugsnag'\n",
      Procfile: 'web: puma\n',
      'config/initializers/bugsnag.rb': "Bugsnag.configure { |c| c.api_key = ENV['BUGSNAG_API_KEY'] }\n",
    },
    'bugsnag',
  ],
  [
    'mail that nobody receives',
    { 'package.json': app(['next', 'resend']), 'vercel.json': '{}', '.env.example': 'RESEND_API_KEY=\n' },
    'resend',
  ],
])('%s: the service is found and none of its lines is live', async (_, files, service) => {
  const said = await initIn(files);
  expect(said.services).toContain(service);
  const live = said.told.found.filter(({ name }) => name === service).flatMap(({ lines }) => lines.filter(({ state }) => state === 'line'));
  expect(live).toEqual([]);
  expect(danglingIn(said)).toEqual([]);
});

it.each<readonly [string, Files]>([
  ['Cloudflare Pages', { 'package.json': app(['astro']), 'wrangler.toml': 'name = "shop"\npages_build_output_dir = "dist"\n' }],
  ['Render', { 'package.json': app(['express']), 'render.yaml': 'services:\n  - { type: web, name: shop, runtime: node }\n' }],
  ['DigitalOcean', { 'package.json': app(['express']), '.do/app.yaml': 'name: shop\nservices: []\n' }],
])('%s: no example line is live', async (_, files) => {
  const said = await initIn(files);
  expect(said.live.filter(({ params }) => JSON.stringify(params).includes('your-variable'))).toEqual([]);
});
