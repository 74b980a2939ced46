import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import Provider, { type ClientMetadata, type Configuration } from 'oidc-provider';
import { announce } from './program.ts';

const { version } = createRequire(import.meta.url)('oidc-provider/package.json');

export interface TokenRequest {
  readonly type: string | undefined;
  readonly authorization: string | undefined;
  readonly body: URLSearchParams;
  readonly status: number;
}

export interface OidcOptions {
  readonly client: ClientMetadata;
  readonly configuration?: Configuration;
}

/** The npm package `oidc-provider`, an OpenID certified server, on a port of the loopback, with every token request that it answered. */
export async function startOidc(options: OidcOptions) {
  announce(`oidc-provider/${version}`);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${portOf(server)}`;
  const provider = new Provider(issuer, {
    clients: [{ grant_types: ['client_credentials'], redirect_uris: [], response_types: [], ...options.client }],
    jwks: { keys: [{ ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), kty: 'RSA' }] },
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    ...options.configuration,
  });
  const requests: TokenRequest[] = [];
  provider.use(async (context, next) => {
    await next();
    if (context.path !== '/token') return;
    const { 'content-type': type, authorization } = context.headers;
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(context.oidc?.body ?? {})) body.append(name, String(value));
    requests.push({ type, authorization, body, status: context.status });
  });
  const answer = provider.callback();
  server.on('request', (request, response) => void answer(request, response));
  return {
    issuer,
    requests,
    /** Whether the server itself holds this token to be good, with the audience that it gave it. */
    check: async (token: string): Promise<{ readonly isActive: boolean; readonly audience: unknown; readonly scope: unknown }> => {
      const found = await provider.ClientCredentials.find(token);
      return { isActive: found !== undefined && !found.isExpired, audience: found?.aud, scope: found?.scope };
    },
    /** Takes the token back, as an administrator does. */
    revoke: async (token: string): Promise<void> => {
      await (await provider.ClientCredentials.find(token))?.destroy();
    },
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
