import * as checks from './checks.ts';
import { configOf, type HookConfig, masked } from './github/config.ts';
import { docs, failure, invalid, notFound, refuseWith } from './github/refusals.ts';
import {
  type Call,
  empty,
  flawsOf,
  Ids,
  json,
  makeKit,
  type Reply,
  refuse,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
  Unreadable,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** One webhook as the provider stores it. */
export interface Hook {
  readonly id: number;
  active: boolean;
  events: readonly string[];
  config: HookConfig;
  readonly created_at: string;
  updated_at: string;
}

export interface GithubState {
  /** By `owner/name` in lower case. */
  readonly repositories: Record<string, Hook[]>;
  /** Hooks that one repository may have for one event. */
  hooksPerEvent: number;
}

/** State, and what a person does in the repository's settings. Secrets are readable here, so that tests can see which one is stored. */
export interface GithubWorld {
  readonly state: GithubState;
  addRepository(repository: string): void;
  /** Live: changing one is a change from outside. */
  hooks(repository: string): readonly Hook[];
  addHook(repository: string, hook: { url: string; events?: readonly string[]; secret?: string; active?: boolean }): Hook;
  /** Somebody writes its configuration by the API: yes, no and numbers are kept as texts. */
  configure(hook: Hook, config: Readonly<Record<string, unknown>>): void;
  removeHook(repository: string, id: number): void;
}

const origin = 'https://api.github.com';

/**
 * Repository webhooks (REST, version 2022-11-28): https://docs.github.com/en/rest/repos/webhooks. The wording of refusals for the
 * parts of `config` is ours; their statuses and forms are the page's.
 */
export function github(options: SimulationOptions = {}): Simulation<GithubWorld> {
  const kit = makeKit('github', options);
  const ids = new Ids('github');
  const state: GithubState = { repositories: {}, hooksPerEvent: 20 };
  const time = () => new Date(kit.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  const newHook = (events: readonly string[], active: boolean, config: HookConfig): Hook => ({
    // Ids rise, by steps that nobody can guess from outside.
    id: 480_000_000 + ids.next() * 37,
    active,
    events,
    config,
    created_at: time(),
    updated_at: time(),
  });

  return simulate<GithubState, GithubWorld>(kit, {
    name: 'github',
    origin,
    state,
    blind: () => ({ repositories: {}, hooksPerEvent: 20 }),
    world: (live) => ({
      state: live,
      addRepository: (repository) => {
        live.repositories[repository.toLowerCase()] ??= [];
      },
      hooks: (repository) => live.repositories[repository.toLowerCase()] ?? [],
      addHook: (repository, { url, events = ['push'], secret, active = true }) => {
        const hook = newHook(events, active, configOf({ url, ...(secret !== undefined && { secret }) }));
        live.repositories[repository.toLowerCase()] = [...(live.repositories[repository.toLowerCase()] ?? []), hook];
        return hook;
      },
      configure: (hook, config) => {
        hook.config = configOf({ ...hook.config, ...config });
      },
      removeHook: (repository, id) => {
        const key = repository.toLowerCase();
        live.repositories[key] = (live.repositories[key] ?? []).filter((hook) => hook.id !== id);
      },
    }),
    tokens: kit.tokens,
    checks: checks.github,
    credential: ({ headers }) => /^(?:bearer|token) (.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null,
    refuseCredential: ({ method }, why) => {
      if (why === 'wrong') return failure(401, 'Bad credentials');
      if (why === 'missing') return failure(401, 'Requires authentication');
      // The description lists 403 for the create alone; elsewhere a missing permission looks like a missing hook.
      return method === 'POST' ? failure(403, 'Resource not accessible by personal access token') : notFound();
    },
    routes: [
      route('GET', '/repos/{owner}/{repo}/hooks', (call) => {
        checkClient(call);
        return page(call, hooksOf(call));
      }),
      route('POST', '/repos/{owner}/{repo}/hooks', (call) => {
        checkClient(call);
        const hooks = hooksOf(call);
        const body = bodyOf(call, createShape, true);
        if (body.name !== undefined && body.name !== 'web') throw invalid('name', 'custom', 'Name must be "web" for a webhook');
        const hook = newHook(eventsOf(body.events) ?? ['push'], body.active !== false, configOf(body.config));
        checkPlace(call.state, hooks, hook);
        hooks.push(hook);
        return json(201, shown(call, hook), { location: addressOf(call, hook) });
      }),
      route('GET', '/repos/{owner}/{repo}/hooks/{id}', (call) => {
        checkClient(call);
        return json(200, shown(call, hookOf(call)));
      }),
      route('PATCH', '/repos/{owner}/{repo}/hooks/{id}', (call) => {
        checkClient(call);
        const hook = hookOf(call);
        const body = bodyOf(call, updateShape, false);
        const events = new Set(eventsOf(body.events) ?? hook.events);
        for (const event of eventsOf(body.add_events) ?? []) events.add(event);
        for (const event of eventsOf(body.remove_events) ?? []) events.delete(event);
        // A config that is sent stands for the whole one: a secret that is not in it is gone.
        const config = body.config === undefined ? hook.config : configOf(body.config);
        return change(call, hook, { events: [...events], config, active: typeof body.active === 'boolean' ? body.active : hook.active });
      }),
      route('DELETE', '/repos/{owner}/{repo}/hooks/{id}', (call) => {
        checkClient(call);
        const hook = hookOf(call);
        const hooks = hooksOf(call);
        hooks.splice(hooks.indexOf(hook), 1);
        return empty(204);
      }),
      route('GET', '/repos/{owner}/{repo}/hooks/{id}/config', (call) => {
        checkClient(call);
        return json(200, masked(hookOf(call).config));
      }),
      route('PATCH', '/repos/{owner}/{repo}/hooks/{id}/config', (call) => {
        checkClient(call);
        const hook = hookOf(call);
        const sent = bodyOf(call, configShape, true);
        change(call, hook, { events: hook.events, active: hook.active, config: configOf({ ...hook.config, ...sent }) });
        return json(200, masked(hook.config));
      }),
    ],
  });

  function change(call: HookCall, hook: Hook, wanted: Pick<Hook, 'events' | 'active' | 'config'>): Reply {
    const others = hooksOf(call).filter((other) => other !== hook);
    checkPlace(call.state, others, wanted);
    Object.assign(hook, wanted, { updated_at: time() });
    return json(200, shown(call, hook));
  }
}

type HookCall = Call<GithubState, { readonly owner: string; readonly repo: string; readonly id?: string }>;

const configFields: { readonly [name: string]: Shape } = { url: 'string', content_type: 'string', secret: 'string', insecure_ssl: 'any' };
const configShape: Shape = { fields: configFields };
const createShape: Shape = {
  fields: { name: 'string', config: { fields: configFields, open: true }, events: { list: 'string' }, active: 'boolean' },
};
const updateShape: Shape = {
  fields: {
    config: { fields: configFields, open: true },
    events: { list: 'string' },
    add_events: { list: 'string' },
    remove_events: { list: 'string' },
    active: 'boolean',
  },
  open: true,
};

/** The provider refuses clients that do not name themselves, and API versions that it does not know. */
function checkClient({ headers }: HookCall): void {
  if (!headers.get('user-agent')) {
    throw refuse(403, {
      message: 'Request forbidden by administrative rules. Please make sure your request has a User-Agent header',
      documentation_url: docs,
    });
  }
  const version = headers.get('x-github-api-version');
  if (version !== null && version !== '2022-11-28') throw refuseWith(failure(400, `"${version}" is not a supported version.`));
}

function hooksOf({ params, state }: HookCall): Hook[] {
  const hooks = state.repositories[`${params.owner}/${params.repo}`.toLowerCase()];
  if (!hooks) throw refuseWith(notFound());
  return hooks;
}

function hookOf(call: HookCall): Hook {
  const hook = hooksOf(call).find(({ id }) => String(id) === call.params.id);
  if (!hook) throw refuseWith(notFound());
  return hook;
}

function bodyOf(call: HookCall, shape: Shape, isClosed: boolean): Record<string, unknown> {
  if (call.body instanceof Unreadable) throw refuseWith(failure(400, 'Problems parsing JSON'));
  const body = call.body ?? {};
  if (!isMap(body)) throw refuseWith(failure(400, 'Body should be a JSON object'));
  const flaws = flawsOf(body, shape);
  const unknown = flaws.filter(({ problem }) => problem === 'unknown');
  if (isClosed && unknown.length > 0) {
    throw refuseWith(failure(422, `Invalid request.\n\n"${unknown.map(({ at }) => at.slice(1)).join('", "')}" is not a permitted key.`));
  }
  const wrong = flaws.find(({ problem }) => problem === 'type');
  if (wrong) throw refuseWith(failure(422, `Invalid request.\n\nFor '${wrong.at.slice(1)}', the value is not ${wrong.expected}.`));
  return body;
}

const eventsOf = (value: unknown): readonly string[] | null => (Array.isArray(value) ? value.map(String) : null);

/** Hooks may share an address only while their events do not overlap, and an event has room for so many hooks. */
function checkPlace(state: GithubState, others: readonly Hook[], wanted: Pick<Hook, 'events' | 'config'>): void {
  const overlaps = ({ events }: Hook) =>
    events.includes('*') || wanted.events.includes('*') || events.some((event) => wanted.events.includes(event));
  if (others.some((hook) => hook.config.url === wanted.config.url && overlaps(hook))) {
    throw refuseWith(
      failure(422, 'Validation Failed', {
        errors: [{ resource: 'Hook', code: 'custom', message: 'Hook already exists on this repository' }],
      }),
    );
  }
  const full = wanted.events.find((event) => others.filter(({ events }) => events.includes(event)).length >= state.hooksPerEvent);
  if (full !== undefined) {
    const message = `The "${full}" event cannot have more than ${state.hooksPerEvent} hooks`;
    throw refuseWith(failure(422, 'Validation Failed', { errors: [{ resource: 'Hook', code: 'custom', message }] }));
  }
}

const addressOf = ({ params }: HookCall, { id }: Hook): string => `${origin}/repos/${params.owner}/${params.repo}/hooks/${id}`;

function shown(call: HookCall, hook: Hook): unknown {
  const url = addressOf(call, hook);
  return {
    type: 'Repository',
    name: 'web',
    ...hook,
    config: masked(hook.config),
    url,
    test_url: `${url}/test`,
    ping_url: `${url}/pings`,
    deliveries_url: `${url}/deliveries`,
    last_response: { code: null, status: 'unused', message: null },
  };
}

/**
 * Pages of 30, at most 100; the rest is found by the Link header alone. The real links say `/repositories/<id>/hooks`, a path
 * that the published description does not have.
 */
function page(call: HookCall, hooks: readonly Hook[]): Reply {
  const asked = (name: string, otherwise: number) => {
    const value = Number(call.query.get(name) ?? otherwise);
    return Number.isInteger(value) && value > 0 ? value : otherwise;
  };
  const size = Math.min(asked('per_page', 30), 100);
  const number = asked('page', 1);
  const last = Math.max(1, Math.ceil(hooks.length / size));
  const link = (to: number, rel: string) => `<${origin}${call.path}?per_page=${size}&page=${to}>; rel="${rel}"`;
  const links = [
    ...(number > 1 ? [link(number - 1, 'prev')] : []),
    ...(number < last ? [link(number + 1, 'next'), link(last, 'last')] : []),
    ...(number > 1 ? [link(1, 'first')] : []),
  ];
  const shownHooks = hooks.slice((number - 1) * size, number * size).map((hook) => shown(call, hook));
  return json(200, shownHooks, links.length > 0 ? { link: links.join(', ') } : {});
}
