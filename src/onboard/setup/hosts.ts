import { canonicalJson } from '../../core/canonical.ts';
import type { ProviderBlock } from '../../http/types.ts';
import type { Adapter } from '../../ops/op.ts';
import { apiUrlVariable } from '../../ops/provider-url.ts';

/** Where a credential would go, and what would print it, on the word of the plan alone. */
export interface ByPlan {
  /** Hosts that are neither the provider's documented ones nor named by a variable that is the provider's own. */
  readonly hosts: readonly string[];
  /** The documented host of the provider; `null` where each customer has another one. */
  readonly documented: string | null;
  /** The command of the plan, where the provider's own is another or none. */
  readonly command: readonly string[] | null;
}

/**
 * What of an API only the plan says. A plan may have come with a cloned repository: whoever wrote it would have a person's token sent to
 * a server of theirs, or start a program.
 */
export function saidByPlan(block: ProviderBlock, owner: Adapter | null, env: NodeJS.ProcessEnv): ByPlan {
  const { base_url: own = null, base_url_env: ownVariable, auth: ownAuth = null } = owner?.provider ?? {};
  const variables = [ownVariable, ...[owner?.name, owner?.alias].map((name) => name && apiUrlVariable(name))];
  const isOfPerson = block.base_url_env !== undefined && variables.includes(block.base_url_env);
  const known = new Set([own, isOfPerson ? block.base_url : null, ...tokenUrlsOf(ownAuth, env)].flatMap((url) => hostOf(url) ?? []));
  const hosts = [block.base_url, ...tokenUrlsOf(block.auth, env)].flatMap((url) => hostOf(url) ?? []);
  const { auth } = block;
  const isOwnCommand = canonicalJson(auth) === canonicalJson(ownAuth);
  return {
    hosts: [...new Set(hosts)].filter((host) => !known.has(host)),
    documented: hostOf(own),
    command: auth !== null && 'command' in auth && !isOwnCommand ? auth.command : null,
  };
}

/** The address that a client secret is sent to, where it is not at the origin of the API. */
function tokenUrlsOf(auth: ProviderBlock['auth'], env: NodeJS.ProcessEnv): readonly string[] {
  if (auth === null || !('oauth_client_credentials' in auth)) return [];
  const { token_url, token_url_env } = auth.oauth_client_credentials;
  return [(token_url_env && env[token_url_env]) || token_url].filter((url) => url !== undefined);
}

const hostOf = (url: string | null): string | null => URL.parse(url ?? '')?.host ?? null;
