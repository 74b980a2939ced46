import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { Clock } from '../core/clock.ts';

export interface Connected {
  readonly dispatcher: Dispatcher;
  /** `null` where a proxy opens them. */
  readonly connections: Connections | null;
}

/**
 * Connections of one run: HTTP/1.1 keep-alive, through the proxy that the environment names. The queue limits how many are open, and the
 * deadline limits how long an answer may take.
 */
export function createDispatcher(env: NodeJS.ProcessEnv, clock: Clock, connectTimeoutMs: number): Connected {
  const httpProxy = env.http_proxy ?? env.HTTP_PROXY ?? '';
  const httpsProxy = env.https_proxy ?? env.HTTPS_PROXY ?? '';
  const options = { allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
  // The agent for proxies would choose a proxy for each request.
  if (httpProxy === '' && httpsProxy === '') {
    const connections = new Connections(clock, connectTimeoutMs);
    return { dispatcher: new Agent({ ...options, connect: connections.connect }), connections };
  }
  // An empty text, unlike a missing option, keeps the agent from reading this process's own environment.
  const noProxy = env.no_proxy ?? env.NO_PROXY ?? '';
  const connect = { timeout: connectTimeoutMs };
  return {
    dispatcher: new EnvHttpProxyAgent({ ...options, connect, httpProxy, httpsProxy, noProxy, proxyTunnel: false }),
    connections: null,
  };
}

type Connector = buildConnector.connector;

/** A connection that was opened before its first request. */
interface Ready {
  readonly socket: Promise<Socket>;
  readonly begunAt: number;
}

/** How long an unused connection is good. A server may close an older, idle one just when its first request goes out. */
const freshMs = 4_000;

/**
 * The connections of one run's agent. The run can announce requests to a host. Connections for them are opened while the run is still
 * reading or writing its ledger, which saves several round trips with TLS, and the requests take these connections.
 */
export class Connections {
  readonly #clock: Clock;
  readonly #connector: Connector;
  /** Connections that wait for a request, the oldest first. A connection that fails or ends is removed. */
  readonly #ready = new Map<string, Set<Ready>>();
  /** How many connections are open or being opened, by host. */
  readonly #standing = new Map<string, number>();

  /** `timeoutMs`: the time limit to open a connection. */
  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#connector = buildConnector({ allowH2: false, timeout: timeoutMs });
  }

  /** A failure here stays silent: a request that finds no connection opens its own, and its error says why that failed. */
  openAhead({ protocol, hostname, host, port }: URL, count: number): void {
    const place = placeOf({ protocol, host });
    const waiting = this.#ready.get(place) ?? new Set();
    this.#ready.set(place, waiting);
    // A socket takes an IPv6 address without the brackets that it has in a URL.
    const options = { protocol, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), host, port };
    while ((this.#standing.get(place) ?? 0) < count) {
      const { promise, resolve, reject } = Promise.withResolvers<Socket>();
      this.#open(options, (error, socket) => (error ? reject(error) : resolve(socket)));
      const ready = { socket: promise, begunAt: this.#clock.mono() };
      waiting.add(ready);
      const forget = (): void => void waiting.delete(ready);
      promise.then((socket) => {
        socket.once('close', forget);
        // A socket must be read to notice that the server closed it. A server sends nothing before a request.
        socket.resume();
      }, forget);
    }
  }

  /** Replaces undici's own connector, which the agent calls for each connection that it needs. */
  readonly connect: Connector = (options, callback) => {
    const openAnew = (): void => this.#open(options, callback);
    const ready = this.#take(options);
    if (!ready) return openAnew();
    ready.then((socket) => {
      socket.pause();
      if (socket.destroyed) openAnew();
      else callback(null, socket);
    }, openAnew);
  };

  /** Ends the connections that no request took. */
  close(): void {
    for (const waiting of this.#ready.values()) waiting.forEach(end);
    this.#ready.clear();
  }

  #open(options: buildConnector.Options, callback: buildConnector.Callback): void {
    const place = placeOf({ protocol: options.protocol, host: options.host ?? '' });
    const count = (more: 1 | -1): void => void this.#standing.set(place, (this.#standing.get(place) ?? 0) + more);
    count(1);
    this.#connector(options, (...[error, socket]) => {
      if (error) {
        count(-1);
        callback(error, null);
        return;
      }
      socket.once('close', () => count(-1));
      callback(null, socket);
    });
  }

  #take({ protocol, host = '', hostname, servername }: buildConnector.Options): Promise<Socket> | null {
    // Ready connections asked for the certificate of their host's name. A request that names another one needs its own connection.
    if (servername && servername !== hostname) return null;
    const waiting = this.#ready.get(placeOf({ protocol, host })) ?? new Set();
    for (const ready of waiting) {
      waiting.delete(ready);
      if (this.#clock.mono() - ready.begunAt <= freshMs) return ready.socket;
      end(ready);
    }
    return null;
  }
}

const placeOf = ({ protocol, host }: { readonly protocol: string; readonly host: string }): string => `${protocol}//${host}`;

const end = ({ socket }: Ready): void =>
  void socket.then(
    (open) => open.destroy(),
    () => undefined,
  );
