import {
  bearerOf,
  type Call,
  empty,
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

/** A database as the provider stores it. */
export interface Database {
  readonly id: string;
  name: string;
  readonly projectId: string;
  branchId: string;
  logicalId: string | null;
  region: string;
  isDefault: boolean;
  readonly createdAt: string;
  readonly source: { readonly type: string; readonly databaseId?: string; readonly backupId?: string };
  /** Looks that still see it being made. */
  pending: number;
  readonly fails: boolean;
  readonly connection: { readonly id: string; readonly password: string };
}

export interface PrismaState {
  /** By id; the first branch is the default one. */
  readonly projects: Record<string, { readonly name: string; readonly branches: string[] }>;
  databases: Database[];
  pageSize: number;
  /** What is made from now on ends as `failure`. */
  fails: boolean;
}

/** State, and what a person does in the console. */
export interface PrismaWorld {
  readonly state: PrismaState;
  /** Returns the ids of its branches, the default one first. */
  addProject(id: string): readonly string[];
  /** Live: changing it is a change from outside. */
  addDatabase(project: string, given: Partial<Database>): Database;
  removeDatabase(id: string): void;
}

const emptyState = (): PrismaState => ({ projects: {}, databases: [], pageSize: 100, fails: false });

/** Databases of the Management API: https://www.prisma.io/docs/postgres/introduction/management-api, with what SDK 1.80.0 adds to it. */
export function prismaPostgres(options: SimulationOptions = {}): Simulation<PrismaWorld> {
  const kit = makeKit('prisma-postgres', options);
  const ids = new Ids('prisma-postgres');
  const newDatabase = (projectId: string, branchId: string, given: Partial<Database>): Database => ({
    id: `db_cmf${ids.text(20)}`,
    name: 'database',
    projectId,
    branchId,
    logicalId: null,
    region: 'us-east-1',
    isDefault: false,
    createdAt: new Date(kit.clock.now()).toISOString(),
    source: { type: 'empty' },
    pending: kit.faults.pollsUntilReady,
    fails: false,
    connection: { id: `con_cmf${ids.text(20)}`, password: `sk_${ids.text(32)}` },
    ...given,
  });

  return simulate<PrismaState, PrismaWorld>(kit, {
    name: 'prisma-postgres',
    origin: 'https://api.prisma.io',
    state: emptyState(),
    blind: emptyState,
    world: (live) => ({
      state: live,
      addProject: (id) => {
        const branches = [`br_cmf${ids.text(20)}`, `br_cmf${ids.text(20)}`];
        live.projects[id] = { name: 'shop', branches };
        return branches;
      },
      addDatabase: (project, given) => {
        const made = newDatabase(project, live.projects[project]?.branches[0] ?? '', given);
        live.databases.push(made);
        return made;
      },
      removeDatabase: (id) => {
        live.databases = live.databases.filter((one) => one.id !== id);
      },
    }),
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? json(403, error('forbidden', 'The token may not change this.'))
        : json(401, error('unauthorized', 'Invalid token.')),
    routes: [
      route('GET', '/v1/databases', (call) => list(call)),
      route('POST', '/v1/databases', (call) => {
        const body = bodyOf(call, createShape);
        const projectId = projectOf(call, body.projectId);
        const branchId = branchOf(call, projectId, body);
        const logicalId = body.logicalId === undefined ? null : String(body.logicalId);
        if (logicalId === '') throw invalid('logicalId is empty');
        const source = sourceOf(call, body.source);
        if (logicalId !== null && call.state.databases.some((one) => one.branchId === branchId && one.logicalId === logicalId)) {
          throw refuse(409, error('conflict', 'A database with the same logicalId already exists on the branch.'));
        }
        const region = body.region === undefined || body.region === 'inherit' ? 'us-east-1' : String(body.region);
        const made = newDatabase(projectId, branchId, {
          ...{ name: String(body.name ?? 'database'), logicalId, region, source },
          fails: call.state.fails,
        });
        call.state.databases.push(made);
        return json(201, { data: shown(call, made, true) });
      }),
      route('GET', '/v1/databases/{id}', (call) => {
        const found = databaseOf(call);
        return json(200, { data: looked(call, found) });
      }),
      route('PATCH', '/v1/databases/{id}', (call) => {
        const found = databaseOf(call);
        const { name } = bodyOf(call, { fields: { name: 'string' } });
        if (name !== undefined) found.name = String(name);
        return json(200, { data: shown(call, found, false) });
      }),
      route('DELETE', '/v1/databases/{id}', (call) => {
        const found = databaseOf(call);
        if (found.isDefault) throw refuse(403, error('forbidden', 'Cannot delete the default environment'));
        call.state.databases = call.state.databases.filter((one) => one !== found);
        return empty(204);
      }),
    ],
  });
}

type PrismaCall = Call<PrismaState, unknown>;

const error = (code: string, message: string) => ({ error: { code, message } });
const invalid = (message: string): Refusal => refuse(400, error('validation-error', message));

function projectOf({ state }: PrismaCall, value: unknown): string {
  const bare = String(value);
  const found = [bare, `proj_${bare}`].find((id) => Object.hasOwn(state.projects, id));
  if (found === undefined) throw refuse(404, error('not-found', 'Project not found.'));
  return found;
}

/** The branch of the body or the default one; what makes a database findable goes with the first form alone. */
function branchOf({ state }: PrismaCall, project: string, body: Record<string, unknown>): string {
  const { branches } = state.projects[project] ?? { branches: [] };
  if (body.branchGitName !== undefined && (body.branchId !== undefined || body.logicalId !== undefined)) {
    throw invalid('branchGitName excludes branchId and logicalId');
  }
  const branch = body.branchId === undefined ? branches[0] : branches.find((id) => id === body.branchId);
  if (branch === undefined) throw refuse(404, error('not-found', 'Branch not found.'));
  return branch;
}

function sourceOf({ state }: PrismaCall, source: unknown): Database['source'] {
  if (!isMap(source)) return { type: 'empty' };
  const { type, databaseId, backupId } = source;
  if (type === 'empty') return { type };
  if (type === 'backup' && typeof backupId !== 'string') throw invalid('source.backupId is required');
  const found = state.databases.find(({ id }) => id === databaseId || id === `db_${String(databaseId)}`);
  if (!found) throw refuse(404, error('not-found', 'The source database was not found.'));
  return { type: String(type), databaseId: found.id, ...(type === 'backup' && { backupId: String(backupId) }) };
}

function databaseOf({ params, state }: Call<PrismaState, { readonly id: string }>): Database {
  const found = state.databases.find(({ id }) => id === params.id || id === `db_${params.id}`);
  if (!found) throw refuse(404, error('not-found', 'Database with the given ID was not found.'));
  return found;
}

/** A look brings what is being made a step further. */
function looked(call: PrismaCall, one: Database) {
  const data = shown(call, one, false);
  one.pending = Math.max(0, one.pending - 1);
  return data;
}

/** A database as it is shown: with its secrets in the answer to the create, without them ever after. */
function shown({ state }: PrismaCall, one: Database, withSecrets: boolean) {
  const self = `https://api.prisma.io/v1/databases/${one.id}`;
  const { id, password } = one.connection;
  const endpoint = (host: string, port: number) => ({
    host,
    port,
    ...(withSecrets && { connectionString: `postgres://prisma:${password}@${host}:${port}/postgres?sslmode=require` }),
  });
  const connection = {
    id,
    type: 'connection',
    url: `https://api.prisma.io/v1/connections/${id}`,
    name: 'default',
    createdAt: one.createdAt,
    kind: 'postgres',
    endpoints: { direct: endpoint('db.prisma.io', 5432), pooled: endpoint('pooled.db.prisma.io', 5432) },
    ...(withSecrets && { directConnection: { host: 'db.prisma.io', user: 'prisma', pass: password } }),
    database: { id: one.id, url: self, name: one.name },
  };
  return {
    id: one.id,
    type: 'database',
    url: self,
    name: one.name,
    status: one.pending > 0 ? 'provisioning' : one.fails ? 'failure' : 'ready',
    createdAt: one.createdAt,
    isDefault: one.isDefault,
    defaultConnectionId: id,
    connections: [connection],
    project: {
      id: one.projectId,
      url: `https://api.prisma.io/v1/projects/${one.projectId}`,
      name: state.projects[one.projectId]?.name ?? '',
    },
    region: { id: one.region, name: one.region },
    source: one.source,
    branchId: one.branchId,
    logicalId: one.logicalId,
  };
}

/** As many as a page holds; the cursor is the id of the last one. */
function list(call: PrismaCall): Reply {
  const { query, state } = call;
  const asked = Number(query.get('limit') ?? 100);
  if (!Number.isInteger(asked) || asked < 1) throw invalid('limit must be a positive number');
  const project = query.get('projectId');
  const bare = (id: string) => id.replace(/^proj_/, '');
  const known = Object.keys(state.projects);
  if (known.length === 0 || (project !== null && !known.some((id) => bare(id) === bare(project)))) {
    throw refuse(403, error('forbidden', 'Actor does not have access to the requested databases.'));
  }
  const all = state.databases.filter(
    (one) =>
      (project === null || bare(one.projectId) === bare(project)) &&
      ['logicalId', 'branchId'].every((name) => !query.has(name) || Reflect.get(one, name) === query.get(name)),
  );
  const cursor = query.get('cursor');
  const from = cursor === null ? 0 : all.findIndex(({ id }) => id === cursor) + 1;
  const page = all.slice(from, from + Math.min(asked, state.pageSize));
  const hasMore = from + page.length < all.length;
  const data = page.map((one) => looked(call, one));
  return json(200, { data, pagination: { hasMore, nextCursor: hasMore ? (page.at(-1)?.id ?? null) : null } });
}

const regions = ['us-east-1', 'us-west-1', 'eu-west-3', 'eu-central-1', 'ap-northeast-1', 'ap-southeast-1', 'inherit'];
const createShape: Shape = {
  fields: {
    projectId: 'string',
    region: { oneOf: regions },
    name: 'string',
    isDefault: 'boolean',
    source: {
      fields: { type: { oneOf: ['empty', 'backup', 'database'] }, databaseId: 'string', backupId: 'string' },
      required: ['type'],
    },
    branchId: 'string',
    branchGitName: 'string',
    logicalId: 'string',
  },
  required: ['projectId'],
};

function bodyOf({ body, contentType }: PrismaCall, shape: Shape): Record<string, unknown> {
  if (contentType !== 'application/json' || !isMap(body)) throw invalid('the body is not a JSON object');
  const [flaw] = flawsOf(body, shape);
  if (flaw) throw invalid(`${flaw.at}: ${flaw.problem}`);
  if (body.name === '') throw invalid('name is empty');
  return body;
}
