import * as checks from './checks.ts';
import {
  type Call,
  empty,
  flawsOf,
  Ids,
  json,
  makeKit,
  type Refusal,
  type Reply,
  refuse,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

export interface TrustedOrigin {
  readonly id: string;
  name: string;
  origin: string;
  scopes: readonly { readonly type: string; readonly allowedOktaApps?: readonly string[] }[];
  status: 'ACTIVE' | 'INACTIVE';
  readonly created: string;
  lastUpdated: string;
}

/** An OIDC application as it is read. */
export interface OktaApp {
  readonly id: string;
  lastUpdated: string;
  settings: {
    oauthClient: { redirect_uris?: readonly string[]; post_logout_redirect_uris?: readonly string[]; [member: string]: unknown };
    [member: string]: unknown;
  };
  [member: string]: unknown;
}

export interface OktaState {
  readonly apps: Record<string, OktaApp>;
  origins: TrustedOrigin[];
  /** Reads of applications that were made a moment ago: the second one of each misses it. */
  readonly young: Record<string, number>;
  /** Whether the token's administrator has any role. */
  readonly hasRole: boolean;
}

/** State, and what a person does in the console. */
export interface OktaWorld {
  readonly state: OktaState;
  addApp(id: string, oauthClient: Readonly<Record<string, unknown>>): OktaApp;
  /** Somebody makes it just now. */
  addYoungApp(id: string, oauthClient: Readonly<Record<string, unknown>>): OktaApp;
  addOrigin(given: Pick<TrustedOrigin, 'name' | 'origin'> & Partial<TrustedOrigin>): TrustedOrigin;
}

const origin = 'https://acme.okta.com';

/**
 * Trusted origins and OIDC applications of one organisation (Okta Admin Management API 2026.06.3,
 * https://developer.okta.com/docs/api/openapi/okta-management/management/). Of the codes only those that the description names are
 * certain.
 */
export function okta(options: SimulationOptions = {}): Simulation<OktaWorld> {
  const kit = makeKit('okta', options);
  const ids = new Ids('okta');
  const time = () => new Date(kit.clock.now()).toISOString();
  const newOrigin = (given: Pick<TrustedOrigin, 'name' | 'origin'> & Partial<TrustedOrigin>): TrustedOrigin => ({
    id: `tos${ids.text(17)}`,
    scopes: [],
    status: 'ACTIVE',
    created: time(),
    lastUpdated: time(),
    ...given,
  });
  const origins = '/api/v1/trustedOrigins';

  return simulate<OktaState, OktaWorld>(kit, {
    name: 'okta',
    origin,
    state: { apps: {}, origins: [], young: {}, hasRole: true },
    blind: () => ({ apps: {}, origins: [], young: {}, hasRole: false }),
    world: (live) => ({
      state: live,
      addApp: (id, oauthClient) => addApp(live, id, oauthClient),
      addYoungApp: (id, oauthClient) => {
        live.young[id] = 0;
        return addApp(live, id, oauthClient);
      },
      addOrigin: (given) => {
        const made = newOrigin(given);
        live.origins.push(made);
        return made;
      },
    }),
    tokens: kit.tokens,
    checks: checks.okta,
    credential: ({ headers }) => {
      const header = headers.get('authorization');
      return header === null ? null : (/^SSWS (.+)$/.exec(header)?.[1] ?? '');
    },
    refuseCredential: (_, why) => (why === 'read-only' ? forbidden() : failure(401, 'E0000011', 'Invalid token provided')).reply,
    routes: [
      route('GET', '/api/v1/apps/{id}', (call) => {
        const app = appOf(call);
        checkYoung(call);
        return json(200, app);
      }),
      route('PUT', '/api/v1/apps/{id}', (call) => {
        const app = appOf(call);
        const wanted = appIn(call.body);
        // Everything that may be written is replaced; what is read only stays, and what was not sent is gone.
        for (const name of Object.keys(app)) if (!readOnly.includes(name)) delete app[name];
        Object.assign(app, wanted, { lastUpdated: time() });
        return json(200, app);
      }),

      route('GET', origins, (call) => list(call)),
      route('POST', origins, (call) => {
        checkRole(call);
        const wanted = originIn(call.body, ['name', 'origin']);
        checkUnique(call.state.origins, wanted);
        const made = newOrigin({ ...wanted, name: String(wanted.name), origin: String(wanted.origin) });
        call.state.origins.push(made);
        return json(200, made);
      }),
      route('GET', `${origins}/{id}`, (call) => json(200, originOf(call))),
      route('PUT', `${origins}/{id}`, (call) => {
        const there = originOf(call);
        const wanted = originIn(call.body, ['name', 'origin']);
        checkUnique(
          call.state.origins.filter((one) => one !== there),
          wanted,
        );
        // Replaced whole: one that says nothing of its status is as new.
        Object.assign(there, wanted, { lastUpdated: time() });
        return json(200, there);
      }),
      route('DELETE', `${origins}/{id}`, (call) => {
        const there = originOf(call);
        call.state.origins = call.state.origins.filter((one) => one !== there);
        return empty();
      }),
    ],
  });

  function addApp(live: OktaState, id: string, oauthClient: Readonly<Record<string, unknown>>): OktaApp {
    const app = newApp(id, oauthClient, time(), ids.text(40));
    live.apps[id] = app;
    return app;
  }
}

const failure = (status: number, errorCode: string, errorSummary: string, causes: readonly string[] = []): Refusal =>
  refuse(status, {
    errorCode,
    errorSummary,
    errorLink: errorCode,
    errorId: 'oaeHfmOAx1iRLa0H10DeMz5fQ',
    errorCauses: causes.map((cause) => ({ errorSummary: cause })),
  });
const forbidden = (): Refusal => failure(403, 'E0000006', 'You do not have permission to perform the requested action');
const invalid = (what: string, cause: string): Refusal => failure(400, 'E0000001', `Api validation failed: ${what}`, [cause]);
const absent = (id: string): Refusal => failure(404, 'E0000007', `Not found: Resource not found: ${id}`);

type OktaCall = Call<OktaState, { readonly id: string }>;

function checkRole({ state }: Pick<OktaCall, 'state'>): void {
  if (!state.hasRole) throw forbidden();
}

function appOf(call: OktaCall): OktaApp {
  checkRole(call);
  const found = call.state.apps[call.params.id];
  if (!found) throw absent(call.params.id);
  return found;
}

/** An application is read, then missed for a second, then read for good (okta/terraform-provider-okta, issue 58). */
function checkYoung({ params: { id }, state: { young } }: OktaCall): void {
  const reads = young[id];
  if (reads === undefined) return;
  young[id] = reads + 1;
  if (reads === 1) throw absent(id);
}

function originOf(call: OktaCall): TrustedOrigin {
  checkRole(call);
  const found = call.state.origins.find(({ id }) => id === call.params.id);
  if (!found) throw absent(call.params.id);
  return found;
}

/** Members of an application that a write ignores. */
const readOnly = [
  ...['id', 'orn', 'name', 'status', 'created', 'lastUpdated', 'features', 'expressConfiguration', 'universalLogout'],
  ...['_links', '_embedded'],
];

const newApp = (id: string, oauthClient: Readonly<Record<string, unknown>>, time: string, secret: string): OktaApp => ({
  id,
  orn: `orn:okta:idp:00o1n8sbwArJ7OQRw406:apps:oidc_client:${id}`,
  name: 'oidc_client',
  label: 'Shop',
  status: 'ACTIVE',
  created: time,
  lastUpdated: time,
  features: [],
  signOnMode: 'OPENID_CONNECT',
  accessibility: { selfService: false, errorRedirectUrl: 'https://acme.example/sorry' },
  visibility: { autoSubmitToolbar: false, hide: { iOS: true, web: false } },
  profile: { team: 'web' },
  credentials: {
    userNameTemplate: { template: '${source.login}', type: 'BUILT_IN' },
    signing: { kid: 'ZcLGYsl4D2Xka' },
    oauthClient: { client_id: id, client_secret: secret, token_endpoint_auth_method: 'client_secret_basic', autoKeyRotation: true },
  },
  settings: {
    notes: { admin: 'ask the web team' },
    oauthClient: {
      application_type: 'web',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      issuer_mode: 'DYNAMIC',
      wildcard_redirect: 'DISABLED',
      ...oauthClient,
    },
  },
  _links: { self: { href: `${origin}/api/v1/apps/${id}` } },
});

const appShape: Shape = {
  fields: {
    label: 'string',
    name: { oneOf: ['oidc_client'] },
    signOnMode: { oneOf: ['OPENID_CONNECT'] },
    credentials: { fields: {}, open: true },
    settings: {
      fields: {
        oauthClient: {
          fields: { grant_types: { list: 'string' }, redirect_uris: { list: 'string' }, post_logout_redirect_uris: { list: 'string' } },
          required: ['grant_types'],
          open: true,
        },
      },
      required: ['oauthClient'],
      open: true,
    },
  },
  required: ['label', 'signOnMode', 'credentials', 'settings'],
  open: true,
};

/** What a PUT writes. An application that signs people in needs a place to return to. */
function appIn(body: unknown): Readonly<Record<string, unknown>> {
  const [flaw] = flawsOf(body, appShape);
  if (flaw || !isMap(body)) throw invalid(flaw?.at.slice(1) ?? 'body', `${flaw?.at ?? 'the body'} is ${flaw?.problem ?? 'no object'}`);
  const client = isMap(body.settings) && isMap(body.settings.oauthClient) ? body.settings.oauthClient : {};
  const textsOf = (name: string): readonly unknown[] => (Array.isArray(client[name]) ? client[name] : []);
  const needsNone = textsOf('grant_types').some((grant) => grant === 'password' || grant === 'client_credentials');
  if (textsOf('redirect_uris').length === 0 && !needsNone) {
    throw invalid('settings.oauthClient.redirect_uris', "'redirect_uris' must have at least one value");
  }
  for (const uri of [...textsOf('redirect_uris'), ...textsOf('post_logout_redirect_uris')]) {
    if (!URL.canParse(String(uri))) throw invalid('settings.oauthClient', `${String(uri)} is not a valid URI`);
  }
  // The sign-in URIs are a list in its order, those of sign-out a set.
  const after = textsOf('post_logout_redirect_uris').map(String);
  const kept = {
    ...client,
    ...(client.post_logout_redirect_uris !== undefined && { post_logout_redirect_uris: [...new Set(after)].sort() }),
  };
  const writable = Object.fromEntries(Object.entries(body).filter(([name]) => !readOnly.includes(name)));
  return { ...writable, settings: { ...(isMap(body.settings) && body.settings), oauthClient: kept } };
}

const scopeShape: Shape = {
  fields: { type: { oneOf: ['CORS', 'REDIRECT', 'IFRAME_EMBED'] }, allowedOktaApps: { list: { oneOf: ['OKTA_ENDUSER'] } } },
  required: ['type'],
};

function originIn(body: unknown, required: readonly string[]): Partial<TrustedOrigin> {
  const fields = { name: 'string', origin: 'string', scopes: { list: scopeShape }, status: { oneOf: ['ACTIVE', 'INACTIVE'] } } as const;
  const [flaw] = flawsOf(body, { fields, required, open: true });
  if (flaw || !isMap(body)) throw invalid('trustedOrigin', `${flaw?.at ?? 'the body'} is ${flaw?.problem ?? 'no object'}`);
  const { name, origin: address, scopes = [], status = 'ACTIVE' } = body;
  if (String(name).length > 255 || !/^(?:https?|ftp|ionic|capacitor):\/\/[^/\s]+$/.test(String(address))) {
    throw invalid('trustedOrigin', 'origin: Invalid Origin URL specified');
  }
  return Object.fromEntries(Object.entries({ name, origin: address, scopes, status }));
}

function checkUnique(others: readonly TrustedOrigin[], wanted: Partial<TrustedOrigin>): void {
  for (const field of ['name', 'origin'] as const) {
    if (others.some((one) => one[field] === wanted[field])) {
      throw invalid('trustedOrigin', `${field}: An object with this field already exists in the current organization`);
    }
  }
}

/** A bare list; only the Link header tells of the next page. */
function list(call: Call<OktaState, unknown>): Reply {
  checkRole(call);
  const { query, state } = call;
  const limit = Number(query.get('limit') ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) throw invalid('limit', 'limit: must be between 1 and 200');
  const filter = query.get('filter');
  const asked = filter === null ? null : /^(name|origin|status) eq "([^"]*)"$/.exec(filter);
  if (filter !== null && !asked) throw failure(400, 'E0000031', `Invalid search criteria: ${filter}`);
  const found = state.origins.filter((one) => asked === null || Reflect.get(one, asked[1] ?? '') === asked[2]);
  const after = query.get('after');
  const start = after === null ? 0 : found.findIndex(({ id }) => id === after) + 1;
  const page = found.slice(start, start + limit);
  const next = new URL(`${origin}/api/v1/trustedOrigins`);
  for (const [name, value] of query) next.searchParams.set(name, value);
  next.searchParams.set('after', page.at(-1)?.id ?? '');
  const links = [`<${origin}/api/v1/trustedOrigins>; rel="self"`];
  if (start + limit < found.length) links.push(`<${next.href}>; rel="next"`);
  return json(200, page, { link: links.join(', ') });
}
