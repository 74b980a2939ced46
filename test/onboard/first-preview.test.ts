import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Auth0World } from 'pilotfish-sandbox/auth0/index';
import type { VercelWorld } from 'pilotfish-sandbox/vercel/index';
import { expect, it, onTestFinished } from 'vitest';
import { pilotfish } from './command.ts';
import { type Company, openCompany } from './company.ts';
import { withComments } from './fill-in.ts';
import { follow, freshClone } from './follow.ts';

/** A shop on Next.js: Vercel builds it, Neon has its data, Auth0 its sign-in, and Stripe sends its events. */
const files = new Map([
  [
    'package.json',
    JSON.stringify({
      name: 'shop',
      private: true,
      scripts: { build: 'next build' },
      dependencies: { '@auth0/nextjs-auth0': '4.0.0', '@neondatabase/serverless': '1.0.0', next: '15.2.0', stripe: '17.0.0' },
    }),
  ],
  ['.vercel/project.json', '{"projectId":"prj_8QfZ2vYk1mN4rT7wX0bC3dE6gH9j","orgId":"team_Lk2Pq8Rt5Wv1Xz4Bn7Cm0Df3"}'],
  [
    '.env.example',
    'DATABASE_URL=postgres://u:p@ep-x-1.eu-central-1.aws.neon.tech/shop\nAUTH0_DOMAIN=\nAUTH0_CLIENT_ID=\nSTRIPE_SECRET_KEY=sk_test_x\nSTRIPE_WEBHOOK_SECRET=\n',
  ],
  ['lib/db.ts', "import { neon } from '@neondatabase/serverless';\nexport const sql = neon(process.env.DATABASE_URL!);\n"],
  [
    'app/api/webhooks/stripe/route.ts',
    "import Stripe from 'stripe';\nconst stripe = new Stripe(process.env.STRIPE_SECRET_KEY!);\nexport async function POST(request: Request) {\n  const text = await request.text();\n  stripe.webhooks.constructEvent(text, request.headers.get('stripe-signature')!, process.env.STRIPE_WEBHOOK_SECRET!);\n  return new Response();\n}\n",
  ],
  ['middleware.ts', "import { auth0 } from './lib/auth0';\nexport const middleware = (request: Request) => auth0.middleware(request);\n"],
  ['lib/auth0.ts', "import { Auth0Client } from '@auth0/nextjs-auth0/server';\nexport const auth0 = new Auth0Client();\n"],
]);

it('somebody who knows only what init prints comes to a green preview, and its build has the secret of the webhook', async () => {
  const { cwd, env } = await freshClone('shop', files);
  let company: Company | undefined;
  const open = (plan: string): Company => {
    company ??= openCompany(plan, onTestFinished, 1);
    return company;
  };
  const begun = await follow(cwd, env, open);
  // Sign-in stands in the plan as a comment until somebody wants it.
  const path = join(cwd, 'release.plan.yaml');
  await writeFile(path, withComments(await readFile(path, 'utf8')));
  const end = await follow(cwd, begun.env, open);
  const { simulations = [], world = {} } = company ?? {};
  const vercel = simulations.find(({ name }) => name === 'vercel')?.world as VercelWorld;
  const names = end.command.slice(1);
  const planned = await pilotfish(end.command, { cwd, env: end.env, world });
  expect([planned.code, planned.stderr], planned.stdout).toEqual([0, '']);
  const run = { cwd, env: { ...end.env, PILOTFISH_RECEIPTS: 'local' }, world };
  const applied = await pilotfish(['apply', ...names, '--sha', '1'.repeat(40), '--branch', 'feature'], run);
  expect(applied.code, applied.stdout).toBe(0);
  expect(applied.stdout).toMatch(/^Apply of preview\/pr-1: complete$/m);
  const auth0 = simulations.find(({ name }) => name === 'auth0')?.world as Auth0World;
  expect(auth0.client('shopWebAbCdEfGhIjKlMnOpQrStUvWxY').callbacks).toEqual([
    expect.stringMatching(/^https:\/\/.*\.vercel\.app\/auth\/callback$/),
  ]);
  const built = vercel.deployments().at(-1)?.env ?? {};
  expect(built.STRIPE_WEBHOOK_SECRET).toMatch(/^whsec_/);
  expect(built.DATABASE_URL).toMatch(/^postgres/);
  // The commands and the values that a person typed: the figures of the quick start.
  expect({ inits: begun.rounds + end.rounds, edits: begun.edits + 1 + end.edits }).toEqual({ inits: 6, edits: 6 });
});
