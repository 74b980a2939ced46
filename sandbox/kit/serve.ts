import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ConnectionLost } from './reply.ts';
import type { Simulation } from './types.ts';

/** Simulations on one loopback port, for whatever runs in a process of its own. */
export interface Served {
  /** Base URL of one simulation, its base path included: `http://127.0.0.1:<port>/neon/api/v2`. */
  base(name: string): string;
  /** `<NAME>_API_URL` of each, as the families name their overrides. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * Serves each simulation under `/<name>/…`. A path without a name goes to the one simulation that serves it: a token URL is
 * derived from a base URL's origin, and so loses the name. A lost answer destroys the socket, a hang holds it.
 */
export async function serve(simulations: readonly Simulation[]): Promise<Served> {
  const byName = new Map(simulations.map((simulation) => [simulation.name, simulation]));
  const server = createServer((message, answer) => {
    const host = message.headers.host ?? '';
    pass(byName, message, answer, `http://${host}`).catch((error: unknown) => {
      if (!(error instanceof ConnectionLost) && !answer.headersSent) {
        answer.writeHead(500).end(String(error));
        return;
      }
      message.socket.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const base = (name: string): string => {
    const simulation = byName.get(name);
    if (!simulation) throw new Error(`${name} is not served`);
    return `http://127.0.0.1:${address.port}/${name}${simulation.basePath}`;
  };
  return {
    base,
    env: Object.fromEntries(simulations.map(({ name }) => [`${name.toUpperCase().replaceAll('-', '_')}_API_URL`, base(name)])),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function pass(
  byName: ReadonlyMap<string, Simulation>,
  message: IncomingMessage,
  answer: ServerResponse,
  here: string,
): Promise<void> {
  const found = find(byName, message.method ?? 'GET', message.url ?? '/');
  if (!found) {
    answer.writeHead(502).end(`no simulation serves ${message.method} ${message.url}`);
    return;
  }
  const { simulation, rest } = found;
  const gone = new AbortController();
  answer.once('close', () => {
    if (!answer.writableFinished) gone.abort(new Error('the client went away'));
  });
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk as Uint8Array));
  const headers = new Headers();
  for (let i = 0; i < message.rawHeaders.length; i += 2) headers.append(message.rawHeaders[i] ?? '', message.rawHeaders[i + 1] ?? '');
  const hasBody = chunks.length > 0 && message.method !== 'GET' && message.method !== 'HEAD';
  const response = await simulation.handle(
    new Request(`${simulation.origin}${rest}`, {
      method: message.method ?? 'GET',
      headers,
      signal: gone.signal,
      ...(hasBody && { body: Buffer.concat(chunks) }),
    }),
  );
  // A client follows these only on the host that it asked.
  const base = `${here}/${simulation.name}`;
  const told = [...response.headers].map(([name, value]) => [name, value.replaceAll(simulation.origin, base)] as const);
  answer.writeHead(response.status, Object.fromEntries(told));
  if (response.body) {
    // Each part leaves this process before the next: a cut comes after bytes that the client has seen.
    for await (const chunk of response.body) await new Promise((sent) => answer.write(chunk, sent));
  }
  answer.end();
}

function find(
  byName: ReadonlyMap<string, Simulation>,
  method: string,
  url: string,
): { readonly simulation: Simulation; readonly rest: string } | null {
  const [, name = '', rest = ''] = /^\/([^/?]+)(.*)$/.exec(url) ?? [];
  const named = byName.get(name);
  if (named) return { simulation: named, rest };
  const path = url.split('?')[0] ?? '';
  const serving = [...byName.values()].filter((simulation) => simulation.serves(method, path));
  return serving.length === 1 && serving[0] ? { simulation: serving[0], rest: url } : null;
}
