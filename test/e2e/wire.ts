import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';

/** One request of a process, as its wire saw it. */
export interface Passage {
  /** Counted from 1, over all requests of the wire. */
  readonly number: number;
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly kind: 'read' | 'write' | 'fetch' | 'push';
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
}

export interface WireEnds {
  /** Nothing has left yet. What it throws breaks the connection, and the request never arrives. */
  before?(passage: Passage): Promise<void> | void;
  /** The request had its effect and its answer is held. What it throws breaks the connection, and the answer is lost. */
  after?(passage: Passage, status: number): Promise<void> | void;
}

/** The only way of one process to the world: every request to a provider or to the git host goes through it. */
export interface Wire {
  /** What the process needs in its environment. */
  readonly env: { readonly http_proxy: string; readonly no_proxy: string };
  /** In the order of their arrival. */
  readonly passages: readonly Passage[];
  /** Nothing more passes, in either direction: what a dead machine has sent stays sent, and nothing new follows. */
  cut(): void;
  stop(): Promise<void>;
}

/**
 * Opens a proxy on loopback for one process. A request that was let through arrives even when its process is dead by then, as
 * on a real network: with `before` it is held back for as long as wanted, and lands late.
 */
export async function openWire(ends: WireEnds = {}): Promise<Wire> {
  const passages: Passage[] = [];
  let isCut = false;

  const pass = async (message: IncomingMessage, answer: ServerResponse): Promise<void> => {
    if (isCut) throw new Error('the wire is cut');
    const at = performance.now();
    const body = await whole(message);
    const url = new URL(message.url ?? '');
    const method = message.method ?? 'GET';
    const passage = { number: passages.length + 1, method, url, body: body.toString('latin1'), kind: kindOf(method, url), at };
    passages.push(passage);
    await ends.before?.(passage);
    const reply = await forward(message, url, body);
    await ends.after?.(passage, reply.status);
    if (isCut) throw new Error('the wire is cut');
    answer.writeHead(reply.status, reply.headers).end(reply.body);
  };

  const server = createServer((message, answer) => {
    // A connection that broke on the other side breaks on this one: the process must not see an answer that nobody gave.
    pass(message, answer).catch(() => message.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the wire has no port');
  return {
    env: { http_proxy: `http://127.0.0.1:${address.port}`, no_proxy: '' },
    passages,
    cut: () => {
      isCut = true;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function kindOf(method: string, { pathname }: URL): Passage['kind'] {
  if (pathname.endsWith('/git-receive-pack') && method === 'POST') return 'push';
  if (pathname.endsWith('/info/refs') || pathname.endsWith('/git-upload-pack')) return 'fetch';
  // Asking for a token changes nothing that a provider keeps.
  return method === 'GET' || method === 'HEAD' || pathname.endsWith('/oauth/token') ? 'read' : 'write';
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

function forward(message: IncomingMessage, url: URL, body: Buffer): Promise<Reply> {
  const { 'proxy-connection': _proxy, connection: _connection, ...headers } = message.headers;
  return new Promise((resolve, reject) => {
    const out = send(url, { method: message.method, headers, agent: false }, (reply) => {
      whole(reply).then(
        (text) => resolve({ status: reply.statusCode ?? 502, headers: endToEnd(reply.headers), body: text }),
        (cut: unknown) => reject(cut),
      );
    });
    out.on('error', reject);
    out.end(body);
  });
}

/** The body is passed on whole, so its framing is this side's own. */
function endToEnd(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const { connection: _connection, 'keep-alive': _alive, 'transfer-encoding': _encoding, ...rest } = headers;
  return rest;
}

async function whole(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part);
  return Buffer.concat(parts);
}
