import { expect, it } from 'vitest';
import { app, type Files, initIn } from './init-in.ts';

/** Each as a package, as variables, and in a third form where it has one. */
const table: readonly (readonly [service: string, ...sets: readonly Files[]])[] = [
  [
    'google_oauth',
    {
      'package.json': app(['next', 'next-auth']),
      'lib/auth.ts': "import Google from 'next-auth/providers/google';\nexport const options = { providers: [Google] };\n",
    },
    {
      'package.json': app(['express', '@auth/express']),
      'src/auth.js': "import Google from '@auth/express/providers/google';\nexport const options = { providers: [Google] };\n",
    },
    { 'requirements.txt': 'django\n', 'config/settings.py': "INSTALLED_APPS = ['allauth.socialaccount.providers.google']\n" },
  ],
  [
    'metabase',
    { 'package.json': app(['next', '@metabase/embedding-sdk-react']) },
    { '.env.example': 'METABASE_SITE_URL=\nMETABASE_SECRET_KEY=\n' },
    { 'lib/charts.ts': "export const charts = 'https://numbers.metabaseapp.com/api/embed';\n" },
  ],
  [
    'govuk_notify',
    { 'package.json': app(['next', 'notifications-node-client']) },
    { '.env.example': 'GOVUK_NOTIFY_API_KEY=\n' },
    { 'lib/letters.ts': "await fetch('https://api.notifications.service.gov.uk/v2/notifications/email');\n" },
  ],
  [
    'google_analytics',
    {
      'package.json': app(['next', 'firebase']),
      'lib/a.ts': "import { getAnalytics } from 'firebase/analytics';\nexport const events = getAnalytics();\n",
    },
  ],
  ['openstreetmap', { 'app/map.tsx': "export const tiles = 'https://{s}.tile.openstreetmap.org/{z}/{x}/{y}.png';\n" }],
  [
    'cloudinary',
    { '.env.example': 'CLOUD_NAME=\n', 'lib/a.ts': 'export const at = `https://res.cloudinary.com/${process.env.CLOUD_NAME}`;\n' },
  ],
  ['tinybird', { '.env.example': 'TINYBIRD_TOKEN=\nTINYBIRD_HOST=\n' }],
  ['axiom', { 'package.json': app(['next', 'next-axiom']) }, { '.env.example': 'AXIOM_TOKEN=\nAXIOM_DATASET=\n' }],
  ['clickhouse', { 'package.json': app(['next', '@clickhouse/client']) }],
  ['next_auth', { 'package.json': app(['next', 'next-auth']) }],
  ['better_auth', { 'package.json': app(['next', 'better-auth']) }],
  ['vercel_blob', { 'package.json': app(['next', '@vercel/blob']) }, { '.env.example': 'BLOB_READ_WRITE_TOKEN=\n' }],
  ['edge_config', { 'package.json': app(['next', '@vercel/edge-config']) }],
  ['plausible', { 'package.json': app(['next', 'next-plausible']) }],
  ['openpanel', { 'package.json': app(['next', '@openpanel/nextjs']) }],
  ['crisp', { 'package.json': app(['next', 'crisp-sdk-web']) }],
  ['slack', { 'package.json': app(['next', '@slack/web-api']) }, { '.env.example': 'SLACK_BOT_TOKEN=\nSLACK_SIGNING_SECRET=\n' }],
  ['cognito', { 'package.json': app(['next', '@aws-sdk/client-cognito-identity-provider']) }],
  ['entra_id', { 'package.json': app(['next', '@azure/msal-node']) }],
  ['keycloak', { 'package.json': app(['next', 'keycloak-js']) }],
  ['tigris', { 'lib/s3.ts': "export const endpoint = 'https://fly.storage.tigris.dev';\n" }],
  [
    'turnstile',
    { 'package.json': app(['next', '@marsidev/react-turnstile']) },
    { '.env.example': 'NEXT_PUBLIC_TURNSTILE_SITE_KEY=\nTURNSTILE_SECRET_KEY=\n' },
  ],
  ['entra_id', { 'package.json': app(['next', 'passport-microsoft']) }],
  ['cloudflare_images', { 'package.json': app(['hono']), 'wrangler.toml': 'name = "a"\nmain = "a.ts"\n\n[images]\nbinding = "IMAGES"\n' }],
  [
    'cloudflare_kv',
    { 'package.json': app(['nuxt', 'unstorage']), 'server/a.ts': "import kv from 'unstorage/drivers/cloudflare-kv-binding';\n" },
  ],
  ['in_app_purchases', { 'package.json': app(['expo', 'react-native-iap']) }],
  ['knock', { 'package.json': app(['next', '@knocklabs/node']) }],
  ['loops', { 'package.json': app(['next', 'loops']) }],
  ['trigger_dev', { 'package.json': app(['next', '@trigger.dev/sdk']) }],
  ['liveblocks', { 'package.json': app(['next', '@liveblocks/client']) }],
  ['pusher', { 'package.json': app(['next', 'pusher']) }],
  ['meilisearch', { 'package.json': app(['next', 'meilisearch']) }],
  ['typesense', { 'package.json': app(['next', 'typesense']) }],
  ['cloudinary', { 'package.json': app(['next', 'cloudinary']) }, { '.env.example': 'CLOUDINARY_URL=\nCLOUDINARY_API_SECRET=\n' }],
  ['uploadthing', { 'package.json': app(['next', 'uploadthing']) }],
  ['mux', { 'package.json': app(['next', '@mux/mux-node']) }],
  ['langfuse', { 'package.json': app(['next', 'langfuse']) }],
  ['brevo', { 'package.json': app(['next', '@getbrevo/brevo']) }],
  ['mailchimp', { 'package.json': app(['next', '@mailchimp/mailchimp_marketing']) }],
  [
    'algolia',
    { 'package.json': app(['next', 'algoliasearch']) },
    { 'package.json': app(['next', 'react-instantsearch', 'algoliasearch']) },
  ],
  ['amazon_ses', { 'package.json': app(['next', '@aws-sdk/client-ses']) }],
  ['amazon_sqs', { 'package.json': app(['next', '@aws-sdk/client-sqs']) }],
  ['dynamodb', { 'package.json': app(['next', '@aws-sdk/client-dynamodb']) }],
  ['cloudwatch', { 'package.json': app(['next', '@aws-sdk/client-cloudwatch-logs']) }],
  ['firestore', { 'package.json': app(['next', '@google-cloud/firestore']) }],
  ['fastly', { '.env.example': 'FASTLY_API_TOKEN=\nFASTLY_SERVICE_ID=\n' }],
  ['papertrail', { '.env.example': 'PAPERTRAIL_API_TOKEN=\nPAPERTRAIL_HOST=\n' }],
  ['scout', { 'package.json': app(['next', '@scout_apm/scout-apm']) }],
];

it.each(table.flatMap(([service, ...sets]) => sets.map((files, i) => [service, i + 1, files] as const)))(
  '%s is known, file set %d',
  async (service, _, files) => {
    const said = await initIn({ 'package.json': app(['next']), 'vercel.json': '{}', ...files });
    expect(said.services).toContain(service);
  },
);

it.each<readonly [string, string]>([
  ['d1_databases = [{ binding = "DB", database_name = "a", database_id = "b" }]', 'cloudflare_d1'],
  ['kv_namespaces = [{ binding = "KV", id = "a" }]', 'cloudflare_kv'],
  ['r2_buckets = [{ binding = "R2", bucket_name = "a" }]', 'cloudflare_r2'],
  ['queues = { producers = [{ binding = "Q", queue = "a" }] }', 'cloudflare_queues'],
])('a binding of a Worker tells of its service: %s', async (binding, service) => {
  const said = await initIn({ 'package.json': app(['hono']), 'wrangler.toml': `name = "a"\nmain = "src/index.ts"\n${binding}\n` });
  expect(said.services).toContain(service);
});

it.each<Files>([
  { '.env.example': 'NEXTAUTH_SECRET=\nNEXTAUTH_URL=\n' },
  { 'src/a.ts': 'export const at = process.env.NEXTAUTH_URL;\n' },
  { '.env.example': 'NEXTAUTH_URL=\n', 'src/a.ts': 'export const at = process.env.NEXTAUTH_URL;\n' },
])('names that Auth.js left behind tell nothing of it: %j', async (files) => {
  const said = await initIn({ 'package.json': app(['next']), 'vercel.json': '{}', ...files });
  expect(said.services).not.toContain('next_auth');
});

it.each(['typesense-instantsearch-adapter', '@meilisearch/instant-meilisearch'])(
  'the widgets of InstantSearch with %s are of another engine than Algolia',
  async (adapter) => {
    const files = (more: readonly string[]): Files => ({
      'package.json': app(['next', 'react-instantsearch', ...more]),
      'vercel.json': '{}',
    });
    expect((await initIn(files([]))).services).toContain('algolia');
    expect((await initIn(files([adapter]))).services).not.toContain('algolia');
  },
);

it('settings that take a file without the variable of their database do not use SQLite beside it', async () => {
  const settings = "import dj_database_url\nDATABASES = {'default': dj_database_url.config(default='sqlite:///shop.db')}\n";
  const files = (packages: string): Files => ({
    'requirements.txt': packages,
    Procfile: 'web: gunicorn shop.wsgi\n',
    'shop/settings.py': settings,
  });
  expect((await initIn(files('django\ndj-database-url\n'))).services).toContain('sqlite');
  const both = (await initIn(files('django\ndj-database-url\npsycopg2\n'))).services;
  expect(both).toContain('postgres');
  expect(both).not.toContain('sqlite');
});
