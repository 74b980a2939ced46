import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';

/**
 * Connections of one run: HTTP/1.1 keep-alive, through the proxy that the environment names. How many are open is the
 * queue's matter, how long an answer may take the deadline's.
 */
export function createDispatcher(env: NodeJS.ProcessEnv, connectTimeoutMs: number): Dispatcher {
  const httpProxy = env.http_proxy ?? env.HTTP_PROXY ?? '';
  const httpsProxy = env.https_proxy ?? env.HTTPS_PROXY ?? '';
  const options = { allowH2: false, headersTimeout: 0, bodyTimeout: 0, connect: { timeout: connectTimeoutMs } };
  // It would ask for each request which proxy is to be used.
  if (httpProxy === '' && httpsProxy === '') return new Agent(options);
  // An empty text, unlike a missing option, keeps the agent from reading this process's own environment.
  return new EnvHttpProxyAgent({ ...options, httpProxy, httpsProxy, noProxy: env.no_proxy ?? env.NO_PROXY ?? '', proxyTunnel: false });
}
