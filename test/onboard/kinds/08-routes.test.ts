import { expect, it } from 'vitest';
import { app, type Files, initIn, textsIn } from './init-in.ts';

const hook = (body = '') =>
  `import Stripe from 'stripe';\nconst stripe = new Stripe(process.env.STRIPE_SECRET_KEY!);\nexport async function POST(request: Request) {\n  stripe.webhooks.constructEvent(await request.text(), request.headers.get('stripe-signature')!, process.env.STRIPE_WEBHOOK_SECRET!);\n${body}  return new Response();\n}\n`;

it.each<readonly [string, Files, string]>([
  [
    'the app router of Next.js',
    { 'package.json': app(['next', 'stripe']), 'vercel.json': '{}', 'app/api/billing/events/route.ts': hook() },
    '/api/billing/events',
  ],
  [
    'Express',
    {
      'package.json': app(['express', 'stripe']),
      'fly.toml': 'app = "a"\n',
      'server.js':
        "const stripe = require('stripe')(process.env.STRIPE_SECRET_KEY);\nconst app = require('express')();\napp.post('/hooks/money', (request, response) => {\n  stripe.webhooks.constructEvent(request.body, request.headers['stripe-signature'], process.env.STRIPE_WEBHOOK_SECRET);\n});\n",
    },
    '/hooks/money',
  ],
  [
    'routes of Rails',
    {
      Gemfile: "gem 'rails'\ngem 'stripe'\n",
      Procfile: 'web: puma\n',
      'config/routes.rb': "Rails.application.routes.draw do\n  post '/payments/stripe', to: 'stripe_events#create'\nend\n",
      'app/controllers/stripe_events_controller.rb':
        "class StripeEventsController < ApplicationController\n  def create\n    Stripe::Webhook.construct_event(request.body.read, request.headers['Stripe-Signature'], ENV.fetch('STRIPE_WEBHOOK_SECRET'))\n  end\nend\n",
    },
    '/payments/stripe',
  ],
])('%s: the line has the path of the route', async (_, files, path) => {
  const said = await initIn(files);
  const line = [...said.live, ...said.comments].find(({ op }) => op === 'stripe.webhook_endpoint');
  expect(line?.params.path).toBe(path);
});

it.each<readonly [string, Files]>([
  [
    'Stripe',
    { 'package.json': app(['next', 'stripe']), 'vercel.json': '{}', '.env.example': 'STRIPE_SECRET_KEY=\nSTRIPE_WEBHOOK_SECRET=\n' },
  ],
  [
    'Stripe on Netlify',
    {
      'package.json': app(['astro', 'stripe']),
      'netlify.toml': '[build]\ncommand = "astro build"\n',
      '.env.example': 'STRIPE_WEBHOOK_SECRET=\n',
    },
  ],
  [
    'Stripe in PHP',
    {
      'composer.json': { type: 'project', require: { 'stripe/stripe-php': '^16' } },
      Procfile: 'web: apache2\n',
      '.env.example': 'STRIPE_WEBHOOK_SECRET=\n',
    },
  ],
])('%s without a route that the files show: the path is a comment or marked to be checked', async (_, files) => {
  const said = await initIn(files);
  const live = said.live.find(({ op }) => op === 'stripe.webhook_endpoint');
  if (!live) return;
  expect(said.plan).toMatch(/^ +path: \S+ # (?:CHECK|TODO)/m);
});

it.each<readonly [string, Files]>([
  [
    'a backend of Convex',
    {
      'package.json': app(['react', 'convex', 'stripe']),
      'netlify.toml': '[build]\ncommand = "npx convex deploy"\n',
      'convex/http.ts':
        "import { httpRouter } from 'convex/server';\nimport { stripeHook } from './billing';\nconst http = httpRouter();\nhttp.route({ path: '/stripe/events', method: 'POST', handler: stripeHook });\nexport default http;\n",
      'convex/billing.ts': 'export const secret = process.env.STRIPE_WEBHOOK_SECRET;\nexport const stripeHook = undefined as never;\n',
    },
  ],
  [
    'a function of Supabase',
    {
      'package.json': app(['react', '@supabase/supabase-js']),
      'vercel.json': '{}',
      'supabase/config.toml': 'project_id = "a"\n',
      'supabase/functions/stripe/index.ts':
        "import Stripe from 'npm:stripe@17';\nconst stripe = new Stripe(Deno.env.get('STRIPE_SECRET_KEY')!);\nDeno.serve(async (request) => {\n  await stripe.webhooks.constructEventAsync(await request.text(), request.headers.get('stripe-signature')!, Deno.env.get('STRIPE_WEBHOOK_SECRET')!);\n  return new Response();\n});\n",
    },
  ],
  [
    'an API in another folder, on another host',
    {
      'package.json': { name: 'mono', private: true, workspaces: ['apps/*'] },
      'apps/web/package.json': app(['next'], { name: 'web' }),
      'apps/web/vercel.json': '{}',
      'apps/api/package.json': app(['express', 'stripe'], { name: 'api', scripts: { start: 'node server.js' } }),
      'apps/api/fly.toml': 'app = "api"\n',
      'apps/api/server.js':
        "const stripe = require('stripe')(process.env.STRIPE_SECRET_KEY);\nconst app = require('express')();\napp.post('/stripe', (request, response) => {\n  stripe.webhooks.constructEvent(request.body, request.headers['stripe-signature'], process.env.STRIPE_WEBHOOK_SECRET);\n});\n",
    },
  ],
])('%s receives the events: no live line sends them to the site', async (_, files) => {
  const said = await initIn(files);
  expect(said.services).toContain('stripe');
  const live = said.live.filter(({ op }) => op === 'stripe.webhook_endpoint');
  const hostLines = said.told.found
    .filter(({ name }) => ['vercel', 'netlify'].includes(name))
    .flatMap(({ lines }) => lines.map(({ id }) => id));
  for (const { params } of live) {
    const told = textsIn(params.url ?? null).map((text) => text.split('.', 1)[0]);
    expect(hostLines.filter((id) => told.includes(id))).toEqual([]);
  }
});

it.each<readonly [string, Files, string]>([
  [
    'a package of npm that both reach',
    {
      'package.json': { name: 'all', private: true, workspaces: ['apps/*', 'packages/*'] },
      'packages/pay/package.json': { name: '@all/pay', private: true, dependencies: { stripe: '18' } },
      'packages/pay/index.ts':
        "import Stripe from 'stripe';\nexport const stripe = new Stripe(process.env.STRIPE_SECRET_KEY!);\nexport const secret = process.env.STRIPE_WEBHOOK_SECRET!;\n",
      'apps/web/package.json': app(['next', '@all/pay']),
      'apps/web/vercel.json': '{}',
      'apps/web/app/api/stripe/webhook/route.ts':
        "import { secret, stripe } from '@all/pay';\nexport async function POST(request: Request) {\n  stripe.webhooks.constructEvent(await request.text(), request.headers.get('stripe-signature')!, secret);\n  return new Response();\n}\n",
      'apps/admin/package.json': app(['next', '@all/pay']),
      'apps/admin/vercel.json': '{}',
    },
    'apps/web',
  ],
  [
    'a package of pnpm, and apps on Fly.io',
    {
      'package.json': { name: 'all', private: true },
      'pnpm-workspace.yaml': 'packages:\n  - services/*\n  - libs/*\n',
      'libs/money/package.json': { name: '@all/money', private: true, dependencies: { stripe: '18' } },
      'libs/money/index.js': 'export const secret = process.env.STRIPE_WEBHOOK_SECRET;\n',
      'services/api/package.json': app(['express', 'stripe', '@all/money']),
      'services/api/fly.toml': 'app = "api"\n',
      'services/api/server.js':
        "import { secret } from '@all/money';\nimport Stripe from 'stripe';\nconst stripe = new Stripe(process.env.STRIPE_SECRET_KEY);\napp.post('/stripe/events', (request) => stripe.webhooks.constructEvent(request.body, request.headers['stripe-signature'], secret));\n",
      'services/mailer/package.json': app(['express', '@all/money']),
      'services/mailer/fly.toml': 'app = "mailer"\n',
    },
    'services/api',
  ],
])('%s: the secret of the webhook goes to the app that takes its calls', async (_, files, receiver) => {
  const said = await initIn(files);
  const takers = said.told.wired.filter(({ variable }) => variable === 'STRIPE_WEBHOOK_SECRET');
  expect(takers.map(({ deployable }) => deployable)).toEqual([receiver]);
});
