import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { Clock } from '../core/clock.ts';
import { Connections } from './connections.ts';

export interface Connected {
  readonly dispatcher: Dispatcher;
  /** `null` where a proxy opens them. */
  readonly connections: Connections | null;
}

/**
 * Connections of one run: HTTP/1.1 keep-alive, through the proxy that the environment names. How many are open is the
 * queue's matter, how long an answer may take the deadline's.
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
