import * as checks from '../checks.ts';
import {
  bearerOf,
  type Call,
  Ids,
  json,
  makeKit,
  type Reply,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from '../kit/index.ts';
import { type Catalogue, catalogueRoutes } from './catalogue.ts';
import { invalid, noSuch } from './errors.ts';
import { once, type Remembered } from './idempotency.ts';
import { pageOf } from './list.ts';
import { listOf, mergeMetadata, type ParamKind, readParams, readQuery, textOf } from './params.ts';
import { type Products, productRoutes } from './products.ts';

export interface Endpoint {
  readonly id: string;
  readonly created: number;
  readonly livemode: boolean;
  readonly api_version: string | null;
  readonly secret: string;
  url: string;
  description: string | null;
  enabled_events: readonly string[];
  metadata: Readonly<Record<string, string>>;
  status: 'enabled' | 'disabled';
}

export interface StripeState extends Catalogue, Products {
  /** In the order they were created. */
  readonly endpoints: Endpoint[];
  readonly answers: Remembered;
  /** Endpoints that one mode of the account may have. */
  endpointLimit: number;
}

/** State, and what a person does in the dashboard. */
export interface StripeWorld {
  readonly state: StripeState;
  endpoints(): readonly Endpoint[];
  byUrl(url: string): Endpoint | undefined;
  addEndpoint(url: string, more?: Partial<Endpoint>): Endpoint;
  removeEndpoint(id: string): void;
}

const changeable: Readonly<Record<string, ParamKind>> = {
  url: 'text',
  enabled_events: 'list',
  description: 'text',
  metadata: 'map',
  expand: 'list',
};
const creatable: Readonly<Record<string, ParamKind>> = { ...changeable, api_version: 'text', connect: 'boolean' };
const endpointPath = '/v1/webhook_endpoints/{webhook_endpoint}';

/** Webhook endpoints (the vendor's published description, API version 2026-07-29.dahlia). */
export function stripe(options: SimulationOptions = {}): Simulation<StripeWorld> {
  const kit = makeKit('stripe', {
    ...options,
    tokens: {
      full: 'sk_test_full0123456789abcdef',
      readOnly: 'rk_test_read0123456789abcdef',
      blind: 'sk_test_othr0123456789abcdef',
      ...options.tokens,
    },
  });
  const ids = new Ids('stripe');
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const empty = (): StripeState => ({ endpoints: [], answers: {}, endpointLimit: 16, products: [], prices: [], coupons: [] });
  const state = empty();

  const newEndpoint = (livemode: boolean, from: Partial<Endpoint> & { readonly url: string }, now: number): Endpoint => ({
    id: `we_${ids.text(24, letters)}`,
    created: Math.floor(now / 1000),
    livemode,
    api_version: from.api_version ?? null,
    secret: `whsec_${ids.text(32, letters)}`,
    url: from.url,
    description: from.description ?? null,
    enabled_events: from.enabled_events ?? ['*'],
    metadata: from.metadata ?? {},
    status: from.status ?? 'enabled',
  });

  /** Every answer carries a request id, and the version when one was sent; a wrong version is refused before `act` changes anything. */
  const answer = (call: Call<StripeState, unknown>, act: () => unknown): Reply => {
    const version = call.headers.get('stripe-version');
    if (version !== null && !/^\d{4}-\d{2}-\d{2}(\.\w+)?$/.test(version)) throw invalid(`Invalid Stripe API version: ${version}`);
    return json(200, act(), { 'request-id': `req_${ids.text(14, letters)}`, ...(version !== null && { 'stripe-version': version }) });
  };

  const parts = {
    answer,
    isLive: ({ credential }: { readonly credential: string }) => isLive(credential),
    newId: (prefix: string) => `${prefix}_${ids.text(24, letters)}`,
  };

  return simulate<StripeState, StripeWorld>(kit, {
    name: 'stripe',
    origin: 'https://api.stripe.com',
    state,
    tokens: kit.tokens,
    checks: checks.stripe,
    blind: empty,
    credential: (call) => basicOf(call.headers.get('authorization')) ?? bearerOf(call),
    refuseCredential: (_, why) => {
      if (why === 'read-only') {
        return invalid('The provided key does not have the required permissions for this endpoint.', { status: 403 }).reply;
      }
      return invalid(why === 'missing' ? 'You did not provide an API key.' : 'Invalid API Key provided.', { status: 401 }).reply;
    },
    world: (current) => ({
      state: current,
      endpoints: () => current.endpoints,
      byUrl: (url) => current.endpoints.find((endpoint) => endpoint.url === url),
      addEndpoint: (url, more = {}) => {
        const endpoint = newEndpoint(more.livemode ?? isLive(kit.tokens.full), { ...more, url }, kit.clock.now());
        current.endpoints.push(endpoint);
        return endpoint;
      },
      removeEndpoint: (id) => remove(current, id),
    }),
    routes: [
      route('GET', '/v1/webhook_endpoints', (call) =>
        answer(call, () => pageOf(call, visible(call).map(endpointAnswer), '/v1/webhook_endpoints')),
      ),

      route('POST', '/v1/webhook_endpoints', (call) => once(call, () => answer(call, () => create(call)))),

      route('GET', endpointPath, (call) =>
        answer(call, () => {
          readQuery(call, ['expand']);
          return endpointAnswer(endpointOf(call, call.params.webhook_endpoint));
        }),
      ),

      route('POST', endpointPath, (call) =>
        once(call, () => answer(call, () => endpointAnswer(update(call, endpointOf(call, call.params.webhook_endpoint))))),
      ),

      route('DELETE', endpointPath, (call) =>
        answer(call, () => {
          const { id } = endpointOf(call, call.params.webhook_endpoint);
          remove(call.state, id);
          return { id, object: 'webhook_endpoint', deleted: true };
        }),
      ),

      ...productRoutes<StripeState>(parts),
      ...catalogueRoutes<StripeState>(parts),
    ],
  });

  function create(call: Call<StripeState, unknown>): Record<string, unknown> {
    const params = readParams(call, creatable, ['url', 'enabled_events']);
    const livemode = isLive(call.credential);
    const from = {
      url: checkUrl(textOf(params.url), livemode) ?? '',
      enabled_events: checkEvents(listOf(params.enabled_events)) ?? [],
      metadata: mergeMetadata({}, params.metadata),
      description: textOf(params.description) || null,
      api_version: textOf(params.api_version) ?? null,
    };
    if (visible(call).length >= call.state.endpointLimit) {
      throw invalid(`You have reached the maximum of ${call.state.endpointLimit} ${livemode ? 'live' : 'test'} webhook endpoints.`);
    }
    const endpoint = newEndpoint(livemode, from, call.now);
    call.state.endpoints.push(endpoint);
    return { ...endpointAnswer(endpoint), secret: endpoint.secret };
  }
}

function update(call: Call<StripeState, unknown>, endpoint: Endpoint): Endpoint {
  const params = readParams(call, { ...changeable, disabled: 'boolean' });
  const url = checkUrl(textOf(params.url), endpoint.livemode);
  const events = checkEvents(listOf(params.enabled_events));
  endpoint.metadata = mergeMetadata(endpoint.metadata, params.metadata);
  if (url !== undefined) endpoint.url = url;
  if (events !== undefined) endpoint.enabled_events = events;
  if (params.description !== undefined) endpoint.description = textOf(params.description) || null;
  if (params.disabled !== undefined) endpoint.status = params.disabled === 'true' ? 'disabled' : 'enabled';
  return endpoint;
}

const isLive = (key: string): boolean => /^[sr]k_live_/.test(key);

/** Test and live objects never meet: a key sees those of its own mode. */
const visible = (call: Call<StripeState, unknown>): readonly Endpoint[] =>
  call.state.endpoints.filter(({ livemode }) => livemode === isLive(call.credential));

function endpointOf(call: Call<StripeState, unknown>, id: string): Endpoint {
  const found = visible(call).find((endpoint) => endpoint.id === id);
  if (!found) throw noSuch(id, 'webhook_endpoint');
  return found;
}

function remove(state: StripeState, id: string): void {
  const at = state.endpoints.findIndex((endpoint) => endpoint.id === id);
  if (at >= 0) state.endpoints.splice(at, 1);
}

/** The signing secret is left out: only the create answers it. */
const endpointAnswer = (endpoint: Endpoint): Record<string, unknown> => ({
  id: endpoint.id,
  object: 'webhook_endpoint',
  api_version: endpoint.api_version,
  application: null,
  created: endpoint.created,
  description: endpoint.description,
  enabled_events: endpoint.enabled_events,
  livemode: endpoint.livemode,
  metadata: endpoint.metadata,
  status: endpoint.status,
  url: endpoint.url,
});

function checkUrl(url: string | undefined, livemode: boolean): string | undefined {
  if (url === undefined) return undefined;
  const scheme = URL.canParse(url) ? new URL(url).protocol : '';
  if (scheme !== 'https:' && scheme !== 'http:') {
    throw invalid('Invalid URL: An explicit scheme (such as https) must be provided.', { code: 'url_invalid', param: 'url' });
  }
  if (livemode && scheme !== 'https:') throw invalid('Invalid URL: must be https in live mode.', { code: 'url_invalid', param: 'url' });
  return url;
}

function checkEvents(events: readonly string[] | undefined): readonly string[] | undefined {
  if (events === undefined) return undefined;
  const isKnown = (name: string): boolean => name === '*' || /^[a-z0-9_]+(\.[a-z0-9_]+)+$/.test(name);
  if (events.length === 0 || !events.every(isKnown)) {
    throw invalid('Invalid enabled_events: must be event types such as charge.succeeded, or *.', { param: 'enabled_events' });
  }
  return events;
}

function basicOf(header: string | null): string | null {
  const encoded = /^Basic (.+)$/i.exec(header ?? '')?.[1];
  return encoded === undefined ? null : (Buffer.from(encoded, 'base64').toString().split(':')[0] ?? '');
}
