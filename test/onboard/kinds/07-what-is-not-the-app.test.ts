import { expect, it } from 'vitest';
import { type Files, initIn } from './init-in.ts';

it.each<readonly [string, Files]>([
  [
    'a published library with drivers',
    {
      'package.json': {
        name: 'anystore',
        version: '2.1.0',
        main: 'dist/index.js',
        files: ['dist'],
        peerDependencies: { '@planetscale/database': '1', '@upstash/redis': '1', '@vercel/blob': '1' },
        devDependencies: { '@planetscale/database': '1', '@upstash/redis': '1', vitest: '3' },
      },
      'src/drivers/planetscale.ts':
        "import { connect } from '@planetscale/database';\nexport const open = (url: string) => connect({ url });\n",
    },
  ],
  [
    'examples, fixtures and tests',
    {
      'package.json': { name: 'tool', private: true, scripts: { build: 'tsc' }, dependencies: { commander: '12' } },
      'examples/next/package.json': { name: 'example', private: true, dependencies: { next: '15', stripe: '17', '@clerk/nextjs': '6' } },
      'examples/next/vercel.json': '{}',
      'test/fixtures/shop/package.json': { name: 'shop', private: true, dependencies: { '@sentry/node': '9' } },
      'test/fixtures/shop/.env.example': 'RESEND_API_KEY=\n',
      'test/mail.test.ts': "process.env.POSTMARK_SERVER_TOKEN = 'x';\n",
    },
  ],
  [
    'a package around a service, which nobody uses',
    {
      'package.json': { name: 'mono', private: true, workspaces: ['apps/*', 'packages/*'] },
      'packages/mail/package.json': { name: '@mono/mail', version: '1.0.0', dependencies: { resend: '4', postmark: '4' } },
      'apps/web/package.json': { name: 'web', private: true, scripts: { build: 'next build' }, dependencies: { next: '15' } },
    },
  ],
  [
    'a library of Python with extras',
    {
      'pyproject.toml':
        '[build-system]\nrequires = ["hatchling"]\n[project]\nname = "queuekit"\nversion = "1.0"\nlicense = "MIT"\n[project.optional-dependencies]\nsqs = ["boto3"]\nmail = ["sendgrid"]\n',
      'src/queuekit/__init__.py': '',
      'docker-compose.yml': 'services:\n  redis: { image: "redis:7" }\n',
    },
  ],
])('%s: no service and no live line', async (_, files) => {
  const said = await initIn(files);
  expect(said.services).toEqual([]);
  expect(said.live).toEqual([]);
});
