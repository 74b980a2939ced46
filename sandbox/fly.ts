import { createHash } from 'node:crypto';
import {
  bearerOf,
  type Call,
  Counter,
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

export interface FlySecret {
  value: string;
  readonly created_at: string;
  updated_at: string;
}

export interface FlyApp {
  readonly id: string;
  readonly internal_numeric_id: number;
  readonly name: string;
  readonly org: string;
  network: string;
  /** By name. */
  readonly secrets: Record<string, FlySecret>;
  /** Machines that run in it. */
  machines: number;
  /** Requests to its own paths that do not see it yet: of one whose create did not wait. */
  hidden: number;
  /** Reads that miss it all the same. */
  unread: number;
  /** Requests that still see it, once it was removed. */
  leaving: number | null;
}

export interface FlyState {
  apps: FlyApp[];
  /** Slugs of the organisations that the token may see. */
  readonly organizations: string[];
  /** Requests after which an app that was removed is gone: a delete is answered before that. */
  lingers: number;
}

/** State, and what other people do. */
export interface FlyWorld {
  readonly state: FlyState;
  /** Live; of an organisation that the token may not see, the name is taken all the same. */
  addApp(org: string, name: string, network?: string): FlyApp;
  app(name: string): FlyApp | undefined;
  removeApp(name: string): void;
  setSecret(app: string, name: string, value: string): void;
}

/** Apps and their secrets (Machines API v1): https://fly.io/docs/machines/api/apps-resource/ and the vendor's client fly-go. */
export function fly(options: SimulationOptions = {}): Simulation<FlyWorld> {
  const kit = makeKit('fly', options);
  const ids = new Ids('fly');
  const state: FlyState = { apps: [], organizations: ['acme'], lingers: 2 };
  const time = () => new Date(kit.clock.now()).toISOString();
  const numbers = new Counter(7000);
  const newApp = (org: string, name: string, network = 'default', hidden = 0): FlyApp => {
    return {
      id: ids.text(16, 'abcdefghijklmnopqrstuvwxyz0123456789'),
      internal_numeric_id: numbers.next(),
      name,
      org,
      network,
      secrets: {},
      machines: 0,
      hidden,
      unread: 0,
      leaving: null,
    };
  };
  const put = (app: FlyApp, name: string, value: string): FlySecret => {
    const secret: FlySecret = { created_at: time(), ...app.secrets[name], value, updated_at: time() };
    app.secrets[name] = secret;
    return secret;
  };

  return simulate<FlyState, FlyWorld>(kit, {
    name: 'fly',
    origin: 'https://api.machines.dev',
    basePath: '/v1',
    state,
    // The names are taken, whoever asks.
    blind: () => ({ ...structuredClone(state), organizations: [] }),
    world: (live) => ({
      state: live,
      addApp: (org, name, network) => {
        const app = newApp(org, name, network);
        live.apps.push(app);
        return app;
      },
      app: (name) => live.apps.find((one) => one.name === name),
      removeApp: (name) => {
        live.apps = live.apps.filter((one) => one.name !== name);
      },
      setSecret: (name, secret, value) => {
        const app = live.apps.find((one) => one.name === name);
        if (app) put(app, secret, value);
      },
    }),
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: (_, why) => (why === 'read-only' ? refusal(403, 'unauthorized') : refusal(401, 'unauthorized')).reply,
    routes: [
      route('GET', '/v1/apps', ({ query, state: live }) => {
        const org = query.get('org_slug');
        if (org === null) throw refusal(400, 'org_slug is required');
        refuseOthers(live, org);
        pass(live);
        const apps = live.apps.filter((one) => one.org === org).map(appAnswer);
        return json(200, { apps, total_apps: apps.length });
      }),
      route('POST', '/v1/apps', (call) => {
        const body = read(call, createShape);
        const org = String(body.org_slug);
        const name = String(body.name);
        refuseOthers(call.state, org);
        pass(call.state);
        if (!/^[a-z0-9][a-z0-9-]*$/.test(name))
          throw refusal(422, 'Validation failed: Name may only contain numbers, lowercase letters and dashes');
        if (call.state.apps.some((one) => one.name === name))
          throw refusal(422, 'Validation failed: Name has already been taken', { status: 'name_taken' });
        const app = newApp(
          org,
          name,
          typeof body.network === 'string' ? body.network : undefined,
          call.query.get('wait') === 'true' ? 0 : 2,
        );
        call.state.apps.push({ ...app, unread: 1 });
        return json(201, appAnswer(app));
      }),
      route('GET', '/v1/apps/{app}', (call) => {
        pass(call.state);
        const app = appOf(call);
        if (app.unread === 0) return json(200, appAnswer(app));
        app.unread -= 1;
        throw refusal(404, 'app not found');
      }),
      route('DELETE', '/v1/apps/{app}', (call) => {
        const app = appOf(call);
        // The vendor asks that machines are stopped first unless it is forced; with what it refuses is not documented.
        if (app.machines > 0 && call.query.get('force') !== 'true') throw refusal(412, 'app has running machines');
        app.leaving ??= call.state.lingers;
        app.unread = 0;
        pass(call.state);
        return { status: 202 };
      }),
      route('GET', '/v1/apps/{app}/secrets', (call) => {
        const { secrets } = appOf(call);
        return json(200, { secrets: Object.entries(secrets).map(([name, secret]) => secretAnswer(call, name, secret)) });
      }),
      route('GET', '/v1/apps/{app}/secrets/{secret}', (call) => {
        const { secret: name } = call.params;
        return json(200, secretAnswer(call, name, secretOf(appOf(call), name)));
      }),
      route('POST', '/v1/apps/{app}/secrets/{secret}', (call) => {
        const app = appOf(call);
        const { secret: name } = call.params;
        const body = read(call, { fields: { value: 'string' }, required: ['value'] });
        if (!/^\w+$/.test(name)) throw refusal(400, `invalid secret name ${name}`);
        return json(201, { ...secretAnswer(call, name, put(app, name, String(body.value))), version: 1 });
      }),
      route('DELETE', '/v1/apps/{app}/secrets/{secret}', (call) => {
        const app = appOf(call);
        secretOf(app, call.params.secret);
        delete app.secrets[call.params.secret];
        return json(200, { version: 2 });
      }),
    ],
  });
}

type AppCall = Call<FlyState, { readonly app: string; readonly secret?: string }>;

const createShape: Shape = {
  fields: { name: 'string', org_slug: 'string', network: 'string', enable_subdomains: 'boolean' },
  required: ['name', 'org_slug'],
};

const refusal = (status: number, error: string, more: { readonly [name: string]: unknown } = {}): Refusal =>
  refuse(status, { error, ...more });

/** Apps on their way out go. */
function pass(state: FlyState): void {
  state.apps = state.apps.filter((app) => app.leaving !== 0);
  for (const app of state.apps) if (app.leaving !== null) app.leaving -= 1;
}

function refuseOthers({ organizations }: FlyState, org: string): void {
  if (!organizations.includes(org)) throw refusal(403, 'unauthorized');
}

function appOf({ params, state }: AppCall): FlyApp {
  const app = state.apps.find(({ name }) => name === params.app);
  if (app && app.hidden > 0) app.hidden -= 1;
  else if (app) {
    refuseOthers(state, app.org);
    return app;
  }
  throw refusal(404, 'app not found');
}

function secretOf(app: FlyApp, name: string): FlySecret {
  const secret = app.secrets[name];
  if (!secret) throw refusal(404, 'secret not found');
  return secret;
}

function read(call: Call<FlyState, unknown>, shape: Shape): Record<string, unknown> {
  const [flaw] = flawsOf(call.body, shape);
  if (flaw || !isMap(call.body)) throw refusal(400, `invalid request body: ${flaw?.problem ?? 'no object'} ${flaw?.at ?? ''}`);
  return call.body;
}

const appAnswer = ({ id, internal_numeric_id, name, org, network, machines }: FlyApp) => ({
  id,
  internal_numeric_id,
  name,
  machine_count: machines,
  volume_count: 0,
  network,
  organization: { name: org, slug: org },
  status: 'pending',
});

/** The value only for who asks for it. */
const secretAnswer = ({ query }: { readonly query: URLSearchParams }, name: string, { value, created_at, updated_at }: FlySecret) => ({
  name,
  digest: createHash('sha256').update(value).digest('hex').slice(0, 16),
  created_at,
  updated_at,
  ...(query.get('show_secrets') === 'true' && { value }),
});
