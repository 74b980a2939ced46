import * as checks from './checks.ts';
import {
  bearerOf,
  type Call,
  empty,
  flawsOf,
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
import { isMap } from './kit/json.ts';

export interface EnvVar {
  readonly key: string;
  value: string;
}

export interface RenderState {
  /** By service id, in the order of creation. */
  readonly services: Record<string, EnvVar[]>;
  /** Names of services, by id; one without a name here bears its id. */
  readonly names: Record<string, string>;
  deploys: number;
}

/** State, and what a person does in the dashboard. */
export interface RenderWorld {
  readonly state: RenderState;
  /** Live: changing one is a change from outside. */
  addService(id: string, vars?: Readonly<Record<string, string>>, name?: string): EnvVar[];
}

/** Environment variables of services: https://api-docs.render.com/reference/get-env-vars-for-service (version 1). */
export function render(options: SimulationOptions = {}): Simulation<RenderWorld> {
  const kit = makeKit('render', options);
  const state: RenderState = { services: {}, names: {}, deploys: 0 };
  const list = '/v1/services/{service}/env-vars';
  return simulate<RenderState, RenderWorld>(kit, {
    name: 'render',
    origin: 'https://api.render.com',
    basePath: '/v1',
    state,
    blind: () => ({ services: {}, names: {}, deploys: 0 }),
    world: (live) => ({
      state: live,
      addService: (id, given = {}, name = id) => {
        live.names[id] = name;
        const vars = Object.entries(given).map(([key, value]) => ({ key, value }));
        live.services[id] = vars;
        return vars;
      },
    }),
    tokens: kit.tokens,
    checks: checks.render,
    credential: bearerOf,
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? refusal(403, 'You do not have permissions for the requested resource.').reply
        : refusal(401, 'Unauthorized').reply,
    routes: [
      route('GET', '/v1/services', (call) => services(call)),
      route('GET', list, (call) => page(call)),
      route('GET', `${list}/{key}`, (call) => {
        const found = varsOf(call).find(({ key }) => key === call.params.key);
        if (!found) throw notFound('environment variable');
        return json(200, found);
      }),
      route('PUT', `${list}/{key}`, (call) => {
        const vars = varsOf(call);
        const value = givenValue(call);
        const found = vars.find(({ key }) => key === call.params.key);
        if (found) return json(200, Object.assign(found, { value }));
        const made: EnvVar = { key: call.params.key, value };
        vars.push(made);
        return json(200, made);
      }),
      route('DELETE', `${list}/{key}`, (call) => {
        const vars = varsOf(call);
        const at = vars.findIndex(({ key }) => key === call.params.key);
        if (at === -1) throw notFound('environment variable');
        vars.splice(at, 1);
        return empty();
      }),
      // Only a deploy brings variables to the service; nothing here makes one by itself.
      route('POST', '/v1/services/{service}/deploys', (call) => {
        varsOf(call);
        call.state.deploys += 1;
        return json(201, { id: `dep-${call.state.deploys}`, status: 'created', trigger: 'api' });
      }),
    ],
  });
}

/** Web services and previews; a preview is shown only to who asks for previews: https://api-docs.render.com/reference/list-services. */
function services({ query, state }: Call<RenderState, unknown>): Reply {
  const names = query.getAll('name');
  const found = Object.entries(state.names).filter(
    ([, name]) => (names.length === 0 || names.includes(name)) && (!/ PR #\d+$/.test(name) || query.get('includePreviews') === 'true'),
  );
  return json(
    200,
    found.map(([id, name]) => {
      const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
      const at = '2026-11-01T00:00:00Z';
      const service = {
        id,
        name,
        slug,
        ownerId: 'tea-acme',
        type: name.startsWith('worker') ? 'background_worker' : 'web_service',
        autoDeploy: 'yes',
        rootDir: '',
        dashboardUrl: `https://dashboard.render.com/web/${id}`,
        notifyOnFail: 'default',
        suspended: 'not_suspended',
        suspenders: [],
        serviceDetails: name.startsWith('worker') ? {} : { url: `https://${slug}.onrender.com` },
        createdAt: at,
        updatedAt: at,
      };
      return { service, cursor: cursorOf(id) };
    }),
  );
}

type VarCall = Call<RenderState, { readonly service: string; readonly key?: string }>;

const refusal = (status: number, message: string): Refusal => refuse(status, { id: `rnd-${status}`, message });
const notFound = (what: string): Refusal => refusal(404, `not found: ${what}`);

function varsOf({ params, state }: VarCall): EnvVar[] {
  const vars = state.services[params.service];
  if (!vars) throw notFound('service');
  return vars;
}

/** A value; that the provider makes one up (`generateValue`) is not part of this. */
function givenValue({ body, contentType }: VarCall): string {
  const [flaw] = flawsOf(body, { fields: { value: 'string' }, required: ['value'] });
  if (contentType !== 'application/json' || flaw || !isMap(body)) throw refusal(400, `invalid body: ${flaw?.at ?? 'not JSON'}`);
  return String(body.value);
}

/** The cursor of a page is that of its last entry: there is no other pointer to the next one. */
function page(call: VarCall): Reply {
  const vars = varsOf(call);
  const limit = Number(call.query.get('limit') ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) throw refusal(400, 'limit must be between 1 and 100');
  const cursor = call.query.get('cursor');
  const start = cursor === null ? 0 : vars.findIndex(({ key }) => cursorOf(key) === cursor) + 1;
  return json(
    200,
    vars.slice(start, start + limit).map((envVar) => ({ envVar, cursor: cursorOf(envVar.key) })),
  );
}

const cursorOf = (key: string): string => Buffer.from(key).toString('base64url');
