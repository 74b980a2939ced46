import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { portOf } from './oidc.ts';

/** Whether a request may pass; what it returns is the status of the refusal, or `null`. */
export type Doorkeeper = (request: IncomingMessage) => Promise<number | null>;

export interface Thing {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** A little API behind a door: `/things` can be listed and added to, `/things/<id>` read, changed and deleted. */
export async function serveThings(mayPass: Doorkeeper = async () => null) {
  const things = new Map<string, Thing>();
  const seen: { readonly method: string; readonly path: string; readonly authorization: string; readonly status: number }[] = [];
  let made = 0;

  const answer = (method: string, id: string | undefined, body: object): { readonly status: number; readonly body?: unknown } => {
    if (id === undefined) {
      if (method === 'GET') return { status: 200, body: { items: [...things.values()] } };
      if (method !== 'POST') return { status: 405 };
      made += 1;
      const thing = { ...body, id: `t${made}` };
      things.set(thing.id, thing);
      return { status: 201, body: thing };
    }
    const thing = things.get(id);
    if (thing === undefined) return { status: 404 };
    if (method === 'DELETE') things.delete(id);
    if (method === 'PATCH') things.set(id, { ...thing, ...body, id });
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: things.get(id) };
  };

  const serveOne = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await whole(request);
    const { method = '', url = '' } = request;
    const [, , id] = url.split('/');
    const refused = await mayPass(request);
    const answered = refused === null ? answer(method, id, text === '' ? {} : JSON.parse(text)) : { status: refused };
    seen.push({ method, path: url, authorization: request.headers.authorization ?? '', status: answered.status });
    response.writeHead(answered.status, answered.body === undefined ? {} : { 'content-type': 'application/json' });
    response.end(answered.body === undefined ? '' : JSON.stringify(answered.body));
  };
  const server = createServer((request, response) => {
    serveOne(request, response).catch((thrown: unknown) => response.writeHead(500).end(String(thrown)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${portOf(server)}`,
    port: portOf(server),
    things,
    seen,
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Things = Awaited<ReturnType<typeof serveThings>>;

/** The lines of a plan that hold one thing each, by name, with the block of the API above them. */
export function planOfThings(block: string, names: readonly string[]): string {
  const lines = names.map(
    (name) => `
  - id: ${name}
    adapter: http
    op: resource
    api: things
    find: { path: /things, list_path: /items, match: { name: ${name} } }
    create: { path: /things }
    update: { method: PATCH, path: '/things/{id}' }
    delete: { path: '/things/{id}' }
    fields: { name: ${name}, size: 1 }`,
  );
  return `version: 1\nproviders:\n  http:\n    things:\n${block.trimEnd()}\nchanges:${lines.join('')}\n`;
}

async function whole(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}
