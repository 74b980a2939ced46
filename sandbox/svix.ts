import * as checks from './checks.ts';
import {
  bearerOf,
  type Call,
  empty,
  type Flaw,
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
import { isMap } from './kit/json.ts';

/** An endpoint as the service keeps it. */
export interface SvixEndpoint {
  readonly id: string;
  uid: string | null;
  url: string;
  description: string;
  throttleRate: number | null;
  disabled: boolean;
  eventTypes: readonly string[] | null;
  channels: readonly string[] | null;
  metadata: Readonly<Record<string, string>>;
  /** In no answer but its own. */
  readonly secret: string;
  readonly createdAt: string;
  updatedAt: string;
}

export interface SvixState {
  /** By application id. */
  readonly apps: Record<string, { readonly uid: string | null; endpoints: SvixEndpoint[] }>;
  /** A delete keeps them, without their uid, and nobody sees them again. */
  readonly deleted: SvixEndpoint[];
}

/** State, and what a person does in the dashboard. */
export interface SvixWorld {
  readonly state: SvixState;
  /** Returns the id of the application. */
  addApp(uid?: string): string;
  /** Live: changing one is a change from outside. */
  endpoints(app: string): readonly SvixEndpoint[];
  add(app: string, endpoint: Pick<SvixEndpoint, 'url'> & Partial<SvixEndpoint>): SvixEndpoint;
  remove(app: string, uid: string): void;
}

/**
 * Endpoints of an application: https://api.svix.com/docs#tag/Endpoint. Paths take the id or the uid of both. A uid is unique in its
 * application, an update changes what it gets, and the signing secret has a path of its own.
 */
export function svix(options: SimulationOptions = {}): Simulation<SvixWorld> {
  const kit = makeKit('svix', options);
  const ids = new Ids('svix');
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const time = () => new Date(kit.clock.now()).toISOString();
  const make = (given: Partial<SvixEndpoint> & { readonly url: string }): SvixEndpoint => ({
    id: `ep_${ids.text(27, letters)}`,
    uid: null,
    description: '',
    throttleRate: null,
    disabled: false,
    eventTypes: null,
    channels: null,
    metadata: {},
    secret: `whsec_${ids.text(32, letters)}`,
    createdAt: time(),
    updatedAt: time(),
    ...given,
    url: new URL(given.url).href,
  });
  const endpoints = '/api/v1/app/{app}/endpoint';

  return simulate<SvixState, SvixWorld>(kit, {
    name: 'svix',
    origin: 'https://api.svix.com',
    state: { apps: {}, deleted: [] },
    blind: () => ({ apps: {}, deleted: [] }),
    world: (live) => ({
      state: live,
      addApp: (uid) => {
        const id = `app_${ids.text(27, letters)}`;
        live.apps[id] = { uid: uid ?? null, endpoints: [] };
        return id;
      },
      endpoints: (app) => live.apps[app]?.endpoints ?? [],
      add: (app, given) => {
        const endpoint = make(given);
        live.apps[app]?.endpoints.push(endpoint);
        return endpoint;
      },
      remove: (app, uid) => {
        const found = live.apps[app];
        if (found) found.endpoints = found.endpoints.filter((one) => one.uid !== uid);
      },
    }),
    tokens: kit.tokens,
    checks: checks.svix,
    credential: bearerOf,
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? json(403, { code: 'permission_denied', detail: 'You do not have permission to perform this action.' })
        : json(401, { code: 'authentication_failed', detail: 'Invalid token' }),
    routes: [
      route('GET', endpoints, (call) => list(call)),
      route('POST', endpoints, (call) => {
        const body = bodyOf(call, { ...patchable, secret: { nullable: 'string' }, headers: { nullable: { values: 'string' } } }, ['url']);
        const app = appOf(call);
        checkUid(app.endpoints, body.uid);
        const { secret } = body;
        if (typeof secret === 'string' && !/^(whsec_|whsk_|whsk1_|whpk_|whpk1_)?[a-zA-Z0-9+/=]{32,100}$/.test(secret))
          throw unprocessable([{ at: '/secret', problem: 'type', expected: 'base64 of 32 to 100 letters' }]);
        const endpoint = make({ ...kept(body), url: String(body.url), ...(typeof secret === 'string' && { secret }) });
        app.endpoints.push(endpoint);
        return json(201, shown(endpoint));
      }),
      // Makes one of a uid that is not there, and resets what it does not get.
      route('PUT', `${endpoints}/{id}`, (call) => {
        const body = bodyOf(call, patchable, ['url']);
        const app = appOf(call);
        const { id: named = '' } = call.params;
        const before = app.endpoints.find(({ id, uid }) => id === named || uid === named);
        const blank = make({ url: String(body.url), ...kept({ uid: before ? null : named, ...body }) });
        if (!before) app.endpoints.push(blank);
        const { id, createdAt, secret } = before ?? blank;
        return json(before ? 200 : 201, shown(Object.assign(before ?? blank, blank, { id, createdAt, secret })));
      }),
      route('GET', `${endpoints}/{id}`, (call) => json(200, shown(endpointOf(call)))),
      route('PATCH', `${endpoints}/{id}`, (call) => {
        const body = bodyOf(call, patchable, []);
        const endpoint = endpointOf(call);
        checkUid(
          appOf(call).endpoints.filter((one) => one !== endpoint),
          body.uid,
        );
        Object.assign(endpoint, kept(body), { updatedAt: time() });
        return json(200, shown(endpoint));
      }),
      route('DELETE', `${endpoints}/{id}`, (call) => {
        const endpoint = endpointOf(call);
        const app = appOf(call);
        app.endpoints = app.endpoints.filter((one) => one !== endpoint);
        call.state.deleted.push(Object.assign(endpoint, { uid: null }));
        return empty();
      }),
      route('GET', `${endpoints}/{id}/secret`, (call) => json(200, { key: endpointOf(call).secret })),
    ],
  });
}

type AppCall = Call<SvixState, { readonly app: string; readonly id?: string }>;

const patchable: Readonly<Record<string, Shape>> = {
  url: 'string',
  description: 'string',
  throttleRate: { nullable: 'integer' },
  uid: { nullable: 'string' },
  disabled: 'boolean',
  eventTypes: { nullable: { list: 'string' } },
  channels: { nullable: { list: 'string' } },
  metadata: { values: 'string' },
};

const shown = ({ secret: _secret, ...endpoint }: SvixEndpoint) => endpoint;
const notFound = (): Refusal => refuse(404, { code: 'not_found', detail: 'Entity not found' });

function unprocessable(flaws: readonly Flaw[]): Refusal {
  const detail = flaws.map(({ at, problem, expected }) => ({
    loc: ['body', ...at.split('/').slice(1)],
    msg: problem === 'missing' ? 'field required' : `value is not a valid ${expected}`,
    type: problem === 'missing' ? 'value_error.missing' : 'type_error',
  }));
  return refuse(422, { detail });
}

function appOf({ params, state }: AppCall) {
  const found = state.apps[params.app] ?? Object.values(state.apps).find(({ uid }) => uid === params.app);
  if (!found) throw notFound();
  return found;
}

function endpointOf(call: AppCall): SvixEndpoint {
  const found = appOf(call).endpoints.find(({ id, uid }) => id === call.params.id || uid === call.params.id);
  if (!found) throw notFound();
  return found;
}

function bodyOf(call: AppCall, fields: Readonly<Record<string, Shape>>, required: readonly string[]): Record<string, unknown> {
  const { body } = call;
  if (call.contentType !== 'application/json' || !isMap(body)) throw refuse(400, { code: 'invalid', detail: 'Invalid body' });
  const flaws = [...flawsOf(body, { fields, required, open: true }), ...formFlaws(body)];
  if (flaws.length > 0) throw unprocessable(flaws);
  return body;
}

/** What the types alone do not say. */
function formFlaws({ url, uid, throttleRate, eventTypes, channels }: Record<string, unknown>): Flaw[] {
  const bad = (at: string, expected: string): Flaw => ({ at, problem: 'type', expected });
  const isList = (list: unknown, form: RegExp) => !Array.isArray(list) || list.every((item) => form.test(String(item)));
  return [
    ...(typeof url === 'string' && !URL.canParse(url) ? [bad('/url', 'url')] : []),
    ...(typeof uid === 'string' && !/^[a-zA-Z0-9\-_.]{1,256}$/.test(uid) ? [bad('/uid', 'uid')] : []),
    ...(typeof throttleRate === 'number' && (throttleRate < 0 || throttleRate > 65_535) ? [bad('/throttleRate', 'uint16')] : []),
    ...(isList(eventTypes, /^[a-zA-Z0-9\-_.]{1,256}$/) ? [] : [bad('/eventTypes', 'event type')]),
    ...(isList(channels, /^[a-zA-Z0-9\-_.:+]{1,128}$/) ? [] : [bad('/channels', 'channel')]),
  ];
}

function checkUid(others: readonly SvixEndpoint[], uid: unknown): void {
  if (typeof uid === 'string' && others.some((other) => other.uid === uid))
    throw refuse(409, { code: 'conflict', detail: 'An endpoint with that uid already exists' });
}

/** The members that a body changes, as the service keeps them: URLs written anew, and sets without doubles. The others stay. */
const kept = (body: Record<string, unknown>): Partial<SvixEndpoint> =>
  Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => Object.hasOwn(patchable, name))
      .map(([name, value]) => [name, keptAs(name, value)]),
  );

function keptAs(name: string, value: unknown): unknown {
  if (name === 'url') return new URL(String(value)).href;
  return Array.isArray(value) ? [...new Set(value as string[])].sort() : value;
}

/** Pages after an id. The iterator is there on the last page too: only `done` tells of the end. */
function list(call: AppCall): Reply {
  const limit = Number(call.query.get('limit') ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 250)
    throw refuse(422, { detail: [{ loc: ['query', 'limit'], msg: 'limit', type: 'value_error' }] });
  const { endpoints } = appOf(call);
  const after = call.query.get('iterator');
  const start = after === null ? 0 : endpoints.findIndex(({ id }) => id === after) + 1;
  const data = endpoints.slice(start, start + limit);
  return json(200, {
    data: data.map(shown),
    iterator: data.at(-1)?.id ?? null,
    prevIterator: data[0] ? `-${data[0].id}` : null,
    done: start + limit >= endpoints.length,
  });
}
