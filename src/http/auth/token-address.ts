import type { ProviderBlock } from '../types.ts';

/** Where the block's tokens are asked for; `null` where it asks for none. Whoever sends a client secret there checks it first. */
export function tokenAddress({ auth, base_url: base }: Pick<ProviderBlock, 'auth' | 'base_url'>, env: NodeJS.ProcessEnv): string | null {
  if (auth === null || !('oauth_client_credentials' in auth)) return null;
  const { token_url_env: variable, token_url: stated, token_path: path = '/oauth/token' } = auth.oauth_client_credentials;
  const given = overriding(variable, env) ?? stated;
  return given ?? URL.parse(path, base)?.href ?? '';
}

/** What a variable says in place of the plan; an empty one says nothing. */
export function overriding(name: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  const value = name === undefined ? undefined : env[name]?.trim();
  return value === '' ? undefined : value;
}
