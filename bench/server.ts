import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Wanted } from './wish.ts';
import { type Standing, type Told, World } from './world.ts';

/** Begins a world of its own: everything that stood, was counted or was set before is gone. */
export interface Reset {
  readonly wanted: Wanted;
  /** Milliseconds that each request takes, by a timer: requests do not wait for each other. */
  readonly latency: number;
  /** Requests that are answered in any second; what is above is 429 with Retry-After. */
  readonly rate: number | null;
}

/** What was asked since the counters were last taken. A refused request is neither a read nor a write. */
export interface Counters {
  readonly reads: number;
  readonly writes: number;
  readonly refused: number;
  /** Of the bodies of all requests. */
  readonly bytes: number;
  /** Most requests that were open at one time. */
  readonly atOnce: number;
}

export interface BenchServer {
  readonly base: string;
  stop(): Promise<void>;
}

/** What the control path answers, below `/control`: no latency, no limit, not counted. */
export interface Control {
  readonly reset: null;
  /** Tells what was counted and begins again at zero. */
  readonly counters: Counters;
  readonly drift: number;
  readonly world: Standing;
}

/** The server of the measurements: a `World` behind node:http on loopback, with latency, a rate limit and counters. */
export async function startServer(now: () => number = () => performance.now()): Promise<BenchServer> {
  let world = World.seeded({ shape: 'objects', isListed: true, isKeyed: false, objects: [] });
  let latency = 0;
  let limit: RateLimit | null = null;
  let counters = noCounters();
  let open = 0;

  const control = (path: string, body: unknown): Control[keyof Control] => {
    if (path === '/control/reset') {
      const reset = body as Reset;
      world = World.seeded(reset.wanted);
      latency = reset.latency;
      limit = reset.rate === null ? null : new RateLimit(reset.rate);
      counters = noCounters();
      return null;
    }
    if (path === '/control/counters') {
      const counted = counters;
      counters = noCounters();
      return counted;
    }
    if (path === '/control/drift') return world.drift();
    if (path === '/control/world') return world.standing();
    throw new Error(`there is no ${path}`);
  };

  const provider = (request: IncomingMessage, url: URL, body: unknown): Told & { readonly retryAfter?: number } => {
    const wait = limit?.waitOf(now()) ?? 0;
    if (wait > 0) {
      counters.refused += 1;
      return { status: 429, body: { error: { code: 'too_many_requests', message: 'Slow down.' } }, retryAfter: Math.ceil(wait / 1000) };
    }
    const method = request.method ?? '';
    if (method === 'GET') counters.reads += 1;
    else counters.writes += 1;
    if (!request.headers.authorization?.startsWith(`Bearer ${token}`)) return { status: 401, body: { error: { code: 'unauthorized' } } };
    return world.answer({ method, path: url.pathname, query: url.searchParams, body });
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const text = await textOf(request);
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    if (url.pathname.startsWith('/control/')) {
      end(response, { status: 200, body: control(url.pathname, body) });
      return;
    }
    open += 1;
    counters.bytes += Buffer.byteLength(text);
    counters.atOnce = Math.max(counters.atOnce, open);
    const answer = (): void => {
      open -= 1;
      const told = provider(request, url, body);
      if (told.retryAfter !== undefined) response.setHeader('retry-after', String(told.retryAfter));
      end(response, told);
    };
    if (latency > 0) setTimeout(answer, latency);
    else answer();
  };

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    serve(request, response).catch((thrown: unknown) => end(response, { status: 500, body: { error: String(thrown) } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What every request must bear. */
export const token = 'bench-token-0123456789';
/** A variable and a token for each of so many API blocks. */
export const tokens = (count: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`BENCH${n === 0 ? '' : `_${n}`}_TOKEN`, `${token}${n === 0 ? '' : `-${n}`}`]),
  );

/** At most so many requests in any second that one looks at. Refused ones do not count. */
class RateLimit {
  readonly #perSecond: number;
  #taken: number[] = [];

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Milliseconds until there is room; 0 takes the room. */
  waitOf(now: number): number {
    this.#taken = this.#taken.filter((at) => at > now - 1000);
    const [oldest] = this.#taken;
    if (oldest !== undefined && this.#taken.length >= this.#perSecond) return oldest + 1000 - now;
    this.#taken.push(now);
    return 0;
  }
}

const noCounters = () => ({ reads: 0, writes: 0, refused: 0, bytes: 0, atOnce: 0 });

function end(response: ServerResponse, { status, body }: Told): void {
  if (body === undefined) response.writeHead(status).end();
  else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return text;
}

// As a process of its own it tells its address to the one that started it, and ends with it.
if (import.meta.main && process.send) {
  const { base } = await startServer();
  process.send({ base });
  process.on('disconnect', () => process.exit(0));
}
