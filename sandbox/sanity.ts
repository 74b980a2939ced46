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

export interface SanityDataset {
  readonly name: string;
  aclMode: string;
  description?: string | null;
  readonly createdAt: string;
  readonly createdByUserId: string;
  readonly addonFor: null;
  readonly datasetProfile: string;
  readonly features: readonly string[];
  tags: readonly { readonly name: string; readonly title: string }[];
}

export interface SanityOrigin {
  readonly id: number;
  readonly origin: string;
  allowCredentials: boolean;
  readonly projectId: string;
  readonly createdAt: string;
  updatedAt: string | null;
  deletedAt: string | null;
}

export interface SanityProject {
  datasets: SanityDataset[];
  origins: SanityOrigin[];
}

export interface SanityState {
  /** By project id. */
  readonly projects: Record<string, SanityProject>;
  datasetLimit: number;
}

/** State, and what a person does in the project's settings. */
export interface SanityWorld {
  readonly state: SanityState;
  addProject(id: string): SanityProject;
  addDataset(project: string, name: string): SanityDataset;
  removeDataset(project: string, name: string): void;
  /** Nothing is checked. */
  addOrigin(project: string, origin: string): SanityOrigin;
  removeOrigin(project: string, origin: string): void;
}

/**
 * Datasets and CORS origins of a project: https://www.sanity.io/docs/http-reference/projects-api. A dataset is made by PUT under its
 * name and shown whole only in the list; an origin has no update and goes by its number.
 */
export function sanity(options: SimulationOptions = {}): Simulation<SanityWorld> {
  const kit = makeKit('sanity', options);
  const ids = new Ids('sanity');
  const time = () => new Date(kit.clock.now()).toISOString();
  const makeDataset = (name: string, given: Partial<SanityDataset> = {}): SanityDataset => ({
    name,
    aclMode: 'public',
    createdAt: time(),
    createdByUserId: `p${ids.text(8)}`,
    addonFor: null,
    datasetProfile: 'content',
    features: [],
    tags: [],
    ...given,
  });
  const makeOrigin = (projectId: string, origin: string, allowCredentials: boolean): SanityOrigin => ({
    id: 40_000 + ids.next(),
    origin,
    allowCredentials,
    projectId,
    createdAt: time(),
    updatedAt: null,
    deletedAt: null,
  });
  const datasets = '/v2021-06-07/projects/{project}/datasets';
  const cors = '/v2021-06-07/projects/{project}/cors';

  return simulate<SanityState, SanityWorld>(kit, {
    name: 'sanity',
    origin: 'https://api.sanity.io',
    basePath: '/v2021-06-07',
    state: { projects: {}, datasetLimit: 20 },
    blind: () => ({ projects: {}, datasetLimit: 20 }),
    world: (live) => ({
      state: live,
      addProject: (id) => {
        const project: SanityProject = { datasets: [makeDataset('production')], origins: [] };
        live.projects[id] = project;
        return project;
      },
      addDataset: (project, name) => {
        const dataset = makeDataset(name);
        live.projects[project]?.datasets.push(dataset);
        return dataset;
      },
      removeDataset: (project, name) => {
        const found = live.projects[project];
        if (found) found.datasets = found.datasets.filter((one) => one.name !== name);
      },
      addOrigin: (project, origin) => {
        const made = makeOrigin(project, origin, false);
        live.projects[project]?.origins.push(made);
        return made;
      },
      removeOrigin: (project, origin) => {
        const found = live.projects[project];
        if (found) found.origins = found.origins.filter((one) => one.origin !== origin);
      },
    }),
    tokens: kit.tokens,
    checks: checks.sanity,
    credential: bearerOf,
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? json(403, failure(403, 'Forbidden', 'Insufficient permissions'))
        : json(401, failure(401, 'Unauthorized', 'Session not found')),
    routes: [
      route('GET', datasets, (call) => json(200, projectOf(call).datasets.map(listed))),
      route('PUT', `${datasets}/{name}`, (call) => {
        const project = projectOf(call);
        const { name } = call.params;
        const body = datasetBody(call);
        if (!/^[a-z0-9~][a-z0-9_-]{0,63}$/.test(name)) throw refusal(400, 'Bad Request', 'Dataset name is not valid');
        if (project.datasets.some((one) => one.name === name)) throw refusal(409, 'Conflict', `Dataset "${name}" already exists`);
        // A plan has so many datasets; how one more is answered is not documented.
        if (project.datasets.length >= call.state.datasetLimit)
          throw refusal(402, 'Payment Required', 'The plan has no room for another dataset');
        const dataset = makeDataset(name, body);
        project.datasets.push(dataset);
        return json(200, written(dataset));
      }),
      route('PATCH', `${datasets}/{name}`, (call) => {
        const dataset = datasetOf(call);
        Object.assign(dataset, datasetBody(call));
        return json(200, written(dataset));
      }),
      route('DELETE', `${datasets}/{name}`, (call) => {
        const dataset = datasetOf(call);
        const project = projectOf(call);
        project.datasets = project.datasets.filter((one) => one !== dataset);
        return json(200, { deleted: true });
      }),
      route('GET', cors, (call) => json(200, projectOf(call).origins)),
      route('POST', cors, (call) => {
        const project = projectOf(call);
        const { origin, allowCredentials } = mapOf(call, { origin: 'string', allowCredentials: 'boolean' }, ['origin', 'allowCredentials']);
        if (!isOrigin(String(origin))) throw refusal(400, 'Bad Request', 'Invalid origin');
        const isThere = project.origins.some((one) => one.origin === origin && one.deletedAt === null);
        if (isThere) throw refusal(409, 'Conflict', 'Origin already exists');
        const made = makeOrigin(call.params.project, String(origin), allowCredentials === true);
        project.origins.push(made);
        return json(201, made);
      }),
      route('DELETE', `${cors}/{id}`, (call) => {
        const project = projectOf(call);
        const found = project.origins.find(({ id }) => String(id) === call.params.id);
        if (!found) throw refusal(404, 'Not Found', 'Origin not found');
        project.origins = project.origins.filter((one) => one !== found);
        return empty();
      }),
    ],
  });
}

type ProjectCall = Call<SanityState, { readonly project: string; readonly name?: string; readonly id?: string }>;

const failure = (statusCode: number, error: string, message: string) => ({ statusCode, error, message });
const refusal = (statusCode: number, error: string, message: string): Refusal => refuse(statusCode, failure(statusCode, error, message));

/** The list leaves a description out that was taken away. */
const listed = ({ description, ...dataset }: SanityDataset) => ({ ...dataset, ...(typeof description === 'string' && { description }) });

/** What a write of a dataset answers: less than the list, and under another name. */
const written = ({ name, aclMode, description }: SanityDataset) => ({
  datasetName: name,
  aclMode,
  ...(description !== undefined && { description }),
});

function projectOf({ params, state }: ProjectCall): SanityProject {
  const project = state.projects[params.project];
  // Whether a project exists is told only to its members.
  if (!project) throw refusal(403, 'Forbidden', 'You are not a member of this project');
  return project;
}

function datasetOf(call: ProjectCall): SanityDataset {
  const dataset = projectOf(call).datasets.find(({ name }) => name === call.params.name);
  if (!dataset) throw refusal(404, 'Not Found', 'Dataset not found');
  return dataset;
}

function mapOf(call: ProjectCall, fields: Readonly<Record<string, Shape>>, required: readonly string[]): Record<string, unknown> {
  const body = call.body ?? {};
  if ((call.body !== null && call.contentType !== 'application/json') || !isMap(body)) {
    throw refusal(400, 'Bad Request', 'The body is not a JSON object');
  }
  const [flaw] = flawsOf(body, { fields, required });
  if (flaw) throw refusal(400, 'Bad Request', `"${flaw.at.slice(1)}" is ${flaw.problem}: ${flaw.expected}`);
  return body;
}

function datasetBody(call: ProjectCall): Partial<SanityDataset> {
  const embeddings: Shape = { fields: { enabled: 'boolean', projection: 'string' }, required: ['enabled'] };
  const aclModes: Shape = { oneOf: ['public', 'private', 'custom'] };
  const { aclMode, description } = mapOf(call, { aclMode: aclModes, description: { nullable: 'string' }, embeddings }, []);
  return {
    ...(aclMode !== undefined && { aclMode: String(aclMode) }),
    ...(description !== undefined && { description: description === null ? null : String(description) }),
  };
}

/** Scheme and host; a path is refused. */
function isOrigin(text: string): boolean {
  if (text === '*' || text === 'null') return true;
  const url = URL.parse(text.replaceAll('*', 'x'));
  return url !== null && url.host !== '' && /^\/?$/.test(url.pathname) && !text.endsWith('/');
}
