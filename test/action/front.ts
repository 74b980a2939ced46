import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';

/** A request to the code host, as it arrived. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
}

/** One address for all of a code host: its repositories, and below `/api/v3` what programs ask. */
export interface Front {
  readonly origin: string;
  readonly arrivals: readonly Arrival[];
  stop(): Promise<void>;
}

export interface Behind {
  /** The git host's origin. */
  readonly git: string;
  /** Of pull requests, comments, deployments. */
  readonly api: string;
  /** Of the webhooks of repositories, which the same host has. */
  readonly hooks: string;
}

/** Opens the door of a code host on loopback. What is asked below `/api/v3`, or of `/repos`, goes to the API; the rest is git's. */
export async function openFront(behind: Behind): Promise<Front> {
  const arrivals: Arrival[] = [];
  const server = createServer((message, answer) => {
    const path = message.url ?? '/';
    arrivals.push({ method: message.method ?? 'GET', path });
    forward(message, answer, targetOf(path, behind)).catch(() => message.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the front has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    arrivals,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function targetOf(path: string, { git, api, hooks }: Behind): string {
  const [, asked] = /^(?:\/api\/v3)?(\/(?:repos|user|rate_limit)\b.*)$/.exec(path) ?? [];
  if (asked === undefined) return `${git}${path}`;
  return `${/^\/repos\/[^/]+\/[^/]+\/hooks\b/.test(asked) ? hooks : api}${asked}`;
}

/** A connection that breaks behind the door breaks before it, too. */
async function forward(message: IncomingMessage, answer: ServerResponse, target: string): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part);
  await new Promise<void>((resolve, reject) => {
    const out = send(target, { method: message.method, headers: message.headers, agent: false }, (reply) => {
      const { connection: _connection, 'keep-alive': _alive, ...headers } = reply.headers;
      answer.writeHead(reply.statusCode ?? 502, headers);
      reply.on('error', reject).pipe(answer).on('finish', resolve);
    });
    answer.once('close', () => out.destroy());
    out.on('error', reject).end(Buffer.concat(parts));
  });
}
