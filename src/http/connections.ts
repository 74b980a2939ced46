import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { Clock } from '../core/clock.ts';

export interface Connected {
  readonly dispatcher: Dispatcher;
  /** `null` where a proxy opens them. */
  readonly connections: Connections | null;
}

/**
 * Connections of one run: HTTP/1.1 keep-alive, through the proxy that the environment names. The queue decides how many are open, the
 * deadline how long an answer may take.
 */
export function createDispatcher(env: NodeJS.ProcessEnv, clock: Clock, connectTimeoutMs: number): Connected {
  const httpProxy = env.http_proxy ?? env.HTTP_PROXY ?? '';
  const httpsProxy = env.https_proxy ?? env.HTTPS_PROXY ?? '';
  const options = { allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
  // The other would ask for each request which proxy is to be used.
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

/** One that was opened before anything was to be sent over it. */
interface Ready {
  readonly socket: Promise<Socket>;
  readonly begunAt: number;
}

/** A server that closes idle connections may do so just when the first request goes out: an older one is not taken. */
const freshMs = 4_000;

/**
 * The connections of one run's agent. Requests that will go to a host can be told ahead: connections for them are opened (with TLS that
 * is several round trips) while the run is still reading or writing its ledger, and the requests take them.
 */
export class Connections {
  readonly #clock: Clock;
  readonly #connector: Connector;
  /** Those that wait to be taken, the oldest first. One that fails or ends waits no more. */
  readonly #ready = new Map<string, Set<Ready>>();
  /** How many stand or are being opened, by host. */
  readonly #standing = new Map<string, number>();

  /** `timeoutMs` until a connection stands. */
  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#connector = buildConnector({ allowH2: false, timeout: timeoutMs });
  }

  /** Nobody hears of a failure here: a request that finds no connection opens its own, and hears why it cannot. */
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
        // Read from, it notices that the server closed it. A server says nothing before it is asked.
        socket.resume();
      }, forget);
    }
  }

  /** As undici's own, which the agent asks for each connection that it needs. */
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

  /** Ends those that no request took. */
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
    // A certificate is asked for by the name of the host, unless a request asks for another.
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
