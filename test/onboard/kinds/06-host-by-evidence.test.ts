import { expect, it } from 'vitest';
import { app, type Files, initIn } from './init-in.ts';

it.each<readonly [string, Files, Readonly<Record<string, string | null>>]>([
  [
    'files of Fly under other names',
    {
      'package.json': app(['react-router', '@neondatabase/serverless']),
      'fly-preview.toml': 'app = "club-preview"\n',
      'fly-main.toml': 'app = "club"\n',
      '.github/workflows/preview.yml':
        'on: pull_request\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: flyctl deploy -c fly-preview.toml -a club-pr-${{ github.event.number }}\n',
    },
    { '': 'fly' },
  ],
  [
    'types and command-line tools of others',
    {
      'package.json': { ...app(['astro']), devDependencies: { '@cloudflare/workers-types': '4', vercel: '44', 'netlify-cli': '18' } },
      'fly.toml': 'app = "handbook"\n',
    },
    { '': 'fly' },
  ],
  [
    'a helper in a folder',
    {
      'package.json': app(['hono']),
      'wrangler.jsonc': '{ "name": "watch", "main": "src/index.ts" }',
      'optional/relay/vercel.json': '{}',
      'optional/relay/api/relay.js': 'export default () => {};\n',
    },
    { '': 'cloudflare' },
  ],
  [
    'an adapter in a package that builds nothing',
    {
      'package.json': {
        name: 'shop',
        private: true,
        workspaces: ['packages/*'],
        scripts: { build: 'vite build' },
        dependencies: { vite: '6' },
      },
      'netlify.toml': '[build]\ncommand = "npm run build"\n',
      'packages/framework/package.json': { name: 'framework', private: true, devDependencies: { '@vercel/node': '3' } },
    },
    { '': 'netlify' },
  ],
  [
    'a workflow that deploys, beside a file from before',
    {
      'package.json': app(['next']),
      Procfile: 'web: npm start\n',
      '.github/workflows/deploy.yml':
        'on:\n  push:\n    branches: [main]\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: superfly/flyctl-actions/setup-flyctl@master\n      - run: flyctl deploy --remote-only\n',
      'fly.toml': 'app = "shop"\n',
    },
    { '': 'fly' },
  ],
])('%s: the strongest evidence names the host', async (_, files, expected) => {
  const { hosts } = await initIn(files);
  expect(hosts).toMatchObject(expected);
});
