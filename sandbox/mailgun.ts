import { Ids, json, makeKit, type Reply, refuse, route, type Simulation, type SimulationOptions, simulate } from './kit/index.ts';

export interface MailgunWebhook {
  readonly webhook_id: string;
  description: string;
  url: string;
  event_types: readonly string[];
  readonly created_at: string;
}

/** A route as the provider stores it. It is written with `action` and read with `actions`. */
export interface MailgunRoute {
  readonly id: string;
  description: string;
  expression: string;
  priority: number;
  actions: readonly string[];
  readonly created_at: string;
}

export interface MailgunState {
  webhooks: MailgunWebhook[];
  routes: MailgunRoute[];
  /** URLs that one type of event may have. */
  urlLimit: number;
  isClosed: boolean;
}

export interface MailgunWorld {
  readonly state: MailgunState;
  /** Live: changing one is a change from outside. */
  webhooks(): readonly MailgunWebhook[];
  add(webhook: Pick<MailgunWebhook, 'description' | 'url' | 'event_types'>): MailgunWebhook;
  remove(description: string): void;
  addRoute(route: Pick<MailgunRoute, 'description' | 'expression' | 'actions'>): MailgunRoute;
  removeRoutes(description: string): void;
}

const events = ['accepted', 'clicked', 'opened', 'unsubscribed', 'delivered', 'permanent_fail', 'temporary_fail', 'complained'];

/**
 * Webhooks of an account, whose writes are `multipart/form-data`:
 * https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/account-webhooks. A create shows only its id, descriptions
 * are not unique, and an update replaces everything. Routes take both form encodings:
 * https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/routes. That a type of event has its URLs answers 400 here;
 * what the documented 409 means is not told.
 */
export function mailgun(options: SimulationOptions = {}): Simulation<MailgunWorld> {
  const kit = makeKit('mailgun', options);
  const ids = new Ids('mailgun');
  const state: MailgunState = { webhooks: [], routes: [], urlLimit: 3, isClosed: false };
  const makeRoute = (given: Omit<MailgunRoute, 'id' | 'created_at'>, now: number): MailgunRoute => ({
    id: ids.text(24, '0123456789abcdef'),
    created_at: new Date(now).toUTCString(),
    ...given,
  });
  const make = (given: Pick<MailgunWebhook, 'description' | 'url' | 'event_types'>): MailgunWebhook => ({
    webhook_id: `wh_${ids.text(20)}`,
    created_at: new Date(kit.clock.now()).toISOString(),
    ...given,
  });
  const found = (live: MailgunState, id: string): MailgunWebhook => {
    const webhook = live.webhooks.find(({ webhook_id }) => webhook_id === id);
    if (live.isClosed) throw refuse(403, { message: 'Forbidden' });
    if (!webhook) throw refuse(404, { Description: 'webhook not found' });
    return webhook;
  };
  return simulate<MailgunState, MailgunWorld>(kit, {
    name: 'mailgun',
    origin: 'https://api.mailgun.net',
    state,
    blind: () => ({ webhooks: [], routes: [], urlLimit: 3, isClosed: true }),
    world: (live) => ({
      state: live,
      webhooks: () => live.webhooks,
      add: (given) => {
        const webhook = make(given);
        live.webhooks.push(webhook);
        return webhook;
      },
      remove: (description) => {
        live.webhooks = live.webhooks.filter((webhook) => webhook.description !== description);
      },
      addRoute: (given) => {
        const made = makeRoute({ priority: 0, ...given }, kit.clock.now());
        live.routes.push(made);
        return made;
      },
      removeRoutes: (description) => {
        live.routes = live.routes.filter((one) => one.description !== description);
      },
    }),
    tokens: kit.tokens,
    credential: ({ headers }) => {
      const header = headers.get('authorization');
      if (header === null) return null;
      const [user, key] = Buffer.from(header.replace(/^Basic /, ''), 'base64')
        .toString()
        .split(':', 2);
      return user === 'api' ? (key ?? '') : '';
    },
    refuseCredential: (_, why): Reply =>
      why === 'read-only' ? json(403, { message: 'Forbidden' }) : json(401, { message: 'Invalid private key' }),
    routes: [
      route('GET', '/v1/webhooks', (call) => {
        if (call.state.isClosed) throw refuse(403, { message: 'Forbidden' });
        return json(200, { webhooks: call.state.webhooks });
      }),
      route('POST', '/v1/webhooks', (call) => {
        const given = wanted(call);
        for (const event of given.event_types) {
          const urls = new Set(call.state.webhooks.filter(({ event_types }) => event_types.includes(event)).map(({ url }) => url));
          if (urls.add(given.url).size > call.state.urlLimit)
            throw refuse(400, { message: `at most ${call.state.urlLimit} unique URLs for ${event}` });
        }
        const webhook = make(given);
        call.state.webhooks.push(webhook);
        return json(200, { webhook_id: webhook.webhook_id });
      }),
      route('GET', '/v1/webhooks/{webhook_id}', (call) => json(200, found(call.state, call.params.webhook_id))),
      route('PUT', '/v1/webhooks/{webhook_id}', (call) => {
        Object.assign(found(call.state, call.params.webhook_id), wanted(call));
        return { status: 204 };
      }),
      route('DELETE', '/v1/webhooks/{webhook_id}', (call) => {
        const gone = found(call.state, call.params.webhook_id);
        call.state.webhooks = call.state.webhooks.filter((webhook) => webhook !== gone);
        return { status: 204 };
      }),

      route('GET', '/v3/routes', (call) => {
        if (call.state.isClosed) throw refuse(403, { message: 'Forbidden' });
        const [skip, limit] = [Number(call.query.get('skip') ?? '0'), Number(call.query.get('limit') ?? '100')];
        if (!(skip >= 0) || !(limit >= 1 && limit <= 1000)) throw refuse(400, { message: 'invalid skip or limit' });
        const { routes } = call.state;
        return json(200, { total_count: routes.length, items: routes.slice(skip, skip + limit) });
      }),
      route('POST', '/v3/routes', (call) => {
        const { expression, ...given } = wantedRoute(call);
        if (expression === undefined) throw refuse(400, { message: 'expression is missing' });
        const made = makeRoute({ description: '', priority: 0, actions: [], expression, ...given }, call.now);
        call.state.routes.push(made);
        return json(200, { message: 'Route has been created', route: made });
      }),
      route('GET', '/v3/routes/{id}', (call) => json(200, { route: routeOf(call.state, call.params.id) })),
      route('PUT', '/v3/routes/{id}', (call) => {
        const one = Object.assign(routeOf(call.state, call.params.id), wantedRoute(call));
        return json(200, { message: 'Route has been updated', ...one });
      }),
      route('DELETE', '/v3/routes/{id}', (call) => {
        const gone = routeOf(call.state, call.params.id);
        call.state.routes = call.state.routes.filter((one) => one !== gone);
        return json(200, { message: 'Route has been deleted', id: gone.id });
      }),
    ],
  });
}

/** Only the documented encoding and fields are taken; a list is its field repeated. */
function wanted({ contentType, body }: { readonly contentType: string; readonly body: unknown }) {
  if (contentType !== 'multipart/form-data' || !Array.isArray(body)) throw refuse(400, { message: 'multipart/form-data is needed' });
  const fields: readonly (readonly [string, string])[] = body;
  const of = (name: string): string[] => fields.flatMap(([field, value]) => (field === name ? [value] : []));
  const unknown = fields.find(([name]) => !['description', 'url', 'event_types'].includes(name));
  const [url = ''] = of('url');
  const event_types = of('event_types');
  if (unknown || !URL.canParse(url) || event_types.length === 0 || event_types.some((event) => !events.includes(event)))
    throw refuse(400, { message: `invalid parameter ${unknown?.[0] ?? ''}`.trim() });
  return { url, event_types, description: of('description')[0] ?? '' };
}

function routeOf(state: MailgunState, id: string): MailgunRoute {
  if (state.isClosed) throw refuse(403, { message: 'Forbidden' });
  const found = state.routes.find((one) => one.id === id);
  if (!found) throw refuse(404, { message: 'Route not found' });
  return found;
}

/** What a write of a route gives; only that changes. */
function wantedRoute({ contentType, body }: { readonly contentType: string; readonly body: unknown }) {
  const encodings = ['multipart/form-data', 'application/x-www-form-urlencoded'];
  if (!encodings.includes(contentType) || !Array.isArray(body)) throw refuse(400, { message: 'a form is needed' });
  const fields: readonly (readonly [string, string])[] = body;
  const of = (name: string): string[] => fields.flatMap(([field, value]) => (field === name ? [value] : []));
  const unknown = fields.find(([name]) => !['priority', 'description', 'expression', 'action'].includes(name));
  const [[priority], [description], [expression], actions] = [of('priority'), of('description'), of('expression'), of('action')];
  const isWrong = (priority !== undefined && !/^\d+$/.test(priority)) || (expression !== undefined && !/^\w+\(.*\)/.test(expression));
  if (unknown || isWrong || actions.some((action) => !/^(forward|store|stop)\(.*\)$/.test(action)))
    throw refuse(400, { message: `invalid parameter ${unknown?.[0] ?? ''}`.trim() });
  return {
    ...(priority !== undefined && { priority: Number(priority) }),
    ...(description !== undefined && { description }),
    ...(expression !== undefined && { expression }),
    ...(actions.length > 0 && { actions }),
  };
}
