import { expect, it } from 'vitest';
import { app, type Files, initIn } from './init-in.ts';

it.each<readonly [string, Files]>([
  [
    'a Worker in JSON',
    {
      'package.json': app(['hono']),
      'wrangler.jsonc': '{ "name": "a", "main": "src/index.ts", /* edge */ "compatibility_date": "2025-01-01" }',
    },
  ],
  [
    'a Worker in TOML',
    { 'package.json': app(['hono'], { devDependencies: { wrangler: '4' } }), 'wrangler.toml': 'name = "a"\nmain = "src/index.ts"\n' },
  ],
  [
    'a Worker with assets',
    {
      'package.json': app(['react-router', '@react-router/cloudflare']),
      'wrangler.json': { name: 'a', main: './workers/app.ts', assets: { directory: './build/client' } },
    },
  ],
  [
    'a Worker that a workflow deploys',
    {
      'package.json': app(['itty-router']),
      'wrangler.toml': 'name = "a"\nmain = "index.js"\n',
      '.github/workflows/deploy.yml':
        'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: cloudflare/wrangler-action@v3\n        with: { command: deploy }\n',
    },
  ],
])('%s is no Pages project', async (_, files) => {
  const said = await initIn(files);
  expect(said.hosts['']).toBe('cloudflare');
  const lines = [...said.live, ...said.comments].filter(({ op }) =>
    /^cloudflare\.pages|^hosting_c\.|^cloudflare\.(?:deploy|env|address)/.test(op),
  );
  expect(lines).toEqual([]);
  expect(said.plan).not.toMatch(/pages/i);
});

it('a Pages project keeps its lines: a sign-in needs the address of the preview', async () => {
  const said = await initIn({
    'package.json': app(['astro', '@clerk/astro']),
    'wrangler.toml': 'name = "a"\npages_build_output_dir = "dist"\n',
    'src/middleware.ts': "import { clerkMiddleware } from '@clerk/astro/server';\nexport const onRequest = clerkMiddleware();\n",
  });
  expect(said.hosts['']).toBe('cloudflare');
  expect(said.told.found.find(({ name }) => name === 'cloudflare')?.lines.length).toBeGreaterThan(0);
});
