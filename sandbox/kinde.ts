import {
  bearerOf,
  type Call,
  type Fields,
  flawsOf,
  Ids,
  json,
  makeKit,
  type Refusal,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
  type Tokens,
} from './kit/index.ts';

type Tier = keyof Tokens;

/** A list that was never set is absent. */
export interface KindeApplication {
  redirect_urls?: readonly string[];
  logout_urls?: readonly string[];
}

export interface KindeState {
  /** By client id. */
  readonly applications: Record<string, KindeApplication>;
  /** Access tokens that were handed out. */
  readonly issued: Record<string, { readonly tier: Tier; readonly expiresAt: number }>;
  /** Whether the token carries any scope. */
  readonly hasScopes: boolean;
}

/** State, and what a person does in the dashboard. */
export interface KindeWorld {
  readonly state: KindeState;
  readonly tokenUrl: string;
  readonly audience: string;
  /** Client ids of the machine-to-machine applications; their secrets are `tokens`. */
  readonly machineClients: Readonly<Record<Tier, string>>;
  addApplication(id: string, lists?: KindeApplication): KindeApplication;
}

const origin = 'https://acme.kinde.com';
const audience = `${origin}/api`;
const machineClients: Readonly<Record<Tier, string>> = {
  full: 'c1f0000000000000000000000000full',
  readOnly: 'c1f0000000000000000000000000read',
  blind: 'c1f0000000000000000000000000none',
};

/** URL lists of applications, and the token endpoint of one business (https://docs.kinde.com/kinde-apis/management/, 2026-11-21). */
export function kinde(options: SimulationOptions = {}): Simulation<KindeWorld> {
  const kit = makeKit('kinde', options);
  const ids = new Ids('kinde');
  const callbacks = '/api/v1/applications/{app}/auth_redirect_urls';
  const logouts = '/api/v1/applications/{app}/auth_logout_urls';

  return simulate<KindeState, KindeWorld>(kit, {
    name: 'kinde',
    origin,
    basePath: '/api/v1',
    state: { applications: {}, issued: {}, hasScopes: true },
    blind: () => ({ applications: {}, issued: {}, hasScopes: false }),
    world: (live) => ({
      state: live,
      tokenUrl: `${origin}/oauth2/token`,
      audience,
      machineClients,
      addApplication: (id, lists = {}) => {
        live.applications[id] = lists;
        return lists;
      },
    }),
    tokens: kit.tokens,
    credential: bearerOf,
    tokenOf: (token, { state, now }) => {
      const issued = state.issued[token];
      return issued && issued.expiresAt > now ? kit.tokens[issued.tier] : null;
    },
    // Wrong, missing and insufficient tokens all answer 403.
    refuseCredential: () => forbidden().reply,
    routes: [
      // Asking for a token changes nothing that the business keeps.
      route('POST', '/oauth2/token', (call) => issueToken(call), { open: true, write: false }),
      route('GET', callbacks, (call) => {
        const { redirect_urls: urls } = applicationOf(call);
        return json(200, urls ? { redirect_urls: urls } : {});
      }),
      route('PUT', callbacks, (call) => {
        applicationOf(call).redirect_urls = urlsIn(call.body);
        return done('Redirect URLs updated');
      }),
      route('GET', logouts, (call) => {
        const { logout_urls: urls } = applicationOf(call);
        return json(200, { code: 'OK', message: 'Success', ...(urls && { logout_urls: urls }) });
      }),
      route('PUT', logouts, (call) => {
        applicationOf(call).logout_urls = urlsIn(call.body);
        return done('Logout URLs updated');
      }),
    ],
  });

  /** Form-encoded, for the audience of the business's own kinde.com address. */
  function issueToken({ body, contentType, now, state }: Call<KindeState, unknown>) {
    if (contentType !== 'application/x-www-form-urlencoded') throw oauth(400, 'invalid_request', 'The body must be form-encoded');
    const fields = new Map(body as Fields);
    if (fields.get('grant_type') !== 'client_credentials') throw oauth(400, 'unsupported_grant_type', 'Unsupported grant type');
    const tier = tiers.find((one) => machineClients[one] === fields.get('client_id'));
    if (!tier || kit.tokens[tier] !== fields.get('client_secret')) {
      throw oauth(401, 'invalid_client', 'Client authentication failed');
    }
    if (fields.get('audience') !== audience) throw oauth(400, 'invalid_request', 'Requested audience is not whitelisted by the client');
    const token = `${ids.text(36)}.${ids.text(80)}.${ids.text(43)}`;
    state.issued[token] = { tier, expiresAt: now + 86_400_000 };
    return json(200, { access_token: token, expires_in: 86_399, scope: '', token_type: 'bearer' });
  }
}

const tiers: readonly Tier[] = ['full', 'readOnly', 'blind'];

const oauth = (status: number, error: string, description: string): Refusal => refuse(status, { error, error_description: description });
const failure = (status: number, code: string, message: string): Refusal => refuse(status, { errors: [{ code, message }] });
const forbidden = (): Refusal => failure(403, 'ROUTE_FORBIDDEN', 'The token does not have the required scopes');
const done = (message: string) => json(200, { code: 'OK', message });

function applicationOf({ params, state }: Call<KindeState, { readonly app: string }>): KindeApplication {
  if (!state.hasScopes) throw forbidden();
  const found = state.applications[params.app];
  if (!found) throw failure(400, 'APPLICATION_INVALID', 'The application is invalid');
  return found;
}

/** The whole list: what is not in it is gone. */
function urlsIn(body: unknown): string[] {
  const [flaw] = flawsOf(body, { fields: { urls: { list: 'string' } }, required: ['urls'] });
  if (flaw) throw failure(400, 'REQUEST_INVALID', `${flaw.at}: ${flaw.problem}`);
  const { urls } = body as { readonly urls: readonly string[] };
  const bad = urls.find((url) => !/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(url));
  if (bad !== undefined) throw failure(400, 'URL_INVALID', `${bad} is not a valid URL`);
  return [...new Set(urls)];
}
