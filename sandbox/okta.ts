import * as checks from './checks.ts';
import {
  type Call,
  empty,
  flawsOf,
  Ids,
  json,
  makeKit,
  type Reply,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';
import { appIn, newApp, type OktaApp, origin, readOnly } from './okta/app.ts';
import { absent, failure, forbidden, invalid } from './okta/refusals.ts';

export interface TrustedOrigin {
  readonly id: string;
  name: string;
  origin: string;
  scopes: readonly { readonly type: string; readonly allowedOktaApps?: readonly string[] }[];
  status: 'ACTIVE' | 'INACTIVE';
  readonly created: string;
  lastUpdated: string;
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
