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

const switches = [
  ...['processed', 'delivered', 'deferred', 'bounce', 'dropped', 'open', 'click', 'spam_report'],
  ...['unsubscribe', 'group_unsubscribe', 'group_resubscribe'],
] as const;

/** A webhook as the provider stores it: eleven switches, and a client secret that no answer shows. */
export interface EventWebhook extends Record<string, unknown> {
  readonly id: string;
  url: string;
  enabled: boolean;
  friendly_name: string | null;
  oauth_client_id: string | null;
  oauth_client_secret: string | null;
  oauth_token_url: string | null;
  readonly created_date: string;
  updated_date: string;
}

export interface ParseSetting extends Record<string, unknown> {
  readonly hostname: string;
  url: string;
  spam_check: boolean;
  send_raw: boolean;
}

export interface SendgridState {
  /** Oldest first. */
  webhooks: EventWebhook[];
  settings: ParseSetting[];
  /** Authenticated domains. */
  readonly domains: string[];
  webhookLimit: number;
  /** Whether the list of the webhooks says the limit. */
  tellsLimit: boolean;
  /** What a key without these scopes meets. */
  readonly isClosed: boolean;
}

/** State, and what a person does in the console. */
export interface SendgridWorld {
  readonly state: SendgridState;
  addWebhook(url: string, more?: Readonly<Record<string, unknown>>): EventWebhook;
  addSetting(hostname: string, url: string): ParseSetting;
  removeWebhooks(url: string): void;
  removeSetting(hostname: string): void;
}

type AnyCall = Call<SendgridState, unknown>;

const emptyState = (isClosed: boolean): SendgridState => ({
  webhooks: [],
  settings: [],
  domains: ['acme.example'],
  webhookLimit: 5,
  tellsLimit: true,
  isClosed,
});

/**
 * Event webhooks and inbound parse settings: https://www.twilio.com/docs/sendgrid/api-reference/webhooks. The status of a hostname that is
 * taken and of a full account are not documented: 400 here.
 */
export function sendgrid(options: SimulationOptions = {}): Simulation<SendgridWorld> {
  const kit = makeKit('sendgrid', options);
  const ids = new Ids('sendgrid');
  const all = '/v3/user/webhooks/event/settings';
  const parse = '/v3/user/webhooks/parse/settings';

  const make = (url: string, more: Readonly<Record<string, unknown>>, now: number): EventWebhook => {
    const id = [8, 4, 4, 4, 12].map((length) => ids.text(length, '0123456789abcdef')).join('-');
    const time = new Date(now).toISOString();
    const off = Object.fromEntries(switches.map((name) => [name, false]));
    const blank = { enabled: false, friendly_name: null, oauth_client_id: null, oauth_client_secret: null, oauth_token_url: null };
    return { ...blank, ...off, ...more, id, url, created_date: time, updated_date: time };
  };
  const remove = (live: SendgridState, gone: EventWebhook) => {
    live.webhooks = live.webhooks.filter((one) => one !== gone);
  };

  return simulate<SendgridState, SendgridWorld>(kit, {
    name: 'sendgrid',
    origin: 'https://api.sendgrid.com',
    state: emptyState(false),
    blind: () => emptyState(true),
    world: (live) => ({
      state: live,
      addWebhook: (url, more = {}) => {
        const webhook = make(url, { enabled: true, ...more }, kit.clock.now());
        live.webhooks.push(webhook);
        return webhook;
      },
      addSetting: (hostname, url) => {
        const setting: ParseSetting = { hostname, url, spam_check: false, send_raw: false };
        live.settings.push(setting);
        return setting;
      },
      removeWebhooks: (url) => {
        live.webhooks = live.webhooks.filter((one) => one.url !== url);
      },
      removeSetting: (hostname) => {
        live.settings = live.settings.filter((one) => one.hostname !== hostname);
      },
    }),
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: (_, why): Reply =>
      why === 'read-only' ? forbidden().reply : failure(401, 'The provided authorization grant is invalid, expired, or revoked').reply,
    routes: [
      route('GET', `${all}/all`, (call) =>
        json(200, {
          ...(stateOf(call).tellsLimit && { max_allowed: call.state.webhookLimit }),
          webhooks: call.state.webhooks.map(shown),
        }),
      ),
      route('POST', all, (call) => {
        const { url, ...more } = bodyOf(call, webhookShape, ['url']);
        const live = stateOf(call);
        const webhook = make(urlOf(url), more, call.now);
        // max_allowed: "the maximum number of Event Webhooks you can have enabled".
        if (webhook.enabled && live.webhooks.filter(({ enabled }) => enabled).length >= live.webhookLimit)
          throw failure(400, 'maximum number of webhooks reached');
        live.webhooks.push(webhook);
        return json(201, shown(webhook));
      }),
      route('GET', `${all}/{id}`, (call) => json(200, shown(webhookOf(call, call.params.id)))),
      route('PATCH', `${all}/{id}`, (call) => {
        const { url, ...more } = bodyOf(call, webhookShape, ['url']);
        const webhook = webhookOf(call, call.params.id);
        Object.assign(webhook, more, { url: urlOf(url), updated_date: new Date(call.now).toISOString() });
        return json(200, shown(webhook));
      }),
      route('DELETE', `${all}/{id}`, (call) => {
        remove(call.state, webhookOf(call, call.params.id));
        return { status: 204 };
      }),

      route('GET', parse, (call) => json(200, { result: stateOf(call).settings })),
      route('POST', parse, (call) => {
        const body = bodyOf(call, settingShape, ['hostname', 'url']);
        const hostname = String(body.hostname).toLowerCase();
        const { settings, domains } = stateOf(call);
        if (!domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`)))
          throw failure(400, 'the hostname does not belong to an authenticated domain', 'hostname');
        if (settings.some((one) => one.hostname === hostname)) throw failure(400, 'duplicate entry', 'hostname');
        const setting: ParseSetting = { spam_check: false, send_raw: false, ...body, hostname, url: urlOf(body.url) };
        settings.push(setting);
        // The answer says false of both whatever was sent, and a read says what is kept.
        return json(201, { ...setting, spam_check: false, send_raw: false });
      }),
      route('GET', `${parse}/{hostname}`, (call) => json(200, settingOf(call, call.params.hostname))),
      route('PATCH', `${parse}/{hostname}`, (call) => {
        const { hostname: _, ...body } = bodyOf(call, settingShape, []);
        const setting = settingOf(call, call.params.hostname);
        return json(200, Object.assign(setting, body, body.url !== undefined && { url: urlOf(body.url) }));
      }),
      route('DELETE', `${parse}/{hostname}`, (call) => {
        const gone = settingOf(call, call.params.hostname);
        call.state.settings = call.state.settings.filter((one) => one !== gone);
        return { status: 204 };
      }),
    ],
  });
}

type Fields = { readonly [name: string]: Shape };

const webhookShape: Fields = {
  ...Object.fromEntries(switches.map((name): [string, Shape] => [name, 'boolean'])),
  enabled: 'boolean',
  url: 'string',
  friendly_name: { nullable: 'string' },
  oauth_client_id: { nullable: 'string' },
  oauth_client_secret: { nullable: 'string' },
  oauth_token_url: { nullable: 'string' },
};
const settingShape: Fields = { hostname: 'string', url: 'string', spam_check: 'boolean', send_raw: 'boolean' };

const failure = (status: number, message: string, field: string | null = null): Refusal => refuse(status, { errors: [{ field, message }] });
const forbidden = (): Refusal => failure(403, 'access forbidden');

function stateOf(call: AnyCall): SendgridState {
  if (call.state.isClosed) throw forbidden();
  return call.state;
}

function bodyOf(call: AnyCall, fields: Fields, required: readonly string[]): Record<string, unknown> {
  const [flaw] = flawsOf(call.body, { fields, required });
  if (flaw) throw failure(400, `${flaw.problem}: should be ${flaw.expected}`, flaw.at.slice(1));
  return call.body as Record<string, unknown>;
}

function urlOf(value: unknown): string {
  if (!URL.canParse(String(value))) throw failure(400, 'invalid url', 'url');
  return String(value);
}

/** Everything but the client secret. */
function shown({ oauth_client_secret: _, ...webhook }: EventWebhook): Readonly<Record<string, unknown>> {
  return webhook;
}

function webhookOf(call: AnyCall, id: string): EventWebhook {
  const found = stateOf(call).webhooks.find((one) => one.id === id);
  if (!found) throw failure(404, 'webhook not found');
  return found;
}

function settingOf(call: AnyCall, hostname: string): ParseSetting {
  const found = stateOf(call).settings.find((one) => one.hostname === hostname.toLowerCase());
  if (!found) throw failure(404, 'parse setting not found');
  return found;
}
