import * as checks from './checks.ts';
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
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';

/** A key as the provider stores it: what it may do and its token are in no answer after the first. */
export interface ResendKey {
  readonly id: string;
  name: string;
  readonly permission: string;
  readonly domain_id: string | null;
  readonly token: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

export interface ResendWebhook {
  readonly id: string;
  endpoint: string;
  events: readonly string[];
  status: 'enabled' | 'disabled';
  readonly created_at: string;
  readonly signing_secret: string;
}

export interface ResendState {
  /** In the order they were made. */
  keys: ResendKey[];
  webhooks: ResendWebhook[];
  /** What a key meets that may only send. */
  readonly isSendingOnly: boolean;
}

/** State, and what a person does in the dashboard. */
export interface ResendWorld {
  readonly state: ResendState;
  addKey(name: string): ResendKey;
  addWebhook(endpoint: string, events: readonly string[]): ResendWebhook;
  removeKeys(name: string): void;
  removeWebhooks(endpoint: string): void;
}

type AnyCall = Call<ResendState, unknown>;

/** API keys and webhooks: https://resend.com/docs/api-reference. Neither names nor endpoints are unique there. */
export function resend(options: SimulationOptions = {}): Simulation<ResendWorld> {
  const kit = makeKit('resend', options);
  const ids = new Ids('resend');
  const state: ResendState = { keys: [], webhooks: [], isSendingOnly: false };
  const timeOf = (now: number) => new Date(now).toISOString().replace('T', ' ').replace('Z', '000+00');
  const uuid = () => [8, 4, 4, 4, 12].map((length) => ids.text(length, '0123456789abcdef')).join('-');

  const makeKey = (given: Pick<ResendKey, 'name' | 'permission' | 'domain_id'>, now: number): ResendKey => ({
    id: uuid(),
    token: `re_${ids.text(8)}_${ids.text(24)}`,
    created_at: timeOf(now),
    last_used_at: null,
    ...given,
  });
  const makeWebhook = (given: Pick<ResendWebhook, 'endpoint' | 'events'>, now: number): ResendWebhook => ({
    id: uuid(),
    status: 'enabled',
    created_at: timeOf(now),
    signing_secret: `whsec_${ids.text(32)}`,
    ...given,
  });

  return simulate<ResendState, ResendWorld>(kit, {
    name: 'resend',
    origin: 'https://api.resend.com',
    state,
    blind: () => ({ keys: [], webhooks: [], isSendingOnly: true }),
    world: (live) => ({
      state: live,
      addKey: (name) => {
        const key = makeKey({ name, permission: 'full_access', domain_id: null }, kit.clock.now());
        live.keys.push(key);
        return key;
      },
      addWebhook: (endpoint, events) => {
        const webhook = makeWebhook({ endpoint, events }, kit.clock.now());
        live.webhooks.push(webhook);
        return webhook;
      },
      removeKeys: (name) => {
        live.keys = live.keys.filter((key) => key.name !== name);
      },
      removeWebhooks: (endpoint) => {
        live.webhooks = live.webhooks.filter((webhook) => webhook.endpoint !== endpoint);
      },
    }),
    tokens: kit.tokens,
    checks: checks.resend,
    credential: bearerOf,
    refuseCredential: (_, why): Reply =>
      why === 'missing'
        ? json(401, { statusCode: 401, name: 'missing_api_key', message: 'Missing API Key' })
        : why === 'read-only'
          ? sendingOnly().reply
          : json(401, { statusCode: 401, name: 'validation_error', message: 'API key is invalid' }),
    routes: [
      route('GET', '/api-keys', (call) =>
        page(
          call,
          call.state.keys.map(({ id, name, created_at, last_used_at }) => ({ id, name, created_at, last_used_at })),
          // An older list: who asks for no page gets all of it.
          call.state.keys.length,
        ),
      ),
      route('POST', '/api-keys', (call) => {
        const body = bodyOf(call, keyShape, ['name']);
        const permission = String(body.permission ?? 'full_access');
        if (body.domain_id !== undefined && permission !== 'sending_access')
          throw invalid('`domain_id` is only allowed with the permission sending_access');
        const key = makeKey({ name: String(body.name), permission, domain_id: (body.domain_id as string | undefined) ?? null }, call.now);
        call.state.keys.push(key);
        return json(201, { id: key.id, token: key.token });
      }),
      route('PATCH', '/api-keys/{id}', (call) => {
        const key = oneOf(call, call.state.keys, call.params.id);
        key.name = String(bodyOf(call, { name: 'string' }, ['name']).name);
        return json(200, { object: 'api_key', id: key.id });
      }),
      route('DELETE', '/api-keys/{id}', (call) => {
        const gone = oneOf(call, call.state.keys, call.params.id);
        call.state.keys = call.state.keys.filter((key) => key !== gone);
        return json(200, { object: 'api_key', id: gone.id, deleted: true });
      }),

      route('GET', '/webhooks', (call) =>
        page(
          call,
          call.state.webhooks.map(({ signing_secret: _, ...shown }) => shown),
        ),
      ),
      route('POST', '/webhooks', (call) => {
        const { endpoint, events } = bodyOf(call, { endpoint: 'string', events: { list: 'string' } }, ['endpoint', 'events']);
        const webhook = makeWebhook({ endpoint: urlOf(endpoint), events: eventsOf(events) }, call.now);
        call.state.webhooks.push(webhook);
        return json(201, { object: 'webhook', id: webhook.id, signing_secret: webhook.signing_secret });
      }),
      route('GET', '/webhooks/{id}', (call) => json(200, { object: 'webhook', ...oneOf(call, call.state.webhooks, call.params.id) })),
      route('PATCH', '/webhooks/{id}', (call) => {
        const webhook = oneOf(call, call.state.webhooks, call.params.id);
        const { endpoint, events, status } = bodyOf(call, webhookShape, []);
        const change = {
          ...(endpoint !== undefined && { endpoint: urlOf(endpoint) }),
          ...(events !== undefined && { events: eventsOf(events) }),
        };
        Object.assign(webhook, change, status !== undefined && { status });
        return json(200, { object: 'webhook', id: webhook.id });
      }),
      route('DELETE', '/webhooks/{id}', (call) => {
        const gone = oneOf(call, call.state.webhooks, call.params.id);
        call.state.webhooks = call.state.webhooks.filter((webhook) => webhook !== gone);
        return json(200, { object: 'webhook', id: gone.id, deleted: true });
      }),
    ],
  });
}

type Fields = { readonly [name: string]: Shape };

const keyShape: Fields = { name: 'string', permission: { oneOf: ['full_access', 'sending_access'] }, domain_id: 'string' };
const webhookShape: Fields = { endpoint: 'string', events: { list: 'string' }, status: { oneOf: ['enabled', 'disabled'] } };

const failure = (statusCode: number, name: string, message: string): Refusal => refuse(statusCode, { statusCode, name, message });
const invalid = (message: string): Refusal => failure(422, 'validation_error', message);
const sendingOnly = (): Refusal => failure(401, 'restricted_api_key', 'This API key is restricted to only send emails');

function bodyOf(call: AnyCall, fields: Fields, required: readonly string[]): Record<string, unknown> {
  if (call.state.isSendingOnly) throw sendingOnly();
  const [flaw] = flawsOf(call.body, { fields, required });
  if (flaw) throw invalid(`${flaw.problem} \`${flaw.at.slice(1)}\`: ${flaw.expected}`);
  return call.body as Record<string, unknown>;
}

function urlOf(value: unknown): string {
  const url = String(value);
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw invalid('`endpoint` must be a valid URL');
  return url;
}

function eventsOf(value: unknown): readonly string[] {
  const events = value as readonly string[];
  const wrong = events.find((event) => !/^(email|contact|domain)\.[a-z_]+$/.test(event));
  if (events.length === 0 || wrong !== undefined)
    throw invalid(`\`events\` must name at least one known event${wrong ? `, not ${wrong}` : ''}`);
  return events;
}

function oneOf<T extends { readonly id: string }>(call: AnyCall, all: readonly T[], id: string): T {
  if (call.state.isSendingOnly) throw sendingOnly();
  const found = all.find((one) => one.id === id);
  if (!found) throw failure(404, 'not_found', 'Resource not found');
  return found;
}

/** Newest first; `after` and `before` take an id of the list. */
function page(call: AnyCall, all: readonly { readonly id: string }[], unasked = 20): Reply {
  if (call.state.isSendingOnly) throw sendingOnly();
  const given = call.query.get('limit') ?? (call.query.has('after') || call.query.has('before') ? '20' : null);
  const limit = Number(given ?? unasked);
  if (given !== null && (!Number.isInteger(limit) || limit < 1 || limit > 100)) throw invalid('`limit` must be between 1 and 100');
  const [after, before] = [call.query.get('after'), call.query.get('before')];
  if (after !== null && before !== null) throw invalid('`after` and `before` exclude each other');
  const list = all.toReversed();
  const at = list.findIndex(({ id }) => id === (after ?? before));
  if ((after ?? before) !== null && at < 0) throw invalid('the pagination id is not known');
  const rest = before !== null ? list.slice(0, at) : list.slice(after === null ? 0 : at + 1);
  const data = before !== null ? rest.slice(-limit) : rest.slice(0, limit);
  return json(200, { object: 'list', has_more: rest.length > data.length, data });
}
