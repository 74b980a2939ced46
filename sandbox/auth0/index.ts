import * as checks from '../checks.ts';
import {
  bearerOf,
  type Call,
  flawsOf,
  Ids,
  json,
  makeKit,
  type Refusal,
  type Reply,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from '../kit/index.ts';
import { isMap } from '../kit/json.ts';
import { addressLists, clientShape, isAddress } from './client-shape.ts';
import { type Auth0State, type Client, newState, type Tier } from './state.ts';
import { issueToken } from './tokens.ts';

export type { Auth0State, Client } from './state.ts';

/** State, and what a person does in the dashboard. */
export interface Auth0World {
  readonly state: Auth0State;
  /** Client ids of the applications that ask for tokens; their secrets are `tokens`. */
  readonly machineClients: Readonly<Record<Tier, string>>;
  addClient(id: string, properties?: Readonly<Record<string, unknown>>): Client;
  client(id: string): Client;
  /** How many tokens were handed out. */
  tokensIssued(): number;
  /** Every token handed out so far is refused from now on. */
  revokeTokens(): void;
}

export interface Auth0Options extends SimulationOptions {
  /** Default: `https://acme.eu.auth0.com`. */
  readonly origin?: string;
}

const clientPath = '/api/v2/clients/{id}';

/** Token endpoint and applications of one tenant (Management API 2.0, the vendor's published description). */
export function auth0(options: Auth0Options = {}): Simulation<Auth0World> {
  const kit = makeKit('auth0', options);
  const ids = new Ids('auth0');
  const origin = options.origin ?? 'https://acme.eu.auth0.com';
  const audience = `${origin}/api/v2/`;

  return simulate<Auth0State, Auth0World>(kit, {
    name: 'auth0',
    origin,
    basePath: '/api/v2',
    state: newState(audience),
    tokens: kit.tokens,
    checks: checks.auth0,
    // A token without scopes is refused before anything is looked for.
    blind: () => newState(audience),
    credential: bearerOf,
    tokenOf: (token, { state, now }) => {
      const issued = state.issued[token];
      return issued && !issued.isRevoked && issued.expiresAt > now ? kit.tokens[issued.tier] : null;
    },
    refuseCredential: (call, why) => {
      if (why === 'read-only') return lacksScope('update:clients', 'update:client_keys').reply;
      if (why === 'missing') return problem(401, 'Unauthorized', 'Missing authentication').reply;
      const issued = call.state.issued[bearerOf(call) ?? ''];
      const isExpired = issued && !issued.isRevoked;
      return problem(401, 'Unauthorized', isExpired ? 'Expired token received for JSON Web Token validation' : 'Invalid token').reply;
    },
    world: (state) => ({
      state,
      machineClients: state.machineClients,
      addClient: (id, properties = {}) => {
        const client = { name: id, tenant: 'acme', global: false, app_type: 'regular_web', ...properties, client_id: id };
        state.clients[id] = client;
        return client;
      },
      client: (id) => {
        const client = state.clients[id];
        if (!client) throw new Error(`there is no client ${id}`);
        return client;
      },
      tokensIssued: () => Object.keys(state.issued).length,
      revokeTokens: () => {
        for (const issued of Object.values(state.issued)) issued.isRevoked = true;
      },
    }),
    routes: [
      // Asking for a token changes nothing that the tenant keeps.
      route('POST', '/oauth/token', (call) => issueToken(call, ids, kit.tokens), { open: true, write: false }),

      route('GET', clientPath, (call) =>
        limited(call, () => {
          requireScope(call, 'read:clients', 'read:client_keys');
          return select(answerOf(call, clientOf(call, call.params.id)), call.query);
        }),
      ),

      route('PATCH', clientPath, (call) =>
        limited(call, () => {
          requireScope(call, 'update:clients', 'update:client_keys');
          const client = clientOf(call, call.params.id);
          // Each property that was sent is replaced whole; a list is never merged.
          Object.assign(client, readUpdate(call));
          return answerOf(call, client);
        }),
      ),
    ],
  });
}

const problem = (statusCode: number, error: string, message: string, errorCode?: string): Refusal =>
  refuse(statusCode, { statusCode, error, message, ...(errorCode !== undefined && { errorCode }) });

const lacksScope = (...scopes: readonly string[]): Refusal =>
  problem(403, 'Forbidden', `Insufficient scope, expected any of: ${scopes.join(',')}`, 'insufficient_scope');

const scopesOf = (call: Call<Auth0State, unknown>): readonly string[] => {
  const issued = call.state.issued[call.credential];
  return issued ? call.state.scopes[issued.tier] : [];
};

function requireScope(call: Call<Auth0State, unknown>, ...anyOf: readonly string[]): void {
  if (!anyOf.some((scope) => scopesOf(call).includes(scope))) throw lacksScope(...anyOf);
}

function clientOf(call: Call<Auth0State, unknown>, id: string): Client {
  const client = call.state.clients[id];
  if (!client) throw problem(404, 'Not Found', 'The client does not exist', 'inexistent_client');
  return client;
}

/** The secret is shown only to a token that may read keys. */
function answerOf(call: Call<Auth0State, unknown>, client: Client): Record<string, unknown> {
  const { client_secret: secret, ...rest } = client;
  return { ...rest, ...(secret !== undefined && scopesOf(call).includes('read:client_keys') && { client_secret: secret }) };
}

/** `fields` names properties to answer, or with `include_fields=false` those to leave out. */
function select(client: Record<string, unknown>, query: URLSearchParams): Record<string, unknown> {
  for (const name of query.keys()) {
    if (name !== 'fields' && name !== 'include_fields') {
      throw problem(400, 'Bad Request', `Query validation error: 'Additional properties not allowed: ${name}'.`, 'invalid_query_string');
    }
  }
  const include = query.get('include_fields') ?? 'true';
  if (include !== 'true' && include !== 'false') {
    throw problem(
      400,
      'Bad Request',
      "Query validation error: 'Expected type boolean' on property include_fields.",
      'invalid_query_string',
    );
  }
  const fields = query.get('fields');
  if (!fields) return client;
  const named = new Set(fields.split(','));
  return Object.fromEntries(Object.entries(client).filter(([name]) => named.has(name) === (include === 'true')));
}

function readUpdate(call: Call<Auth0State, unknown>): Record<string, unknown> {
  const invalid = (what: string): Refusal => problem(400, 'Bad Request', `Payload validation error: '${what}'.`, 'invalid_body');
  if (call.body === null) return {};
  if (call.contentType !== 'application/json') throw invalid('Expected a JSON body');
  if (!isMap(call.body)) throw invalid('Expected type object');
  const [flaw] = flawsOf(call.body, clientShape);
  if (flaw?.problem === 'unknown') throw invalid(`Additional properties not allowed: ${flaw.expected}`);
  if (flaw) throw invalid(`Expected type ${flaw.expected} on property ${flaw.at.slice(1)}`);
  for (const list of addressLists) {
    const entries = call.body[list];
    if (!Array.isArray(entries)) continue;
    const bad = entries.find((entry) => !isAddress(String(entry)));
    if (bad !== undefined)
      throw invalid(`Object didn't pass validation for format absolute-uri-or-empty: ${String(bad)} on property ${list}`);
  }
  const { name } = call.body;
  if (typeof name === 'string' && !/^[^<>]+$/.test(name)) throw invalid('String does not match pattern ^[^<>]+$ on property name');
  return call.body;
}

/** A tenant's limit counts every authorised request of one second. */
function limited(call: Call<Auth0State, unknown>, act: () => unknown): Reply {
  const { rateLimit, window } = call.state;
  if (rateLimit === null) return json(200, act());
  if (call.now - window.since >= 1000) Object.assign(window, { since: call.now, used: 0 });
  window.used += 1;
  const headers = {
    'x-ratelimit-limit': String(rateLimit),
    'x-ratelimit-remaining': String(Math.max(0, rateLimit - window.used)),
    'x-ratelimit-reset': String(Math.ceil((window.since + 1000) / 1000)),
  };
  if (window.used <= rateLimit) return json(200, act(), headers);
  return json(
    429,
    { statusCode: 429, error: 'Too Many Requests', message: 'Global limit has been reached', errorCode: 'too_many_requests' },
    headers,
  );
}
