import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

export interface ServedSite {
  readonly address: string;
  close(): Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Serves the built site on the loopback, like any server of files. */
export async function serveSite(folder: string): Promise<ServedSite> {
  const server = createServer((request, response) => {
    void fileOf(folder, new URL(request.url ?? '/', 'http://site').pathname).then((file) => {
      response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' });
      response.end(file?.content ?? 'not found');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const place = server.address();
  const port = typeof place === 'object' && place !== null ? place.port : 0;
  return {
    address: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function fileOf(folder: string, path: string): Promise<{ readonly type: string; readonly content: Buffer } | null> {
  const wanted = decodeURIComponent(path);
  for (const name of wanted.endsWith('/') ? [`${wanted}index.html`] : [wanted, `${wanted}.html`]) {
    // `join` resolves dots below the root, so no request reaches a file outside the folder.
    const file = join(folder, join('/', name));
    const found = await stat(file).catch(() => null);
    if (found?.isFile()) return { type: types[extname(file)] ?? 'application/octet-stream', content: await readFile(file) };
  }
  return null;
}
