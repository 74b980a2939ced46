import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { join } from 'node:path';
import { Inngest } from 'inngest';
import { serve } from 'inngest/node';
import { portOf } from './oidc.ts';
import { announce } from './program.ts';

// The package exports no manifest.
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../node_modules/inngest/package.json'), 'utf8'));

export interface Registration {
  readonly authorization: string;
  readonly body: { readonly url: string; readonly appName: string; readonly functions: readonly unknown[] };
}

export interface DeploymentOptions {
  /** In development the SDK wants no signing key and registers with a local server. */
  readonly isDev?: boolean;
  /** `false`: the app registers on signed requests only. */
  readonly enableUnauthedSync?: boolean;
  /** What stands before the app; the status of a refusal, or `null`. */
  readonly protection?: (request: IncomingMessage) => number | null;
}

/**
 * A preview deployment that serves the functions of an app by the SDK of the npm package `inngest`, and the one endpoint of the vendor
 * that this SDK asks: where apps are registered. That one is ours, because the vendor's is on the internet.
 */
export async function startDeployment(options: DeploymentOptions = {}) {
  announce(`inngest/${version} (serve endpoint)`);
  const { isDev = false, enableUnauthedSync, protection = () => null } = options;
  const registrations: Registration[] = [];
  const answer: { status: number; body: object } = { status: 200, body: {} };
  const known = new Set<string>();
  const vendor = await listen(async (request, respond) => {
    const text = await whole(request);
    if (request.method !== 'POST' || request.url?.split('?')[0] !== '/fn/register') return respond(404, '{}');
    registrations.push({ authorization: request.headers.authorization ?? '', body: JSON.parse(text) });
    const modified = !known.has(text);
    known.add(text);
    return respond(answer.status, JSON.stringify({ status: answer.status, ok: answer.status === 200, modified, ...answer.body }));
  });
  const client = new Inngest({
    id: 'shop',
    isDev,
    baseUrl: `http://127.0.0.1:${portOf(vendor)}`,
    ...(!isDev && { signingKey: 'signkey-prod-0123456789abcdef0123456789abcdef' }),
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const remind = client.createFunction({ id: 'remind', triggers: [{ event: 'cart/left' }] }, async () => 'reminded');
  const app = serve({ client, functions: [remind], ...(enableUnauthedSync !== undefined && { enableUnauthedSync }) });
  const seen: {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
    readonly status: () => number;
  }[] = [];
  const deployment = createServer((request, response) => {
    seen.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, status: () => response.statusCode });
    const refused = request.url?.split('?')[0] === '/api/inngest' ? protection(request) : 404;
    if (refused === null) return void app(request, response);
    response.writeHead(refused, { 'content-type': 'text/html' }).end('<html><body>Sign in to see this preview.</body></html>');
  });
  await new Promise<void>((resolve) => deployment.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(deployment)}`,
    seen,
    registrations,
    /** What the vendor says from now on. */
    answer,
    stop: async (): Promise<void> => {
      for (const server of [deployment, vendor]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

async function listen(
  serveOne: (request: IncomingMessage, respond: (status: number, body: string) => void) => Promise<void>,
): Promise<Server> {
  const server = createServer((request, response) => {
    void serveOne(request, (status, body) => void response.writeHead(status, { 'content-type': 'application/json' }).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function whole(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}
