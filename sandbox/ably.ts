import * as checks from './checks.ts';
import {
  bearerOf,
  type Call,
  empty,
  flawsOf,
  Ids,
  json,
  makeKit,
  type Refusal,
  refuse,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

export interface AblySource {
  channelFilter: string;
  type: string;
}

export interface AblyTarget {
  url: string;
  format: string;
  enveloped?: boolean | null;
  signingKeyId?: string | null;
  headers?: readonly { readonly name: string; readonly value: string }[];
}

/** A rule as the service keeps it. Only webhooks can be written here; the dashboard makes any kind. */
export interface AblyRule {
  readonly id: string;
  readonly appId: string;
  readonly version: string;
  status: string;
  readonly created: number;
  modified: number;
  readonly _links: null;
  readonly ruleType: string;
  requestMode: string;
  source: AblySource;
  target: AblyTarget;
}

export interface AblyState {
  /** By app id. */
  readonly apps: Record<string, { rules: AblyRule[] }>;
  /** Of the whole account. */
  ruleLimit: number;
}

type Given = Partial<AblyRule> & Pick<AblyRule, 'source' | 'target'>;

/** State, and what a person does in the dashboard. */
export interface AblyWorld {
  readonly state: AblyState;
  addApp(id: string): void;
  /** Live: changing one is a change from outside. */
  rules(app: string): readonly AblyRule[];
  /** Any kind; nothing is checked. */
  addRule(app: string, rule: Given): AblyRule;
  removeRule(app: string, id: string): void;
}

/**
 * Integration rules of an app: https://ably.com/docs/api/control-api (Control API 1.1). Nothing about a rule is unique, bodies are
 * closed, ruleType is needed in each write. A PATCH takes a part of source; of target nothing is said, so it is taken whole here.
 */
export function ably(options: SimulationOptions = {}): Simulation<AblyWorld> {
  const kit = makeKit('ably', options);
  const ids = new Ids('ably');
  const make = (appId: string, given: Given): AblyRule => ({
    id: ids.text(6),
    appId,
    version: '1.2',
    status: 'enabled',
    created: kit.clock.now(),
    modified: kit.clock.now(),
    _links: null,
    ruleType: 'http',
    requestMode: 'single',
    ...given,
    target: { signingKeyId: null, ...given.target },
  });
  const rules = '/v1/apps/{app}/rules';

  return simulate<AblyState, AblyWorld>(kit, {
    name: 'ably',
    origin: 'https://control.ably.net',
    basePath: '/v1',
    state: { apps: {}, ruleLimit: 100 },
    blind: () => ({ apps: {}, ruleLimit: 100 }),
    world: (live) => ({
      state: live,
      addApp: (id) => {
        live.apps[id] = { rules: [] };
      },
      rules: (app) => live.apps[app]?.rules ?? [],
      addRule: (app, given) => {
        const rule = make(app, given);
        live.apps[app]?.rules.push(rule);
        return rule;
      },
      removeRule: (app, id) => {
        const found = live.apps[app];
        if (found) found.rules = found.rules.filter((rule) => rule.id !== id);
      },
    }),
    tokens: kit.tokens,
    checks: checks.ably,
    credential: bearerOf,
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? json(401, failure(40_160, 401, 'Access token does not have the required capability'))
        : json(401, failure(40_100, 401, 'Authentication failed')),
    routes: [
      route('GET', rules, (call) => json(200, appOf(call).rules)),
      route('POST', rules, (call) => {
        const body = bodyOf(call, ['ruleType', 'requestMode', 'source', 'target']);
        const app = appOf(call);
        // That an account has 100 rules at most is documented; how a further one is answered is not.
        const count = Object.values(call.state.apps).reduce((sum, one) => sum + one.rules.length, 0);
        if (count >= call.state.ruleLimit) throw refusal(422, 'The number of rules of the account is exceeded');
        const rule = make(call.params.app, {
          source: sourceOf(body.source, null),
          target: targetOf(body.target),
          requestMode: String(body.requestMode),
          ...(body.status !== undefined && { status: String(body.status) }),
        });
        app.rules.push(rule);
        return json(201, rule);
      }),
      route('GET', `${rules}/{id}`, (call) => json(200, ruleOf(call))),
      route('PATCH', `${rules}/{id}`, (call) => {
        const body = bodyOf(call, ['ruleType']);
        const rule = ruleOf(call);
        if (rule.ruleType !== 'http') throw refusal(422, 'The type of a rule cannot be changed');
        Object.assign(rule, {
          modified: kit.clock.now(),
          ...(body.status !== undefined && { status: String(body.status) }),
          ...(body.requestMode !== undefined && { requestMode: String(body.requestMode) }),
          ...(body.source !== undefined && { source: sourceOf(body.source, rule.source) }),
          ...(body.target !== undefined && { target: targetOf(body.target) }),
        });
        return json(200, rule);
      }),
      route('DELETE', `${rules}/{id}`, (call) => {
        const rule = ruleOf(call);
        const app = appOf(call);
        app.rules = app.rules.filter((one) => one !== rule);
        return empty();
      }),
    ],
  });
}

type AppCall = Call<AblyState, { readonly app: string; readonly id?: string }>;

/** `code` is the provider's own, `statusCode` that of HTTP. */
const failure = (code: number, statusCode: number, message: string) => ({
  message,
  code,
  statusCode,
  href: `https://help.ably.io/error/${code}`,
});
const refusal = (status: number, message: string): Refusal => refuse(status, failure(status * 100, status, message));

function appOf({ params, state }: AppCall) {
  const app = state.apps[params.app];
  if (!app) throw refusal(404, 'App not found');
  return app;
}

function ruleOf(call: AppCall): AblyRule {
  const rule = appOf(call).rules.find(({ id }) => id === call.params.id);
  if (!rule) throw refusal(404, 'Rule not found');
  return rule;
}

const types = ['channel.message', 'channel.presence', 'channel.lifecycle', 'channel.occupancy'];
const header: Shape = { fields: { name: 'string', value: 'string' } };
const sourceShape: Shape = { fields: { channelFilter: 'string', type: { oneOf: types } } };
const targetShape: Shape = {
  fields: {
    url: 'string',
    format: { oneOf: ['json', 'msgpack'] },
    enveloped: { nullable: 'boolean' },
    signingKeyId: { nullable: 'string' },
    headers: { list: header },
  },
  required: ['url', 'format'],
};

function bodyOf(call: AppCall, required: readonly string[]): Record<string, unknown> {
  const { body } = call;
  if (call.contentType !== 'application/json' || !isMap(body)) throw refusal(400, 'The body is not a JSON object');
  const [flaw] = flawsOf(body, {
    fields: {
      status: { oneOf: ['enabled', 'disabled'] },
      ruleType: { oneOf: ['http'] },
      requestMode: { oneOf: ['single', 'batch'] },
      source: sourceShape,
      target: targetShape,
    },
    required,
  });
  if (flaw) throw refusal(flaw.problem === 'type' ? 422 : 400, `${flaw.at}: ${flaw.problem}, expected ${flaw.expected}`);
  return body;
}

function sourceOf(given: unknown, before: AblySource | null): AblySource {
  const { channelFilter = before?.channelFilter, type = before?.type } = isMap(given) ? given : {};
  if (typeof channelFilter !== 'string' || typeof type !== 'string') throw refusal(400, 'source needs channelFilter and type');
  try {
    new RegExp(channelFilter);
  } catch {
    throw refusal(422, 'channelFilter is not a regular expression');
  }
  return { channelFilter, type };
}

function targetOf(given: unknown): AblyTarget {
  const { url, format, ...rest } = isMap(given) ? given : {};
  if (typeof url !== 'string' || !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw refusal(422, 'target url is not an address');
  return { signingKeyId: null, ...rest, url, format: String(format) };
}
