import {
  bearerOf,
  type Call,
  json,
  makeKit,
  type Refusal,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
  Unreadable,
} from '../kit/index.ts';
import { isMap } from '../kit/json.ts';
import { checkSpec, kept } from './spec.ts';
import {
  type Deployment,
  type DigitalOceanState,
  type DoApp,
  deploymentsOf,
  emptyState,
  isoTime,
  isRunning,
  Maker,
  poll,
  type Spec,
  start,
} from './state.ts';

export type { DigitalOceanState, DoApp } from './state.ts';

/** State, and what people do in the console. */
export interface DigitalOceanWorld {
  readonly state: DigitalOceanState;
  /** An app of somebody else, deployed long ago. */
  addApp(name: string, spec?: Spec): DoApp;
  app(name: string): DoApp | undefined;
  deployments(name: string): readonly Deployment[];
  removeApp(name: string): void;
  /** Somebody pushes: a deployment of the same spec. */
  push(name: string): Deployment;
  /** The plain text of a variable of a component. */
  secret(app: string, component: string, key: string): string | undefined;
}

/** Apps and their deployments: https://docs.digitalocean.com/reference/api/reference/apps/ (v2, the vendor's published description). */
export function digitalocean(options: SimulationOptions = {}): Simulation<DigitalOceanWorld> {
  const kit = makeKit('digitalocean', options);
  const make = new Maker();
  const state = emptyState();
  const error = (status: number, id: string, message: string): Refusal => refuse(status, { id, message, request_id: make.id() });
  const invalid = (message: string): Refusal => error(400, 'bad_request', message);

  const withoutScope = (scope: string): Refusal => error(403, 'forbidden', `You are missing the required permission ${scope}`);
  const checkScope = ({ hasScope }: DigitalOceanState): void => {
    if (!hasScope) throw withoutScope('app:read');
  };

  function appOf({ state: now, params }: Call<DigitalOceanState, { readonly id: string }>): DoApp {
    checkScope(now);
    const found = now.apps.find(({ id }) => id === params.id);
    if (!found) throw error(404, 'not_found', 'The resource you requested could not be found.');
    return found;
  }

  function specOf(call: Call<DigitalOceanState, unknown>, members: readonly string[]): Spec {
    checkScope(call.state);
    const { body } = call;
    if (body instanceof Unreadable || !isMap(body)) throw invalid('the body is not valid JSON');
    const stranger = Object.keys(body).find((name) => !members.includes(name));
    if (stranger !== undefined) throw invalid(`unknown field "${stranger}"`);
    checkSpec(body.spec, call.state.codeHosts, invalid);
    return body.spec;
  }

  const newApp = (now: DigitalOceanState, spec: Spec, polls: number, at: number): DoApp => {
    const held = kept(now, spec, invalid);
    const app: DoApp = { id: make.id(), created_at: isoTime(at), updated_at: isoTime(at), spec: held, live_url: '' };
    start(now, app, make.deployment(held, 'initial deployment', polls, at));
    return app;
  };

  const look = (call: Call<DigitalOceanState, unknown>, app: DoApp): void => poll(call.state, app, call.now);

  const pageOf = <T>(call: Call<DigitalOceanState, unknown>, all: readonly T[]) => {
    const size = wholeOf(call.query.get('per_page'), 20);
    const page = wholeOf(call.query.get('page'), 1);
    if (size === null || size > 200 || page === null) throw invalid('page and per_page must be whole numbers, per_page at most 200');
    const items = all.slice((page - 1) * size, page * size);
    const isLast = page * size >= all.length;
    const next = `https://api.digitalocean.com${call.path}?page=${page + 1}&per_page=${size}`;
    return { items, around: { links: isLast ? {} : { pages: { next, last: next } }, meta: { total: all.length } } };
  };

  return simulate<DigitalOceanState, DigitalOceanWorld>(kit, {
    name: 'digitalocean',
    origin: 'https://api.digitalocean.com',
    state,
    blind: () => emptyState(false),
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: (_, why) =>
      why === 'read-only' ? withoutScope('app:update').reply : error(401, 'unauthorized', 'Unable to authenticate you').reply,
    world: (live) => worldOf(live, { newApp, make, now: () => kit.clock.now() }),
    routes: [
      route('GET', '/v2/apps', (call) => {
        checkScope(call.state);
        const { items, around } = pageOf(call, call.state.apps);
        return json(200, { ...(items.length > 0 && { apps: items.map((one) => appAnswer(call.state, one)) }), ...around });
      }),
      route('POST', '/v2/apps', (call) => {
        const spec = specOf(call, ['spec', 'project_id']);
        if (call.state.apps.some((one) => one.spec.name === spec.name)) throw error(409, 'conflict', 'app name already exists');
        if (call.state.apps.length >= call.state.appLimit)
          throw error(403, 'forbidden', 'you have reached the limit of apps for this account');
        const app = newApp(call.state, spec, kit.faults.pollsUntilReady, call.now);
        call.state.apps.push(app);
        return json(200, { app: appAnswer(call.state, app) });
      }),
      route('GET', '/v2/apps/{id}', (call) => {
        const app = appOf(call);
        look(call, app);
        return json(200, { app: appAnswer(call.state, app) });
      }),
      route('PUT', '/v2/apps/{id}', (call) => {
        const app = appOf(call);
        const spec = specOf(call, ['spec', 'update_all_source_versions']);
        if (call.state.apps.some((one) => one !== app && one.spec.name === spec.name))
          throw error(409, 'conflict', 'app name already exists');
        app.spec = kept(call.state, spec, invalid);
        app.updated_at = isoTime(call.now);
        start(call.state, app, make.deployment(app.spec, 'app spec updated', kit.faults.pollsUntilReady, call.now));
        return json(200, { app: appAnswer(call.state, app) });
      }),
      route('DELETE', '/v2/apps/{id}', (call) => {
        const app = appOf(call);
        call.state.apps = call.state.apps.filter((one) => one !== app);
        return json(200, { id: app.id });
      }),
      route('GET', '/v2/apps/{id}/deployments', (call) => {
        const app = appOf(call);
        look(call, app);
        const all = call.state.oldestFirst ? deploymentsOf(call.state, app).toReversed() : deploymentsOf(call.state, app);
        const { items, around } = pageOf(call, all);
        return json(200, { deployments: items.map(deploymentAnswer), ...around });
      }),
      route('GET', '/v2/apps/{id}/deployments/{deployment}', (call) => {
        const app = appOf(call);
        look(call, app);
        const found = deploymentsOf(call.state, app).find(({ id }) => id === call.params.deployment);
        if (!found) throw error(404, 'not_found', 'The resource you requested could not be found.');
        return json(200, { deployment: deploymentAnswer(found) });
      }),
    ],
  });
}

function worldOf(
  state: DigitalOceanState,
  o: {
    readonly newApp: (state: DigitalOceanState, spec: Spec, polls: number, now: number) => DoApp;
    readonly make: Maker;
    readonly now: () => number;
  },
): DigitalOceanWorld {
  const must = (name: string): DoApp => {
    const found = state.apps.find(({ spec }) => spec.name === name);
    if (!found) throw new Error(`there is no app ${name}`);
    return found;
  };
  return {
    state,
    addApp: (name, spec = {}) => {
      const app = o.newApp(
        state,
        { name, services: [{ name: 'web', image: { registry_type: 'DOCR', repository: 'shop' } }], ...spec },
        0,
        o.now(),
      );
      poll({ ...state, ends: 'ACTIVE' }, app, o.now());
      state.apps.push(app);
      return app;
    },
    app: (name) => state.apps.find(({ spec }) => spec.name === name),
    deployments: (name) => deploymentsOf(state, must(name)),
    removeApp: (name) => {
      state.apps = state.apps.filter(({ spec }) => spec.name !== name);
    },
    push: (name) => start(state, must(name), o.make.deployment(must(name).spec, 'commit pushed', 0, o.now())),
    secret: (name, component, key) => {
      const app = must(name);
      const found = Object.values(app.spec)
        .flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []))
        .find((one) => isMap(one) && one.name === component);
      const envs: readonly unknown[] = isMap(found) && Array.isArray(found.envs) ? found.envs : [];
      const variable = envs.find((one) => isMap(one) && one.key === key);
      return isMap(variable) ? state.opened[String(variable.value)] : undefined;
    },
  };
}

const wholeOf = (text: string | null, otherwise: number): number | null => {
  const number = text === null ? otherwise : Number(text);
  return Number.isInteger(number) && number > 0 ? number : null;
};

function appAnswer(state: DigitalOceanState, app: DoApp): Spec {
  const all = deploymentsOf(state, app);
  const [newest] = all;
  const active = all.find(({ phase }) => phase === 'ACTIVE');
  const isPending = newest?.phase === 'PENDING_BUILD';
  return {
    id: app.id,
    spec: app.spec,
    created_at: app.created_at,
    updated_at: app.updated_at,
    tier_slug: 'basic',
    live_url: app.live_url,
    default_ingress: app.live_url,
    ...(active && { active_deployment: deploymentAnswer(active) }),
    ...(newest && isPending && { pending_deployment: deploymentAnswer(newest) }),
    ...(newest && !isPending && isRunning(newest) && { in_progress_deployment: deploymentAnswer(newest) }),
  };
}

function deploymentAnswer({ id, cause, created_at, updated_at, phase, spec, polls }: Deployment): Spec {
  const failed = phase === 'ERROR';
  const done = phase === 'ACTIVE' ? 4 : Math.min(polls, 3);
  return {
    id,
    cause,
    created_at,
    updated_at,
    phase,
    phase_last_updated_at: updated_at,
    spec,
    progress: {
      total_steps: 4,
      success_steps: done,
      pending_steps: 4 - done,
      error_steps: failed ? 1 : 0,
      steps: [
        { name: 'build', status: failed ? 'ERROR' : 'SUCCESS', steps: failed ? [brokenStep] : [] },
        { name: 'deploy', status: phase === 'ACTIVE' ? 'SUCCESS' : 'PENDING' },
      ],
    },
  };
}

const brokenStep = {
  name: 'components',
  status: 'ERROR',
  component_name: 'web',
  reason: { code: 'BuildJobExitNonZero', message: 'Your build job failed because a command exited with a non-zero code.' },
};
