import type { Provider } from './providers.ts';

/** Variables of a person's shell, by name. */
export type Variables = Readonly<Record<string, string>>;

/** The variable with which a provider's own tools name its address. It goes before `<NAME>_API_URL`, so both are set. */
export const ownAddresses: Readonly<Record<string, string>> = {
  amplify: 'AWS_ENDPOINT_URL_AMPLIFY',
  honeycomb: 'HONEYCOMB_API_ENDPOINT',
  okta: 'OKTA_CLIENT_ORGURL',
  qstash: 'QSTASH_URL',
  resend: 'RESEND_BASE_URL',
  route53: 'AWS_ENDPOINT_URL_ROUTE_53',
  s3: 'AWS_ENDPOINT_URL_S3',
  sentry: 'SENTRY_URL',
  svix: 'SVIX_SERVER_URL',
};

/** What leads one provider's requests here: its addresses and its credentials. `at`: the sandbox's origin. */
export function variablesOf({ name, simulation, credentials }: Provider, at: string): Variables {
  const address = `${at}/${name}${simulation.basePath}`;
  const own = ownAddresses[name];
  return {
    [`${name.toUpperCase()}_API_URL`]: address,
    ...credentials,
    ...(own !== undefined && { [own]: address }),
    ...tokenDoors[name]?.(simulation.origin, `${at}/${name}`),
  };
}

/** A token endpoint lies beside the API. Its audience is the tenant's real address, which the address of the API cannot tell here. */
const tokenDoors: Readonly<Record<string, (origin: string, at: string) => Variables>> = {
  auth0: (origin, at) => ({ AUTH0_TOKEN_URL: `${at}/oauth/token`, AUTH0_MANAGEMENT_AUDIENCE: `${origin}/api/v2/` }),
  kinde: (origin, at) => ({ KINDE_TOKEN_URL: `${at}/oauth2/token`, KINDE_MANAGEMENT_AUDIENCE: `${origin}/api` }),
};

/** The variables of all providers, one group each. */
export function groupsOf(providers: readonly Provider[], at: string): ReadonlyMap<string, Variables> {
  return new Map(providers.map((provider) => [provider.name, variablesOf(provider, at)]));
}

/** One line of a shell. No value needs quotes in it, and a value that does is quoted. */
export const exportLine = (variables: Variables): string =>
  `export ${Object.entries(variables)
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(' ')}`;

const quoted = (text: string): string => (/^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
