import { expect, it } from 'vitest';
import { app, type Files, initIn } from './init-in.ts';

it.each<readonly [string, Files, readonly string[]]>([
  [
    'a mail server and a bucket',
    {
      'package.json': app(['fastify', 'nodemailer']),
      'fly.toml': 'app = "a"\n',
      'mail.js':
        "import nodemailer from 'nodemailer';\nexport const mail = nodemailer.createTransport({ host: 'smtp.postmarkapp.com', port: 587 });\n",
      'files.js': "export const bucket = 'gs://forms-uploads';\n",
    },
    ['postmark_server', 'google_cloud_storage'],
  ],
  [
    'a DSN',
    {
      'package.json': app(['vite']),
      'netlify.toml': '[build]\ncommand = "vite build"\n',
      'src/errors.js': "export const dsn = 'https://0123456789abcdef0123456789abcdef@o45.ingest.de.sentry.io/46';\n",
    },
    ['sentry'],
  ],
  [
    'an address in settings of Python',
    {
      'requirements.txt': 'django\n',
      'manage.py': '',
      'render.yaml': 'services:\n  - { type: web, name: a, runtime: python }\n',
      'a/settings.py': 'EMAIL_HOST = "smtp.sendgrid.net"\n',
    },
    ['sendgrid'],
  ],
])('%s: an address alone tells of the service', async (_, files, services) => {
  expect((await initIn(files)).services).toEqual(expect.arrayContaining([...services]));
});

it.each<readonly [string, Files, readonly string[], string]>([
  [
    '1Password',
    { 'env.op': 'DATABASE_URL=op://team/neon-letters/url\nSENTRY_DSN=op://team/sentry/dsn\nMUX_TOKEN_ID=op://team/mux/id\n' },
    ['neon', 'sentry', 'mux'],
    'team/neon-letters',
  ],
  [
    'Doppler',
    {
      'doppler.yaml': 'setup:\n  - { project: letters, config: dev }\n',
      'doppler-template.yaml':
        'projects:\n  - name: letters\n    environments: []\n    secrets:\n      dev: { POSTMARK_API_TOKEN: "not-a-real-value-1", SENTRY_DSN: "" }\n',
    },
    ['sentry'],
    'not-a-real-value-1',
  ],
  [
    'Kamal',
    {
      'config/deploy.yml': 'service: a\nimage: acme/a\nservers: [192.0.2.1]\nenv:\n  secret: [STRIPE_SECRET_KEY, SENTRY_DSN]\n',
      '.kamal/secrets': 'STRIPE_SECRET_KEY=$(op read op://team/stripe/key)\n',
    },
    ['stripe', 'sentry'],
    'op read',
  ],
])('a list of %s tells names, and no value is shown', async (_, files, services, value) => {
  const said = await initIn({ 'package.json': app(['next', 'pg']), 'vercel.json': '{}', ...files });
  expect(said.services).toEqual(expect.arrayContaining([...services]));
  for (const text of [await said.text(), said.plan, said.json]) expect(text).not.toContain(value);
});
