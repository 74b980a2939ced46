import * as checks from './checks.ts';
import {
  bearerOf,
  type Call,
  flawsOf,
  json,
  makeKit,
  type Reply,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

export interface Cluster {
  /** Databases by name, with what somebody put into them. */
  readonly databases: Record<string, { readonly name: string; tables: number }>;
  readonly users: Record<string, { readonly name: string; password: string }>;
  /** Still being made: nothing in it can be asked for. */
  provisioning: boolean;
}

export interface CockroachState {
  /** By id. */
  readonly clusters: Record<string, Cluster>;
  pageSize: number;
}

/** State, and what a person does in the console. */
export interface CockroachWorld {
  readonly state: CockroachState;
  /** Live: changing it is a change from outside. */
  addCluster(id: string): Cluster;
}

/**
 * Databases and SQL users of a cluster: https://www.cockroachlabs.com/docs/api/cloud/v1. How a second one of a name is refused is not
 * documented: here as a gateway of gRPC does it, 409 with the code 6.
 */
export function cockroachdb(options: SimulationOptions = {}): Simulation<CockroachWorld> {
  const kit = makeKit('cockroachdb', options);
  const cluster = '/api/v1/clusters/{cluster}';

  return simulate<CockroachState, CockroachWorld>(kit, {
    name: 'cockroachdb',
    origin: 'https://cockroachlabs.cloud',
    state: { clusters: {}, pageSize: 100 },
    blind: () => ({ clusters: {}, pageSize: 100 }),
    world: (live) => ({
      state: live,
      addCluster: (id) => {
        const made: Cluster = { databases: {}, users: {}, provisioning: false };
        live.clusters[id] = made;
        return live.clusters[id] ?? made;
      },
    }),
    tokens: kit.tokens,
    checks: checks.cockroachdb,
    credential: bearerOf,
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? json(403, status(7, 'the service account has no permission to edit this cluster'))
        : json(401, status(16, 'invalid or missing API key')),
    routes: [
      route('GET', `${cluster}/databases`, (call) =>
        page(call, 'databases', Object.values(clusterOf(call).databases), ({ name, tables }) => ({ name, table_count: String(tables) })),
      ),
      route('POST', `${cluster}/databases`, (call) => {
        const { databases } = clusterOf(call);
        const { name } = bodyOf(call, ['name']);
        if (Object.hasOwn(databases, name)) throw taken('database', name);
        databases[name] = { name, tables: 0 };
        return json(200, { name, table_count: '0' });
      }),
      route('DELETE', `${cluster}/databases/{name}`, (call) => {
        const { databases } = clusterOf(call);
        const found = Object.hasOwn(databases, call.params.name) ? databases[call.params.name] : undefined;
        if (!found) throw absent('database', call.params.name);
        delete databases[call.params.name];
        return json(200, { name: found.name, table_count: String(found.tables) });
      }),
      route('GET', `${cluster}/sql-users`, (call) => page(call, 'users', Object.values(clusterOf(call).users), ({ name }) => ({ name }))),
      route('POST', `${cluster}/sql-users`, (call) => {
        const { users } = clusterOf(call);
        const { name: sent, password } = bodyOf(call, ['name', 'password']);
        // The SQL layer folds names (pkg/security/username/username.go).
        const name = sent.normalize('NFC').toLowerCase();
        if (!/^[A-Za-z0-9_][A-Za-z0-9._-]{0,62}$/.test(name)) throw refuse(400, status(3, `${name} is no name of a user`));
        if (password === '') throw refuse(400, status(3, 'the password is empty'));
        if (Object.hasOwn(users, name)) throw taken('user', name);
        users[name] = { name, password };
        return json(200, { name });
      }),
      route('PUT', `${cluster}/sql-users/{name}/password`, (call) => {
        const { password } = bodyOf(call, ['password']);
        const user = userOf(call);
        user.password = password;
        return json(200, { name: user.name });
      }),
      route('DELETE', `${cluster}/sql-users/{name}`, (call) => {
        const { name } = userOf(call);
        delete clusterOf(call).users[name];
        return json(200, { name });
      }),
    ],
  });
}

type ClusterCall = Call<CockroachState, { readonly cluster: string }>;
type NamedCall = Call<CockroachState, { readonly cluster: string; readonly name: string }>;

const status = (code: number, message: string) => ({ code, message, details: [] });
const taken = (what: string, name: string) => refuse(409, status(6, `${what} ${name} already exists`));
const absent = (what: string, name: string) => refuse(404, status(5, `${what} ${name} was not found`));

function clusterOf({ params, state }: ClusterCall): Cluster {
  const found = state.clusters[params.cluster];
  if (!found || found.provisioning) throw absent('cluster', params.cluster);
  return found;
}

function userOf(call: NamedCall) {
  const { users } = clusterOf(call);
  const found = Object.hasOwn(users, call.params.name) ? users[call.params.name] : undefined;
  if (!found) throw absent('user', call.params.name);
  return found;
}

type BodyOf<K extends string> = { readonly [name in K]: string };

/** A body of texts, each of which must be there; another one is refused. */
function bodyOf<K extends string>({ body, contentType }: ClusterCall, names: readonly K[]): BodyOf<K> {
  const fields = Object.fromEntries(names.map((name) => [name, 'string'] as const));
  const [flaw] =
    contentType === 'application/json' ? flawsOf(body, { fields, required: names }) : [{ at: 'the content type', problem: 'type' }];
  if (flaw) throw refuse(400, status(3, `${flaw.at}: ${flaw.problem}`));
  return Object.fromEntries(names.map((name) => [name, isMap(body) ? String(body[name]) : ''])) as BodyOf<K>;
}

/** Names in ascending order, as many as a page holds; the cursor of the last page is an empty text. */
function page<T extends { readonly name: string }>(call: ClusterCall, member: string, all: readonly T[], show: (one: T) => unknown): Reply {
  const asked = Number(call.query.get('pagination.limit') ?? call.state.pageSize);
  if (!Number.isInteger(asked) || asked < 1) throw refuse(400, status(3, 'pagination.limit must be a positive number'));
  const size = Math.min(asked, call.state.pageSize);
  const after = call.query.get('pagination.page') ?? '';
  const sorted = [...all].sort((one, other) => (one.name < other.name ? -1 : 1)).filter(({ name }) => name > after);
  const shown = sorted.slice(0, size);
  const next = sorted.length > size ? (shown.at(-1)?.name ?? '') : '';
  return json(200, { [member]: shown.map(show), pagination: { next_page: next } });
}
