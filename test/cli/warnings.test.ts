import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { pilotfish } from './program.ts';

// Node warns on stderr of what is experimental, to people who can do nothing about it.

it('a run with a plugin, in a repository with a remote, against a server that packs its answers prints no warning of Node', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync('{"items":[]}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const cwd = await tempFolder('warnings');
  execFileSync('git', ['init', '--quiet'], { cwd });
  execFileSync('git', ['remote', 'add', 'origin', `${base}/shop.git`], { cwd });
  await writeFile(join(cwd, 'plugin.mjs'), 'export function register() {}\n');
  await writeFile(
    join(cwd, 'release.plan.yaml'),
    `version: 1
receipts: local
providers:
  http: { shop: { base_url: "${base}", auth: { bearer_env: SHOP_TOKEN } } }
changes:
  - id: thing
    adapter: http
    op: resource
    api: shop
    find: { path: /things, list_path: /items, match: { name: thing } }
    create: { path: /things }
    delete: { path: "/things/{id}" }
    fields: { name: thing }
`,
  );
  const env = { SHOP_TOKEN: 'word-of-the-shop', PILOTFISH_PLUGINS: './plugin.mjs' };
  const { code, stdout, stderr } = await pilotfish(['plan', '--scope', 'pr-1', '--progress', 'none'], { cwd, env });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('1 to create');
});
