import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

interface Item {
  readonly id: string;
  readonly name: string;
}

/** An API on this machine: a list of items, and one object with a list of hosts. Whatever stands before `/items` is its base path. */
export async function openDrawer(basePath = '') {
  const items: Item[] = [];
  const hosts: string[] = [];
  const targets: string[] = [];
  const pings: string[] = [];
  let refusal: string | null = null;
  const answer = (request: IncomingMessage, text: string): readonly [number, unknown] => {
    const target = request.url ?? '';
    targets.push(`${request.method} ${target}`);
    if (refusal !== null) return [422, { error: refusal }];
    if (!target.startsWith(`${basePath}/`)) return [404, { error: `there is no ${target}` }];
    const [path = '', query = ''] = target.slice(basePath.length).split('?');
    const body: Record<string, unknown> = text === '' ? {} : JSON.parse(text);
    if (path === '/hosts') {
      if (request.method === 'PUT') hosts.splice(0, hosts.length, ...(body.hosts as string[]));
      return [200, { hosts }];
    }
    if (path === '/ping') return [pings.push(text) > 0 ? 200 : 500, {}];
    if (request.method === 'POST') {
      const item = { ...body, id: `it-${items.length + 1}`, name: String(body.name) };
      items.push(item);
      return [201, item];
    }
    if (request.method === 'DELETE') {
      const at = items.findIndex(({ id }) => path.endsWith(`/${id}`));
      if (at >= 0) items.splice(at, 1);
      return [at >= 0 ? 204 : 404, {}];
    }
    const second = new URLSearchParams(query).get('page') === '2';
    return [200, second ? { items, next: null } : { items: [{ id: 'other', name: 'of-another' }], next: '?page=2' }];
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [status, body] = answer(request, Buffer.concat(chunks).toString());
      response.writeHead(status, { 'content-type': 'application/json' }).end(status === 204 ? undefined : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    origin,
    items,
    hosts,
    pings,
    /** Method and target of every request. */
    targets,
    /** From now on every request is refused with these words. */
    refuse: (words: string | null) => {
      refusal = words;
    },
  };
}
