import {
  type Call,
  empty,
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
} from './kit/index.ts';

type Method = 'GET' | 'POST';

/** An application as the service shows it. */
export interface TwilioApp {
  readonly sid: string;
  readonly account_sid: string;
  readonly api_version: string;
  readonly date_created: string;
  date_updated: string;
  readonly uri: string;
  friendly_name: string;
  voice_url: string | null;
  voice_method: Method;
  voice_fallback_url: string | null;
  voice_fallback_method: Method;
  voice_caller_id_lookup: boolean;
  status_callback: string | null;
  status_callback_method: Method;
  sms_url: string | null;
  sms_method: Method;
  sms_fallback_url: string | null;
  sms_fallback_method: Method;
  sms_status_callback: string | null;
  message_status_callback: string | null;
  public_application_connect_enabled: boolean;
}

export interface TwilioState {
  /** By account SID. */
  readonly accounts: Record<string, TwilioApp[]>;
}

/** State, and what a person does in the console. */
export interface TwilioWorld {
  readonly state: TwilioState;
  /** SID of the API key that the tokens are secrets of. */
  readonly keySid: string;
  /** Returns the SID of the account. */
  addAccount(): string;
  /** Live: changing one is a change from outside. */
  apps(account: string): readonly TwilioApp[];
  addApp(account: string, app: Partial<TwilioApp> & Pick<TwilioApp, 'friendly_name'>): TwilioApp;
  removeApp(account: string, sid: string): void;
}

/**
 * Applications of an account: https://www.twilio.com/docs/usage/api/applications (2010-04-01). Forms with names in PascalCase are
 * answered by JSON with names in snake_case, friendly names repeat, and the next page is a path.
 */
export function twilio(options: SimulationOptions = {}): Simulation<TwilioWorld> {
  const kit = makeKit('twilio', options);
  const ids = new Ids('twilio');
  const sid = (prefix: string) => `${prefix}${ids.text(32, '0123456789abcdef')}`;
  const keySid = sid('SK');
  const time = () => new Date(kit.clock.now()).toUTCString().replace('GMT', '+0000');
  const make = (account: string, given: Partial<TwilioApp> & Pick<TwilioApp, 'friendly_name'>): TwilioApp => {
    const own = sid('AP');
    return {
      sid: own,
      account_sid: account,
      api_version: '2010-04-01',
      date_created: time(),
      date_updated: time(),
      uri: `/2010-04-01/Accounts/${account}/Applications/${own}.json`,
      voice_url: null,
      voice_method: 'POST',
      voice_fallback_url: null,
      voice_fallback_method: 'POST',
      voice_caller_id_lookup: false,
      status_callback: null,
      status_callback_method: 'POST',
      sms_url: null,
      sms_method: 'POST',
      sms_fallback_url: null,
      sms_fallback_method: 'POST',
      sms_status_callback: null,
      message_status_callback: null,
      public_application_connect_enabled: false,
      ...given,
    };
  };
  const account = '/2010-04-01/Accounts/{account}';

  return simulate<TwilioState, TwilioWorld>(kit, {
    name: 'twilio',
    origin: 'https://api.twilio.com',
    state: { accounts: {} },
    blind: () => ({ accounts: {} }),
    world: (live) => ({
      state: live,
      keySid,
      addAccount: () => {
        const own = sid('AC');
        live.accounts[own] = [];
        return own;
      },
      apps: (own) => live.accounts[own] ?? [],
      addApp: (own, given) => {
        const app = make(own, given);
        live.accounts[own]?.push(app);
        return app;
      },
      removeApp: (own, gone) => {
        live.accounts[own] = (live.accounts[own] ?? []).filter((app) => app.sid !== gone);
      },
    }),
    tokens: kit.tokens,
    credential: ({ headers }) => {
      const header = headers.get('authorization');
      if (header === null) return null;
      const [user, secret = ''] = Buffer.from(header.replace(/^Basic /, ''), 'base64')
        .toString()
        .split(':', 2);
      return user === keySid ? secret : '';
    },
    refuseCredential: (_, why) =>
      why === 'read-only' ? json(401, failure(401, 70_051, 'Authorization Error')) : json(401, failure(401, 20_003, 'Authenticate')),
    routes: [
      route('GET', `${account}/Applications.json`, (call) => list(call)),
      route('POST', `${account}/Applications.json`, (call) => {
        const apps = appsOf(call);
        // The page tells of the number, and not of the answer beyond it.
        if (apps.length >= 1000) throw refuse(400, failure(400, 20_001, 'An account may have at most 1000 applications'));
        const app = make(call.params.account, { friendly_name: '', ...membersOf(call) });
        apps.push(app);
        return json(201, app);
      }),
      route('GET', `${account}/Applications/{sid}.json`, (call) => json(200, appOf(call))),
      route('POST', `${account}/Applications/{sid}.json`, (call) => {
        const app = appOf(call);
        Object.assign(app, membersOf(call), { date_updated: time() });
        return json(200, app);
      }),
      route('DELETE', `${account}/Applications/{sid}.json`, (call) => {
        const apps = appsOf(call);
        apps.splice(apps.indexOf(appOf(call)), 1);
        return empty();
      }),
    ],
  });
}

type AccountCall = Call<TwilioState, { readonly account: string; readonly sid?: string }>;

const failure = (status: number, code: number, message: string) => ({
  code,
  message,
  more_info: `https://www.twilio.com/docs/errors/${code}`,
  status,
});
const notFound = ({ path }: AccountCall): Refusal => refuse(404, failure(404, 20_404, `The requested resource ${path} was not found`));
const invalid = (message: string): Refusal => refuse(400, failure(400, 20_001, message));

function appsOf(call: AccountCall): TwilioApp[] {
  const apps = call.state.accounts[call.params.account];
  if (!apps) throw notFound(call);
  return apps;
}

function appOf(call: AccountCall): TwilioApp {
  const app = appsOf(call).find(({ sid }) => sid === call.params.sid);
  if (!app) throw notFound(call);
  return app;
}

type Kind = 'url' | 'method' | 'boolean' | 'text';
const written: Readonly<Record<string, readonly [member: keyof TwilioApp, kind: Kind]>> = {
  FriendlyName: ['friendly_name', 'text'],
  VoiceUrl: ['voice_url', 'url'],
  VoiceMethod: ['voice_method', 'method'],
  VoiceFallbackUrl: ['voice_fallback_url', 'url'],
  VoiceFallbackMethod: ['voice_fallback_method', 'method'],
  VoiceCallerIdLookup: ['voice_caller_id_lookup', 'boolean'],
  StatusCallback: ['status_callback', 'url'],
  StatusCallbackMethod: ['status_callback_method', 'method'],
  SmsUrl: ['sms_url', 'url'],
  SmsMethod: ['sms_method', 'method'],
  SmsFallbackUrl: ['sms_fallback_url', 'url'],
  SmsFallbackMethod: ['sms_fallback_method', 'method'],
  SmsStatusCallback: ['sms_status_callback', 'url'],
  MessageStatusCallback: ['message_status_callback', 'url'],
  PublicApplicationConnectEnabled: ['public_application_connect_enabled', 'boolean'],
};

/** What a form says of an application, under the names of the answer. A name that the form does not know is refused here. */
function membersOf({ contentType, body }: AccountCall): Partial<TwilioApp> {
  if (contentType !== 'application/x-www-form-urlencoded' || !Array.isArray(body)) throw invalid('A form is needed');
  const fields: readonly (readonly [string, string])[] = body;
  return Object.fromEntries(
    fields.map(([name, value]) => {
      const known = written[name];
      if (!known) throw invalid(`${name} is not a parameter of an application`);
      const [member, kind] = known;
      return [member, parsed(kind, name, value)];
    }),
  );
}

function parsed(kind: Kind, name: string, value: string): string | boolean | null {
  if (kind === 'text') {
    if (value.length > 64) throw invalid(`${name} is longer than 64 characters`);
    return value;
  }
  if (kind === 'boolean') {
    if (value !== 'true' && value !== 'false') throw invalid(`${name} is not a boolean`);
    return value === 'true';
  }
  if (kind === 'method') {
    if (value !== 'GET' && value !== 'POST') throw invalid(`${name} is not valid`);
    return value;
  }
  // An empty address takes it away.
  if (value === '') return null;
  if (!URL.canParse(value)) throw invalid(`${name} is not a valid URL`);
  return value;
}

/** Pages of at most 1000, 50 unless asked; the next one is named by a path. */
function list(call: AccountCall): Reply {
  const { query, path } = call;
  const size = Number(query.get('PageSize') ?? 50);
  if (!Number.isInteger(size) || size < 1 || size > 1000) throw invalid('PageSize must be 1 to 1000');
  const name = query.get('FriendlyName');
  const found = appsOf(call).filter((app) => name === null || app.friendly_name === name);
  const page = Number(query.get('Page') ?? 0);
  const shown = found.slice(page * size, (page + 1) * size);
  const uri = (number: number, token?: string): string => {
    const pairs = {
      ...(name !== null && { FriendlyName: name }),
      PageSize: String(size),
      Page: String(number),
      ...(token && { PageToken: token }),
    };
    return `${path}?${new URLSearchParams(pairs)}`;
  };
  const last = shown.at(-1);
  const more = last !== undefined && (page + 1) * size < found.length;
  return json(200, {
    applications: shown,
    page,
    page_size: size,
    start: page * size,
    end: page * size + Math.max(shown.length - 1, 0),
    uri: uri(page),
    first_page_uri: uri(0),
    next_page_uri: more ? uri(page + 1, `PA${last.sid}`) : null,
    previous_page_uri: page > 0 ? uri(page - 1) : null,
  });
}
