import {
  bearerOf,
  type Call,
  empty,
  flawsOf,
  Ids,
  makeKit,
  nextStep,
  Refusal,
  type Reply,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from '../kit/index.ts';
import { isMap } from '../kit/json.ts';
import { type ApiKey, type ContentfulState, type ContentfulWorld, drop, type Environment, emptyState, known, type Space } from './state.ts';

export type { ContentfulWorld } from './state.ts';

/**
 * Environments and delivery API keys: https://www.contentful.com/developers/docs/references/content-management-api/, and what its
 * JavaScript client sends (contentful-management 12.18.0).
 */
export function contentful(options: SimulationOptions = {}): Simulation<ContentfulWorld> {
  const kit = makeKit('contentful', options);
  const ids = new Ids('contentful');
  const now = () => new Date(kit.clock.now()).toISOString();
  const one = '/spaces/{space}/environments/{environment}';
  const key = '/spaces/{space}/api_keys/{key}';

  const newEnvironment = (id: string, source: string, given: Partial<Environment> = {}): Environment => ({
    id,
    name: id,
    version: 1,
    createdAt: now(),
    updatedAt: now(),
    source,
    status: 'ready',
    pollsLeft: 0,
    ...given,
  });

  return simulate<ContentfulState, ContentfulWorld>(kit, {
    name: 'contentful',
    origin: 'https://api.contentful.com',
    state: emptyState(),
    blind: emptyState,
    world: (state) => ({
      state,
      addSpace: (id) => {
        const space: Space = {
          id,
          environments: [newEnvironment('master', 'master')],
          aliases: {},
          keys: [],
        };
        state.spaces[id] = space;
        return space;
      },
      addEnvironment: (space, id, given) => {
        const environment = newEnvironment(id, 'master', given);
        known(state, space).environments.push(environment);
        return environment;
      },
      removeEnvironment: (space, id) => drop(known(state, space), id),
      environments: (space) => known(state, space).environments,
      addKey: (space, id, environments) => {
        const apiKey: ApiKey = {
          id,
          name: 'Website',
          description: null,
          version: 1,
          accessToken: ids.text(43),
          ...(environments && { environments: environments.map(linkTo) }),
          policies: [{ effect: 'allow', action: 'all' }],
        };
        known(state, space).keys.push(apiKey);
        return apiKey;
      },
    }),
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? error(403, 'AccessDenied', 'Forbidden').reply
        : error(401, 'AccessTokenInvalid', 'The access token you sent could not be found or is invalid.').reply,
    routes: [
      route('GET', '/spaces/{space}/environments', (call) => {
        const space = spaceOf(call);
        const aliases = Object.entries(space.aliases).flatMap(([alias, target]) => {
          const environment = space.environments.find(({ id }) => id === target);
          return environment ? [shown(space, environment, alias)] : [];
        });
        return page(call, [...space.environments.map((environment) => shown(space, environment)), ...aliases]);
      }),

      route('GET', one, (call) => {
        const space = spaceOf(call);
        const { id, environment } = environmentOf(call, space);
        poll(call.state, environment);
        return answer(200, shown(space, environment, id));
      }),

      route('PUT', one, (call) => {
        const space = spaceOf(call);
        const id = call.params.environment;
        const { name } = bodyOf(call, { fields: { name: 'string' } });
        const version = call.headers.get('x-contentful-version');
        if (Object.hasOwn(space.aliases, id)) throw error(409, 'Conflict', `${id} is an environment alias`);
        const there = space.environments.find((environment) => environment.id === id);
        if (there) {
          if (version !== String(there.version)) throw outdated;
          Object.assign(there, { version: there.version + 1, updatedAt: now(), ...(typeof name === 'string' && { name }) });
          return answer(200, shown(space, there));
        }
        if (version !== null) throw outdated;
        if (!/^[A-Za-z0-9._-]{1,64}$/.test(id)) throw error(422, 'ValidationFailed', 'Validation error');
        const source = call.headers.get('x-contentful-source-environment') ?? 'master';
        const copied = space.aliases[source] ?? source;
        if (!space.environments.some((environment) => environment.id === copied)) throw notFound();
        if (space.environments.length >= call.state.environmentLimit) {
          throw error(403, 'AccessDenied', 'Forbidden', { reasons: 'You have reached the environment limit of your plan.' });
        }
        // The answer comes before the content is copied, always.
        const pollsLeft = Math.max(1, kit.faults.pollsUntilReady);
        const status = call.state.steps[0] ?? 'queued';
        const made = newEnvironment(id, source, { pollsLeft, status, ...(typeof name === 'string' && { name }) });
        space.environments.push(made);
        return answer(201, shown(space, made));
      }),

      route('DELETE', one, (call) => {
        const space = spaceOf(call);
        const { id, environment } = environmentOf(call, space);
        if (id === 'master') throw error(403, 'AccessDenied', 'Forbidden');
        const isAliased = Object.values(space.aliases).includes(environment.id);
        if (isAliased) throw error(409, 'Conflict', 'An environment that is targeted by an alias cannot be deleted.');
        if (environment.pollsLeft > 0 && !call.state.deletesCopies) throw error(409, 'Conflict', 'The environment is being created.');
        drop(space, id);
        return empty();
      }),

      route('GET', '/spaces/{space}/api_keys', (call) =>
        page(
          call,
          spaceOf(call).keys.map((one) => keyAnswer(call, one)),
        ),
      ),
      route('GET', key, (call) => answer(200, keyAnswer(call, keyOf(call)))),

      route('PUT', key, (call) => {
        const apiKey = keyOf(call);
        const body = bodyOf(call, keyShape);
        if (call.headers.get('x-contentful-version') !== String(apiKey.version)) throw outdated;
        const space = spaceOf(call);
        const wanted = linksIn(body.environments);
        const absent = wanted.find((id) => !Object.hasOwn(space.aliases, id) && space.environments.every((one) => one.id !== id));
        if (absent !== undefined) throw error(422, 'UnresolvedLinks', 'The resource could not be resolved', { links: [absent] });
        const { name, description } = body;
        // What is not sent is gone: the whole key is replaced.
        Object.assign(apiKey, { name, description: description ?? null, version: apiKey.version + 1 });
        if (wanted.length > 0) apiKey.environments = wanted.map(linkTo);
        else delete apiKey.environments;
        return answer(200, keyAnswer(call, apiKey));
      }),
    ],
  });
}

type SpaceCall = Call<ContentfulState, { readonly space: string }>;
type EnvironmentCall = Call<ContentfulState, { readonly space: string; readonly environment: string }>;
type KeyCall = Call<ContentfulState, { readonly space: string; readonly key: string }>;

const mediaType = 'application/vnd.contentful.management.v1+json';
const answer = (status: number, body: unknown): Reply => ({ status, body, contentType: mediaType });

const link = <T extends string>(linkType: T, id: string) => ({ sys: { type: 'Link' as const, linkType, id } });
const linkTo = (id: string) => link('Environment', id);

function error(status: number, id: string, message: string, details: Record<string, unknown> = {}): Refusal {
  return new Refusal(answer(status, { sys: { type: 'Error', id }, message, details, requestId: 'b9f2c1' }));
}
const notFound = (): Refusal => error(404, 'NotFound', 'The resource could not be found.');
const outdated = error(409, 'VersionMismatch', 'Please pass sys.version as HTTP header "X-Contentful-Version"');

function spaceOf({ state, params }: SpaceCall): Space {
  const space = state.spaces[params.space];
  if (!space) throw notFound();
  return space;
}

/** An alias answers for what it points to, under its own id. */
function environmentOf({ params: { environment: id } }: EnvironmentCall, space: Space): { id: string; environment: Environment } {
  const target = Object.hasOwn(space.aliases, id) ? space.aliases[id] : id;
  const environment = space.environments.find((one) => one.id === target);
  if (!environment) throw notFound();
  return { id, environment };
}

function keyOf(call: KeyCall): ApiKey {
  const found = spaceOf(call).keys.find(({ id }) => id === call.params.key);
  if (!found) throw notFound();
  return found;
}

function shown(space: Space, { id, name, version, createdAt, updatedAt, status }: Environment, as = id): Record<string, unknown> {
  const aliases = Object.entries(space.aliases).flatMap(([alias, target]) => (target === id ? [link('EnvironmentAlias', alias)] : []));
  const sys = {
    type: 'Environment',
    id: as,
    version,
    space: link('Space', space.id),
    status: link('Status', status),
    createdAt,
    updatedAt,
  };
  return { name, sys: { ...sys, ...(as === id ? { aliases } : { aliasedEnvironment: linkTo(id) }) } };
}

function keyAnswer({ params }: SpaceCall, { id, version, ...rest }: ApiKey): Record<string, unknown> {
  const sys = { type: 'ApiKey', id, version, space: link('Space', params.space) };
  return { ...rest, preview_api_key: link('PreviewApiKey', `preview-${id}`), sys };
}

function page({ query }: SpaceCall, all: readonly unknown[]): Reply {
  const skip = Number(query.get('skip') ?? 0);
  const limit = Math.min(Number(query.get('limit') ?? 25), 1000);
  return answer(200, { sys: { type: 'Array' }, total: all.length, skip, limit, items: all.slice(skip, skip + limit) });
}

/** One read of an environment that is copied. */
function poll(state: ContentfulState, environment: Environment): void {
  if (environment.pollsLeft === 0) return;
  environment.pollsLeft -= 1;
  const next = nextStep(environment, state.steps) ?? 'queued';
  environment.status = environment.pollsLeft === 0 ? state.end : next;
}

const linkShape: Shape = {
  fields: { type: { oneOf: ['Link'] }, linkType: { oneOf: ['Environment'] }, id: 'string' },
  required: ['type', 'linkType', 'id'],
};
const keyShape: Shape = {
  fields: {
    name: 'string',
    description: { nullable: 'string' },
    environments: { list: { fields: { sys: linkShape }, required: ['sys'] } },
  },
  required: ['name'],
};

const linksIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap((one) => (isMap(one) && isMap(one.sys) ? [String(one.sys.id)] : [])) : [];

function bodyOf({ body, contentType }: SpaceCall, shape: Shape): Record<string, unknown> {
  if (contentType !== mediaType || !isMap(body)) {
    throw error(400, 'BadRequest', 'The body you sent is not valid JSON of the management API.');
  }
  const [flaw] = flawsOf(body, shape);
  if (flaw) throw error(422, 'ValidationFailed', 'Validation error', { errors: [{ name: flaw.problem, path: flaw.at }] });
  return body;
}
