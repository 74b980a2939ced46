import {
  type Call,
  Counter,
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

/** A server as every answer shows it, its token included. */
export interface PostmarkServer extends Record<string, unknown> {
  readonly ID: number;
  Name: string;
  readonly ApiTokens: readonly string[];
}

export interface PostmarkWebhook extends Record<string, unknown> {
  readonly ID: number;
  Url: string;
  readonly MessageStream: string;
  Triggers: Record<string, Record<string, boolean>>;
  HttpAuth?: Record<string, string>;
  HttpHeaders: readonly Record<string, string>[];
}

export interface PostmarkState {
  servers: PostmarkServer[];
  /** Of the server whose token asks. */
  webhooks: PostmarkWebhook[];
  readonly streams: string[];
  /** Whether the vendor's support has enabled deleting servers by API. */
  mayDelete: boolean;
  /** What a token meets that was taken back. */
  readonly isClosed: boolean;
}

/** State, and what a person does in the console. */
export interface PostmarkWorld {
  readonly state: PostmarkState;
  addServer(name: string): PostmarkServer;
  addWebhook(url: string, stream?: string): PostmarkWebhook;
  removeServers(name: string): void;
  removeWebhooks(url: string): void;
}

type AnyCall = Call<PostmarkState, unknown>;

const emptyState = (isClosed: boolean): PostmarkState => ({
  servers: [],
  webhooks: [],
  streams: ['outbound', 'broadcast'],
  mayDelete: true,
  isClosed,
});

/**
 * Servers and webhooks: https://postmarkapp.com/developer/api/servers-api and …/webhooks-api. Not documented, and so the harder of the
 * two here: a second server of a name is refused, and a webhook that is absent answers 422 as older descriptions have it. The codes of
 * refusals are the overview's where it has one.
 */
export function postmark(options: SimulationOptions = {}): Simulation<PostmarkWorld> {
  const kit = makeKit('postmark', options);
  const ids = new Ids('postmark');
  const numbers = new Counter(1000);
  const newServer = (given: Readonly<Record<string, unknown>>): PostmarkServer => {
    const last = numbers.next();
    const token = [8, 4, 4, 4, 12].map((length) => ids.text(length, '0123456789abcdef')).join('-');
    const server = { ...blankServer, ...given, ID: last, Name: String(given.Name), ApiTokens: [token] };
    return { ...server, ServerLink: `https://postmarkapp.com/servers/${last}/streams`, InboundHash: ids.text(32, '0123456789abcdef') };
  };
  const newWebhook = (given: Readonly<Record<string, unknown>>): PostmarkWebhook => {
    const last = numbers.next();
    const blank = { MessageStream: 'outbound', Triggers: blankTriggers(), HttpHeaders: [] };
    const { Triggers, ...more } = given;
    const webhook: PostmarkWebhook = { ...blank, ...more, ID: last, Url: String(given.Url) };
    setTriggers(webhook, Triggers);
    return webhook;
  };

  return simulate<PostmarkState, PostmarkWorld>(kit, {
    name: 'postmark',
    origin: 'https://api.postmarkapp.com',
    state: emptyState(false),
    blind: () => emptyState(true),
    world: (live) => ({
      state: live,
      addServer: (Name) => {
        const server = newServer({ Name });
        live.servers.push(server);
        return server;
      },
      addWebhook: (Url, MessageStream = 'outbound') => {
        const webhook = newWebhook({ Url, MessageStream });
        live.webhooks.push(webhook);
        return webhook;
      },
      removeServers: (name) => {
        live.servers = live.servers.filter((one) => one.Name !== name);
      },
      removeWebhooks: (url) => {
        live.webhooks = live.webhooks.filter((one) => one.Url !== url);
      },
    }),
    tokens: kit.tokens,
    // Servers belong to the account, webhooks to one server, whose own token does as well as the one of the world.
    credential: ({ path, headers, state }) => {
      if (path.startsWith('/servers')) return headers.get('x-postmark-account-token');
      const token = headers.get('x-postmark-server-token');
      return state.servers.some(({ ApiTokens }) => token !== null && ApiTokens.includes(token)) ? kit.tokens.full : token;
    },
    refuseCredential: (): Reply => badToken().reply,
    routes: [
      route('GET', '/servers', (call) => {
        const [count, offset] = [numberIn(call, 'count'), numberIn(call, 'offset')];
        const part = (call.query.get('name') ?? '').toLowerCase();
        const found = stateOf(call).servers.filter(({ Name }) => Name.toLowerCase().includes(part));
        return json(200, { TotalCount: found.length, Servers: found.slice(offset, offset + count) });
      }),
      route('POST', '/servers', (call) => {
        const body = bodyOf(call, { ...serverShape, DeliveryType: { oneOf: ['Live', 'Sandbox'] } }, ['Name']);
        const { servers } = stateOf(call);
        if (servers.some(({ Name }) => Name === body.Name)) throw failure(603, 'This server name already exists.');
        const server = newServer(coloured(body));
        servers.push(server);
        return json(200, server);
      }),
      route('GET', '/servers/{id}', (call) => json(200, serverOf(call, call.params.id))),
      route('PUT', '/servers/{id}', (call) => {
        const body = bodyOf(call, serverShape, []);
        return json(200, Object.assign(serverOf(call, call.params.id), coloured(body)));
      }),
      route('DELETE', '/servers/{id}', (call) => {
        const gone = serverOf(call, call.params.id);
        if (!call.state.mayDelete) throw failure(606, 'Deleting servers by API is not enabled for your account. Please contact support.');
        call.state.servers = call.state.servers.filter((one) => one !== gone);
        return json(200, { ErrorCode: 0, Message: `Server ${gone.Name} removed.` });
      }),

      route('GET', '/webhooks', (call) => {
        const stream = call.query.get('MessageStream');
        return json(200, { Webhooks: stateOf(call).webhooks.filter((one) => stream === null || one.MessageStream === stream) });
      }),
      route('POST', '/webhooks', (call) => {
        const body = bodyOf(call, { ...webhookShape, MessageStream: 'string' }, ['Url']);
        const { webhooks, streams } = stateOf(call);
        if (!streams.includes(String(body.MessageStream ?? 'outbound'))) throw failure(1226, 'The message stream does not exist.');
        const webhook = newWebhook(body);
        webhooks.push(webhook);
        return json(200, webhook);
      }),
      route('GET', '/webhooks/{id}', (call) => json(200, webhookOf(call, call.params.id))),
      route('PUT', '/webhooks/{id}', (call) => {
        const { Triggers, ...more } = bodyOf(call, webhookShape, []);
        const webhook = webhookOf(call, call.params.id);
        setTriggers(webhook, Triggers);
        return json(200, Object.assign(webhook, more));
      }),
      route('DELETE', '/webhooks/{id}', (call) => {
        const gone = webhookOf(call, call.params.id);
        call.state.webhooks = call.state.webhooks.filter((one) => one !== gone);
        return json(200, { ErrorCode: 0, Message: `Webhook ${gone.ID} removed.` });
      }),
    ],
  });
}

type Fields = { readonly [name: string]: Shape };

const texts = ['Name', 'Color', 'InboundHookUrl', 'InboundDomain', 'BounceHookUrl', 'OpenHookUrl', 'DeliveryHookUrl', 'ClickHookUrl'];
const flags = [
  'SmtpApiActivated',
  'RawEmailEnabled',
  'PostFirstOpenOnly',
  'TrackOpens',
  'IncludeBounceContentInHook',
  'EnableSmtpApiErrorHooks',
];
const all = (names: readonly string[], shape: Shape): Fields => Object.fromEntries(names.map((name) => [name, shape]));

const serverShape: Fields = {
  ...all(texts, 'string'),
  ...all(flags, 'boolean'),
  InboundSpamThreshold: 'integer',
  TrackLinks: { oneOf: ['None', 'HtmlAndText', 'HtmlOnly', 'TextOnly'] },
};
const blankServer = {
  ...Object.fromEntries(texts.map((name) => [name, ''])),
  ...Object.fromEntries(flags.map((name) => [name, name === 'SmtpApiActivated'])),
  InboundSpamThreshold: 0,
  TrackLinks: 'None',
  DeliveryType: 'Live',
};

/** Each kind of event, and what it may be told beside being on. */
const triggers: { readonly [name: string]: readonly string[] } = {
  Open: ['Enabled', 'PostFirstOpenOnly'],
  Click: ['Enabled'],
  Delivery: ['Enabled'],
  Bounce: ['Enabled', 'IncludeContent'],
  SpamComplaint: ['Enabled', 'IncludeContent'],
  SubscriptionChange: ['Enabled'],
};
const webhookShape: Fields = {
  Url: 'string',
  HttpAuth: { fields: all(['Username', 'Password'], 'string') },
  HttpHeaders: { list: { fields: all(['Name', 'Value'], 'string'), required: ['Name', 'Value'] } },
  Triggers: { fields: Object.fromEntries(Object.entries(triggers).map(([name, flags]) => [name, { fields: all(flags, 'boolean') }])) },
};

const blankTriggers = (): PostmarkWebhook['Triggers'] =>
  Object.fromEntries(Object.entries(triggers).map(([name, flags]) => [name, Object.fromEntries(flags.map((flag) => [flag, false]))]));

function setTriggers(webhook: PostmarkWebhook, sent: unknown): void {
  for (const [name, flags] of Object.entries((sent ?? {}) as PostmarkWebhook['Triggers'])) {
    webhook.Triggers[name] = { ...webhook.Triggers[name], ...flags };
  }
}

const colours = ['purple', 'blue', 'turquoise', 'green', 'red', 'yellow', 'grey', 'orange'];

/** A colour is shown with a capital, however it was sent. */
function coloured<T extends { readonly [name: string]: unknown }>(body: T): T {
  if (typeof body.Color !== 'string') return body;
  const colour = body.Color.toLowerCase();
  if (!colours.includes(colour)) throw failure(610, `The colour ${body.Color} is not one of ${colours.join(', ')}.`);
  return { ...body, Color: colour.charAt(0).toUpperCase() + colour.slice(1) };
}

const failure = (ErrorCode: number, Message: string, status = 422): Refusal => refuse(status, { ErrorCode, Message });
const badToken = (): Refusal => failure(10, 'No Account or Server API tokens were supplied, or the token is not valid.', 401);

function stateOf(call: AnyCall): PostmarkState {
  if (call.headers.get('accept') !== 'application/json') throw failure(0, 'The Accept header must be application/json.', 406);
  if (call.state.isClosed) throw badToken();
  return call.state;
}

function numberIn(call: AnyCall, name: string): number {
  const value = Number(call.query.get(name) ?? 'none');
  if (!Number.isInteger(value) || value < 0 || (name === 'count' && value > 500)) throw failure(600, `Parameter ${name} is required.`);
  return value;
}

function bodyOf(call: AnyCall, fields: Fields, required: readonly string[]): Record<string, unknown> {
  stateOf(call);
  const [flaw] = flawsOf(call.body, { fields, required });
  if (flaw) throw failure(402, `Invalid JSON: ${flaw.problem} ${flaw.at}, ${flaw.expected} expected.`);
  const body = call.body as Record<string, unknown>;
  if (body.Url !== undefined && !URL.canParse(String(body.Url))) throw failure(1221, 'The URL is not valid.');
  return body;
}

function serverOf(call: AnyCall, id: string): PostmarkServer {
  const found = stateOf(call).servers.find(({ ID }) => String(ID) === id);
  if (!found) throw failure(604, 'The server does not exist.', 404);
  return found;
}

function webhookOf(call: AnyCall, id: string): PostmarkWebhook {
  const found = stateOf(call).webhooks.find(({ ID }) => String(ID) === id);
  if (!found) throw failure(1230, 'The webhook does not exist.');
  return found;
}
