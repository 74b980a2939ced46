import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { pilotfish } from './program.ts';

// The package holds only a part of its HTTP library. These ways must stay among what it holds.

test('the package asks a proxy for a way to a provider on https, and tells how it was refused', async () => {
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  const { stderr } = await plan('https://api.shop.example', { HTTPS_PROXY: await listening(proxy) });
  expect(asked).toEqual(['CONNECT api.shop.example:443']);
  expect(stderr).toContain('the proxy refused the connection with 403');
});

test('the package asks a proxy for what stands at a provider on http', async () => {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
  });
  const { code } = await plan('http://127.0.0.1:8099', { HTTP_PROXY: await listening(proxy) });
  expect(asked).toEqual(['GET http://127.0.0.1:8099/items']);
  expect(code).toBe(0);
});

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function plan(address: string, env: { readonly [name: string]: string }): ReturnType<typeof pilotfish> {
  const cwd = await tempFolder('connections');
  await writeFile(join(cwd, 'release.plan.yaml'), planAt(address));
  return await pilotfish(['plan', '--scope', 'a'], { cwd, env: { PILOTFISH_LEDGER: 'local', SHOP_TOKEN: 'a-token-of-the-shop', ...env } });
}

const planAt = (address: string): string => `version: 1
providers:
  http:
    shop: { base_url: ${address}, auth: { bearer_env: SHOP_TOKEN } }
changes:
  - id: item
    adapter: http
    op: resource
    api: shop
    find: { path: /items, list_path: /data, match: { name: a } }
    create: { path: /items }
    delete: { path: "/items/{id}" }
    fields: { name: a }
`;
