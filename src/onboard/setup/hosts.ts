import { canonicalJson } from '../../core/canonical.ts';
import type { ProviderBlock } from '../../http/types.ts';
import type { Adapter } from '../../ops/op.ts';
import { apiUrlVariable } from '../../ops/provider-url.ts';

/** The hosts that would get a credential and the command that would print it, if only the plan names them. */
export interface ByPlan {
  /** The hosts that are neither documented by the provider nor named by a variable of the provider. */
  readonly hosts: readonly string[];
  /** The documented host of the provider; `null` if each customer has another one. */
  readonly documented: string | null;
  /** The command of the plan; `null` without one, or if it is the provider's own. */
  readonly command: readonly string[] | null;
}

/**
 * Finds the hosts and the command of an API that only the plan names. A plan may come with a cloned repository, and its author could make a
 * person's token go to the author's server, or start a program.
 */
export function saidByPlan(block: ProviderBlock, known: Adapter | null, env: NodeJS.ProcessEnv): ByPlan {
  // The same author may have written the family.
  const owner = known?.isByHand ? null : known;
  const { base_url: own = null, base_url_env: ownVariable, auth: ownAuth = null } = owner?.provider ?? {};
  const variables = [ownVariable, ...[owner?.name, owner?.alias].map((name) => name && apiUrlVariable(name))];
  const isOfPerson = block.base_url_env !== undefined && variables.includes(block.base_url_env);
  const trusted = new Set([own, isOfPerson ? block.base_url : null, ...tokenUrlsOf(ownAuth, env)].flatMap((url) => hostOf(url) ?? []));
  const hosts = [block.base_url, ...tokenUrlsOf(block.auth, env)].flatMap((url) => hostOf(url) ?? []);
  const { auth } = block;
  const isOwnCommand = canonicalJson(auth) === canonicalJson(ownAuth);
  return {
    hosts: [...new Set(hosts)].filter((host) => !trusted.has(host)),
    documented: hostOf(own),
    command: auth !== null && 'command' in auth && !isOwnCommand ? auth.command : null,
  };
}

/** The address that gets a client secret, if it is not at the origin of the API. */
function tokenUrlsOf(auth: ProviderBlock['auth'], env: NodeJS.ProcessEnv): readonly string[] {
  if (auth === null || !('oauth_client_credentials' in auth)) return [];
  const { token_url, token_url_env } = auth.oauth_client_credentials;
  return [(token_url_env && env[token_url_env]) || token_url].filter((url) => url !== undefined);
}

const hostOf = (url: string | null): string | null => URL.parse(url ?? '')?.host ?? null;
