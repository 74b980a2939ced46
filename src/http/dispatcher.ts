import { type Dispatcher, EnvHttpProxyAgent } from 'undici';

/**
 * Connections of one run: HTTP/1.1 keep-alive, through the proxy that the environment names. How many are open is the
 * queue's matter, how long an answer may take the deadline's.
 */
export function createDispatcher(env: NodeJS.ProcessEnv, connectTimeoutMs: number): Dispatcher {
  return new EnvHttpProxyAgent({
    // An empty text, unlike a missing option, keeps the agent from reading this process's own environment.
    httpProxy: env.http_proxy ?? env.HTTP_PROXY ?? '',
    httpsProxy: env.https_proxy ?? env.HTTPS_PROXY ?? '',
    noProxy: env.no_proxy ?? env.NO_PROXY ?? '',
    allowH2: false,
    proxyTunnel: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: connectTimeoutMs },
  });
}
