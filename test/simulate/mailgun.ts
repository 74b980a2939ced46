import { Ids, json, makeKit, type Reply, refuse, route, type Simulation, type SimulationOptions, simulate } from './kit/index.ts';

export interface MailgunWebhook {
  readonly webhook_id: string;
  description: string;
  url: string;
  event_types: readonly string[];
  readonly created_at: string;
}

export interface MailgunState {
  webhooks: MailgunWebhook[];
  isClosed: boolean;
}

export interface MailgunWorld {
  readonly state: MailgunState;
  /** Live: changing one is a change from outside. */
  webhooks(): readonly MailgunWebhook[];
  add(webhook: Pick<MailgunWebhook, 'description' | 'url' | 'event_types'>): MailgunWebhook;
  remove(description: string): void;
}

const events = ['accepted', 'clicked', 'opened', 'unsubscribed', 'delivered', 'permanent_fail', 'temporary_fail', 'complained'];

/**
 * Webhooks of an account, whose writes are `multipart/form-data`:
 * https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/account-webhooks. A create shows only its id, descriptions
 * are not unique, and an update replaces everything.
 */
export function mailgun(options: SimulationOptions = {}): Simulation<MailgunWorld> {
  const kit = makeKit('mailgun', options);
  const ids = new Ids('mailgun');
  const state: MailgunState = { webhooks: [], isClosed: false };
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
    blind: () => ({ webhooks: [], isClosed: true }),
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
        const webhook = make(wanted(call));
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
