import * as checks from './checks.ts';
import {
  bearerOf,
  type Call,
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
import { isMap } from './kit/json.ts';

export interface HerokuApp {
  readonly id: string;
  readonly name: string;
  /** A new app has random letters in its address (devcenter.heroku.com/changelog-items/2640, 2026-11-27). */
  webUrl: string | null;
  /** By name of the var. */
  readonly vars: Record<string, { value: string | null }>;
  /** Every change of the vars makes one, and restarts the dynos. */
  releases: number;
  /** Requests that do not find it yet: a new app can be used some seconds later. */
  unfound: number;
}

export interface HerokuState {
  readonly apps: HerokuApp[];
}

/** State, and what a person does in the dashboard. */
export interface HerokuWorld {
  readonly state: HerokuState;
  /** Live: changing it is a change from outside. */
  addApp(name: string, vars?: Readonly<Record<string, string | null>>): HerokuApp;
  /** Somebody makes it just now. */
  addYoungApp(name: string): HerokuApp;
}

/** Config vars of apps: https://devcenter.heroku.com/articles/platform-api-reference#config-vars (version 3). */
export function heroku(options: SimulationOptions = {}): Simulation<HerokuWorld> {
  const kit = makeKit('heroku', options);
  const ids = new Ids('heroku');
  const hex = '0123456789abcdef';
  const uuid = () => [8, 4, 4, 4, 12].map((length) => ids.text(length, hex)).join('-');
  const state: HerokuState = { apps: [] };
  const vars = '/apps/{app}/config-vars';
  return simulate<HerokuState, HerokuWorld>(kit, {
    name: 'heroku',
    origin: 'https://api.heroku.com',
    state,
    blind: () => ({ apps: [] }),
    world: (live) => ({
      state: live,
      addApp: (name, given = {}) => addApp(live, name, given, 0),
      addYoungApp: (name) => addApp(live, name, {}, 2),
    }),
    tokens: kit.tokens,
    checks: checks.heroku,
    credential: bearerOf,
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? refusal(403, 'forbidden', 'You do not have access to the resource with this authorization scope.').reply
        : refusal(401, 'unauthorized', 'Invalid credentials provided.').reply,
    routes: [
      route('GET', '/apps/{app}', (call) => {
        const { id, name, webUrl } = appOf(call);
        return json(200, { id, name, web_url: webUrl, released_at: null, maintenance: false });
      }),
      route('GET', vars, (call) => shown(appOf(call))),
      route('PATCH', vars, (call) => {
        const app = appOf(call);
        const changes = changesOf(call);
        for (const [name, value] of Object.entries(changes)) {
          if (value === null) delete app.vars[name];
          else app.vars[name] = { value };
        }
        app.releases += 1;
        return shown(app);
      }),
    ],
  });

  function addApp(live: HerokuState, name: string, given: Readonly<Record<string, string | null>>, unfound: number): HerokuApp {
    const values = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, { value }]));
    const webUrl = `https://${name}-${ids.text(12, hex)}.herokuapp.com/`;
    const app: HerokuApp = { id: uuid(), name, webUrl, vars: values, releases: 1, unfound };
    live.apps.push(app);
    return app;
  }
}

type AppCall = Call<HerokuState, { readonly app: string }>;

const refusal = (status: number, id: string, message: string): Refusal =>
  refuse(status, { id, message, url: 'https://devcenter.heroku.com/articles/platform-api-reference' });

const shown = ({ vars }: HerokuApp): Reply => json(200, Object.fromEntries(Object.entries(vars).map(([name, { value }]) => [name, value])));

function appOf({ headers, params, state }: AppCall): HerokuApp {
  if (headers.get('accept') !== 'application/vnd.heroku+json; version=3')
    throw refusal(406, 'not_acceptable', "The API version you've specified is not valid.");
  const app = state.apps.find(({ id, name }) => id === params.app || name === params.app);
  if (app?.unfound === 0) return app;
  if (app) app.unfound -= 1;
  throw refusal(404, 'not_found', "Couldn't find that app.");
}

function changesOf({ body, contentType }: AppCall): Readonly<Record<string, string | null>> {
  if (contentType !== 'application/json' || !isMap(body))
    throw refusal(400, 'bad_request', 'Unable to parse the JSON in the request body.');
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (!/^\w+$/.test(name)) throw refusal(422, 'invalid_params', `Config var name ${name} is invalid.`);
      if (typeof value !== 'string' && value !== null)
        throw refusal(422, 'invalid_params', `The value of ${name} must be a string or null.`);
      return [name, value];
    }),
  );
}
