import type { ProviderBlock } from '../types.ts';

/** The address that gives the block's tokens; `null` for a block without one. Code that sends a client secret there must check it first. */
export function tokenAddress({ auth, base_url: base }: Pick<ProviderBlock, 'auth' | 'base_url'>, env: NodeJS.ProcessEnv): string | null {
  if (auth === null || !('oauth_client_credentials' in auth)) return null;
  const { token_url_env: variable, token_url: stated, token_path: path = '/oauth/token' } = auth.oauth_client_credentials;
  const given = overriding(variable, env) ?? stated;
  return given ?? URL.parse(path, base)?.href ?? '';
}

/** The text of a variable that replaces a text of the plan. An empty variable replaces nothing. */
export function overriding(name: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  const value = name === undefined ? undefined : env[name]?.trim();
  return value === '' ? undefined : value;
}
