import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent, type Dispatcher, Headers } from 'undici';
import { type Clock, systemClock } from '../core/clock.ts';
import { createDispatcher } from '../http/connections.ts';
import { exchange } from '../http/exchange.ts';
import type { WireAnswer } from '../http/types.ts';

/** One request as it passed, and the answer of the service. It stays in memory, because headers and bodies may hold secrets. */
export interface Passed {
  readonly method: string;
  /** The address at the service. */
  readonly url: URL;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
  readonly answer: WireAnswer;
  /** The service answered, and the client never saw it. */
  readonly isLost: boolean;
}

export interface TapOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly clock?: Clock;
  /** The connections to the service; by default those of any run. */
  readonly dispatcher?: Dispatcher;
}

/** A proxy on loopback between a run and a service. */
export interface Tap {
  /** Leads every request of a run through the proxy. */
  readonly dispatcher: Dispatcher;
  /** Every exchange, in the order of the answers. */
  readonly passed: readonly Passed[];
  /** Requests under way. */
  readonly open: number;
  /** Breaks the connection of the first request that `isIt` takes, after the service answered it. Returns a function that tells whether that happened. */
  loseAnswer(isIt: (passed: Passed) => boolean): () => boolean;
  close(): Promise<void>;
}

const keyHeader = 'x-pilotfish-live-key';
const targetHeader = 'x-pilotfish-live-target';
/** Headers of one connection, which the next connection has of its own. */
const hopHeaders =
  /^(?:host|connection|keep-alive|transfer-encoding|content-length|content-encoding|expect|te|trailer|upgrade|x-pilotfish-live-.*)$/;
const deadlineMs = 200_000;

/**
 * Opens the proxy. A run keeps the address of its service, because a signature covers it and the ledger records it: only the connection
 * leads here. Requests without the key of this process get 403, so nobody else on this machine can send through the proxy.
 */
export async function openTap({ env, clock = systemClock, dispatcher }: TapOptions): Promise<Tap> {
  const upstream = dispatcher ?? createDispatcher(env, clock, 10_000).dispatcher;
  const key = randomBytes(24).toString('hex');
  const passed: Passed[] = [];
  let losing: { readonly isIt: (passed: Passed) => boolean; isDone: boolean } | null = null;

  const pass = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = targetOf(message, key);
    if (target === null) return void response.writeHead(403).end();
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const headers = ownHeaders(message);
    const method = message.method ?? 'GET';
    const request = { method, url: target, headers: new Headers(headers), body: body === '' ? null : body };
    const answer = await exchange({ dispatcher: upstream, clock, deadlineMs }, request, undefined);
    const seen = { method, url: target, headers, body, answer, isLost: false };
    if (losing && !losing.isDone && losing.isIt(seen)) {
      losing.isDone = true;
      passed.push({ ...seen, isLost: true });
      return void message.socket.destroy();
    }
    passed.push(seen);
    const told = Object.entries(answer.headers).filter(([name]) => !hopHeaders.test(name));
    response.writeHead(answer.status, Object.fromEntries(told));
    response.end(Buffer.from(answer.bytes));
  };

  const server = createServer((message, response) => {
    // Without an answer of the service the run must see a broken connection, as it would without a proxy.
    pass(message, response).catch(() => message.socket.destroy());
  });
  const origin = await listening(server);
  const led = leadTo(origin, key);
  return {
    dispatcher: led.dispatcher,
    passed,
    get open() {
      return led.requests.open;
    },
    loseAnswer: (isIt) => {
      const mine = { isIt, isDone: false };
      losing = mine;
      return () => mine.isDone;
    },
    close: async () => {
      await led.end();
      if (!dispatcher) await upstream.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Connections that send each request to the proxy, with the origin that it was meant for. */
function leadTo(origin: string, key: string) {
  const agent = new Agent({ allowH2: false, headersTimeout: 0, bodyTimeout: 0 });
  const requests = { open: 0 };
  const dispatcher = agent.compose((dispatch) => (options, handler) => {
    const given = Array.isArray(options.headers)
      ? options.headers.map(String)
      : Object.entries(options.headers ?? {})
          .flat()
          .map(String);
    const headers = [...given, keyHeader, key, targetHeader, String(options.origin)];
    requests.open += 1;
    return dispatch({ ...options, origin, headers }, counted(handler, requests));
  });
  return { dispatcher, requests, end: () => agent.destroy() };
}

/** Hands everything on, and counts a request until it ended. */
const counted = (handler: Dispatcher.DispatchHandler, requests: { open: number }): Dispatcher.DispatchHandler => ({
  onRequestStart: (...given) => handler.onRequestStart?.(...given),
  onResponseStart: (...given) => handler.onResponseStart?.(...given),
  onResponseData: (...given) => handler.onResponseData?.(...given),
  onResponseEnd: (...given) => {
    requests.open -= 1;
    handler.onResponseEnd?.(...given);
  },
  onResponseError: (...given) => {
    requests.open -= 1;
    handler.onResponseError?.(...given);
  },
});

/** The address at the service, `null` for a request that this process did not send. */
function targetOf(message: IncomingMessage, key: string): URL | null {
  const { [keyHeader]: shown, [targetHeader]: target } = message.headers;
  if (typeof shown !== 'string' || typeof target !== 'string' || shown.length !== key.length) return null;
  if (!timingSafeEqual(Buffer.from(shown), Buffer.from(key))) return null;
  return URL.parse(`${target}${message.url ?? '/'}`);
}

function ownHeaders(message: IncomingMessage): { readonly [name: string]: string } {
  const own = Object.entries(message.headers).filter(([name]) => !hopHeaders.test(name) || name === 'content-encoding');
  return Object.fromEntries(own.map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return `http://127.0.0.1:${address.port}`;
}
