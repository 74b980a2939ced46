import * as checks from './checks.ts';
import {
  type Call,
  empty,
  flawsOf,
  Ids,
  json,
  makeKit,
  Refusal,
  type Reply,
  refuse,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** An environment as the provider stores it. */
export interface FlagsmithEnvironment {
  readonly id: number;
  readonly uuid: string;
  api_key: string;
  name: string;
  readonly project: number;
  description: string | null;
  minimum_change_request_approvals: number | null;
  allow_client_traits: boolean;
  banner_text: string | null;
  banner_colour: string | null;
  hide_disabled_flags: boolean | null;
  hide_sensitive_data: boolean;
  use_identity_composite_key_for_hashing: boolean;
  use_identity_overrides_in_local_eval: boolean;
  readonly use_v2_feature_versioning: boolean;
  metadata: readonly Record<string, unknown>[];
}

export interface FlagsmithState {
  readonly projects: number[];
  environments: FlagsmithEnvironment[];
  /** A delete keeps them, and nobody sees them again. */
  readonly deleted: FlagsmithEnvironment[];
  /** Model fields of metadata that the organisation requires of every environment. */
  readonly required: number[];
  /** Whether the key has a role in the projects; without one its lists are empty and objects are forbidden, not absent. */
  readonly isMember: boolean;
}

/** State, and what a person does in the dashboard. */
export interface FlagsmithWorld {
  readonly state: FlagsmithState;
  addProject(id: number): void;
  /** Nothing is checked. */
  addEnvironment(project: number, name: string): FlagsmithEnvironment;
}

const pageSize = { usual: 10, most: 999 };

/**
 * Environments of a project: https://api.flagsmith.com/api/v1/docs/ (vendor's description; the list's parameter, its page size and
 * the duplicate from the server's source, read 2026-11-21). Django REST framework words the refusals.
 */
export function flagsmith(options: SimulationOptions = {}): Simulation<FlagsmithWorld> {
  const kit = makeKit('flagsmith', options);
  const ids = new Ids('flagsmith');
  const state: FlagsmithState = { projects: [], environments: [], deleted: [], required: [], isMember: true };
  const list = '/api/v1/environments/';

  const newEnvironment = (project: number, name: string): FlagsmithEnvironment => ({
    id: 40_000 + ids.next(),
    uuid: ids.uuid(),
    api_key: ids.text(22, 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'),
    name,
    project,
    description: null,
    minimum_change_request_approvals: null,
    allow_client_traits: true,
    banner_text: null,
    banner_colour: null,
    hide_disabled_flags: null,
    hide_sensitive_data: false,
    use_identity_composite_key_for_hashing: true,
    use_identity_overrides_in_local_eval: true,
    use_v2_feature_versioning: false,
    metadata: [],
  });

  return simulate<FlagsmithState, FlagsmithWorld>(kit, {
    name: 'flagsmith',
    origin: 'https://api.flagsmith.com',
    basePath: '/api/v1',
    state,
    blind: () => ({ ...structuredClone(state), isMember: false }),
    world: (live) => ({
      state: live,
      addProject: (id) => {
        live.projects.push(id);
      },
      addEnvironment: (project, name) => {
        const environment = newEnvironment(project, name);
        live.environments.push(environment);
        return environment;
      },
    }),
    tokens: kit.tokens,
    checks: checks.flagsmith,
    credential: ({ headers }) => /^Api-Key (.+)$/.exec(headers.get('authorization') ?? '')?.[1] ?? null,
    refuseCredential: (_, why) => {
      if (why === 'read-only') return forbidden;
      return json(401, { detail: why === 'wrong' ? 'Valid Master API Key not found.' : 'Authentication credentials were not provided.' });
    },
    routes: [
      route('GET', list, (call) => listed(call)),
      route('POST', list, (call) => {
        const body = bodyOf(call, ['name', 'project']);
        const project = projectOf(call.state, body.project);
        checkMay(call.state);
        const name = String(body.name);
        checkName(call.state, project, name, null);
        checkMetadata(call.state, body.metadata);
        const environment = Object.assign(newEnvironment(project, name), body, { project });
        call.state.environments.push(environment);
        return json(201, shown(environment));
      }),
      route('GET', `${list}{key}/`, (call) => json(200, { ...shown(environmentOf(call)), total_segment_overrides: 0 })),
      route('PUT', `${list}{key}/`, (call) => change(call, ['name'])),
      route('PATCH', `${list}{key}/`, (call) => change(call, [])),
      route('DELETE', `${list}{key}/`, (call) => {
        const environment = environmentOf(call);
        call.state.environments = call.state.environments.filter((other) => other !== environment);
        call.state.deleted.push(environment);
        return empty();
      }),
    ],
  });
}

const forbidden = json(403, { detail: 'You do not have permission to perform this action.' });

function checkMay({ isMember }: FlagsmithState): void {
  if (!isMember) throw new Refusal(forbidden);
}

type KeyCall = Call<FlagsmithState, { readonly key: string }>;

/** `use_mv_v2_evaluation` stays in answers under its old name, so that old clients go on. */
const shown = (environment: FlagsmithEnvironment) => ({
  ...environment,
  use_mv_v2_evaluation: environment.use_identity_composite_key_for_hashing,
  is_creating: false,
});

/** Ten a page unless asked, in the order they were made; a page beyond the last is a 404. */
function listed({ state, query, path }: Call<FlagsmithState, unknown>): Reply {
  const project = state.projects.find((id) => String(id) === query.get('project'));
  if (project === undefined) throw refuse(400, ['Invalid or missing value for project parameter.']);
  const found = state.environments.filter((one) => state.isMember && one.project === project);
  const asked = Number(query.get('page_size') ?? pageSize.usual);
  const size = Number.isInteger(asked) && asked > 0 ? Math.min(asked, pageSize.most) : pageSize.usual;
  const last = Math.max(1, Math.ceil(found.length / size));
  const page = Number(query.get('page') ?? 1);
  if (!Number.isInteger(page) || page < 1 || page > last) throw refuse(404, { detail: 'Invalid page.' });
  const urlOf = (number: number) =>
    `https://api.flagsmith.com${path}?${new URLSearchParams({ page: String(number), ...Object.fromEntries([...query].filter(([name]) => name !== 'page')) })}`;
  return json(200, {
    count: found.length,
    next: page < last ? urlOf(page + 1) : null,
    previous: page > 1 ? urlOf(page - 1) : null,
    results: found.slice((page - 1) * size, page * size).map(shown),
  });
}

function environmentOf({ state, params }: KeyCall): FlagsmithEnvironment {
  const environment = state.environments.find(({ api_key }) => api_key === params.key);
  if (!environment) throw refuse(404, { detail: 'No Environment matches the given query.' });
  checkMay(state);
  return environment;
}

/** The project of an environment is fixed: one that is sent is taken and ignored. */
function change(call: KeyCall, required: readonly string[]): Reply {
  const environment = environmentOf(call);
  const { project: _, ...body } = bodyOf(call, required);
  if (typeof body.name === 'string') checkName(call.state, environment.project, body.name, environment);
  // Metadata that a request does not name go (api/metadata/serializers.py), a PATCH included.
  checkMetadata(call.state, body.metadata);
  const given = (Array.isArray(body.metadata) ? body.metadata : []) as readonly { readonly model_field?: unknown }[];
  const metadata = given.map((one) => ({ ...environment.metadata.find((old) => old.model_field === one.model_field), ...one }));
  Object.assign(environment, body, { metadata });
  return json(200, shown(environment));
}

function checkMetadata({ required }: FlagsmithState, sent: unknown): void {
  const given = (Array.isArray(sent) ? sent : []) as readonly { readonly model_field?: unknown }[];
  if (required.some((field) => !given.some((one) => one.model_field === field)))
    throw refuse(400, { metadata: ['Missing required metadata field'] });
}

function projectOf({ projects }: FlagsmithState, value: unknown): number {
  const project = projects.find((id) => id === value);
  if (project === undefined) throw refuse(400, { project: [`Invalid pk "${String(value)}" - object does not exist.`] });
  return project;
}

function checkName({ environments }: FlagsmithState, project: number, name: string, self: FlagsmithEnvironment | null): void {
  if (environments.some((other) => other !== self && other.project === project && other.name === name))
    throw refuse(400, { non_field_errors: ['An environment with this name already exists.'] });
}

const writable: { readonly [name: string]: { readonly shape: Shape; readonly longest?: number } } = {
  name: { shape: 'string', longest: 2000 },
  api_key: { shape: 'string', longest: 100 },
  description: { shape: { nullable: 'string' }, longest: 20_000 },
  project: { shape: 'integer' },
  allow_client_traits: { shape: 'boolean' },
  banner_text: { shape: { nullable: 'string' }, longest: 255 },
  banner_colour: { shape: { nullable: 'string' }, longest: 7 },
  hide_disabled_flags: { shape: { nullable: 'boolean' } },
  hide_sensitive_data: { shape: 'boolean' },
  use_identity_composite_key_for_hashing: { shape: 'boolean' },
  use_identity_overrides_in_local_eval: { shape: 'boolean' },
  metadata: {
    shape: { list: { fields: { model_field: 'integer', field_value: 'string' }, required: ['model_field', 'field_value'], open: true } },
  },
};

/** What may be written of the body: read-only and unknown members are ignored, outer spaces of texts go, and an empty text is refused. */
function bodyOf({ body, contentType }: Call<FlagsmithState, unknown>, required: readonly string[]): Record<string, unknown> {
  if (contentType !== 'application/json') throw refuse(415, { detail: `Unsupported media type "${contentType}" in request.` });
  if (!isMap(body)) throw refuse(400, { non_field_errors: ['Invalid data. Expected a dictionary.'] });
  const flaws: Record<string, string[]> = {};
  for (const name of required) if (body[name] === undefined) flaws[name] = ['This field is required.'];
  const taken: Record<string, unknown> = {};
  for (const [name, { shape, longest }] of Object.entries(writable)) {
    if (!Object.hasOwn(body, name)) continue;
    const value = typeof body[name] === 'string' ? body[name].trim() : body[name];
    if (flawsOf(value, shape).length > 0) flaws[name] = ['Not a valid value.'];
    else if (value === '') flaws[name] = ['This field may not be blank.'];
    else if (typeof value === 'string' && longest !== undefined && value.length > longest)
      flaws[name] = [`Ensure this field has no more than ${longest} characters.`];
    else taken[name] = value;
  }
  if (Object.keys(flaws).length > 0) throw refuse(400, flaws);
  return taken;
}
