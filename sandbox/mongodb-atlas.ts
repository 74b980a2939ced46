import { createHash } from 'node:crypto';
import * as checks from './checks.ts';
import {
  type Call,
  flawsOf,
  Ids,
  makeKit,
  Refusal,
  type Reply,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
  type Tokens,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

export interface DatabaseUser {
  readonly databaseName: string;
  readonly username: string;
  /** Never shown. */
  password: string;
  roles: readonly Readonly<Record<string, unknown>>[];
  scopes: readonly Readonly<Record<string, unknown>>[];
  labels: readonly Readonly<Record<string, unknown>>[];
  description?: string;
}

export interface Project {
  users: DatabaseUser[];
}

export interface AtlasState {
  /** By id. */
  readonly projects: Record<string, Project>;
  userLimit: number;
}

/** State, and what a person does in the console. */
export interface AtlasWorld {
  readonly state: AtlasState;
  /** The user name of every key here; its private key is the token. */
  readonly publicKey: string;
  /** Live: changing it is a change from outside. */
  addProject(id: string): Project;
  addUser(project: string, user: Partial<DatabaseUser> & Pick<DatabaseUser, 'username'>): DatabaseUser;
  removeUser(project: string, username: string): void;
}

const publicKey = 'abcdwxyz';
const mediaType = 'application/vnd.atlas.2023-01-01+json';
const emptyState = (): AtlasState => ({ projects: {}, userLimit: 100 });

/**
 * Database users of a project: https://www.mongodb.com/docs/api/doc/atlas-admin-api-v2. The status of a project that is full is not
 * documented; here it is 400, which is.
 */
export function mongodbAtlas(options: SimulationOptions = {}): Simulation<AtlasWorld> {
  const kit = makeKit('mongodb-atlas', options);
  const guard = digestGuard(kit.tokens);
  const users = '/api/atlas/v2/groups/{project}/databaseUsers';

  return simulate<AtlasState, AtlasWorld>(kit, {
    name: 'mongodb-atlas',
    origin: 'https://cloud.mongodb.com',
    state: emptyState(),
    blind: emptyState,
    world: (live) => {
      const projectIn = (id: string): Project => {
        const found = live.projects[id];
        if (!found) throw new Error(`the world has no project ${id}`);
        return found;
      };
      return {
        state: live,
        publicKey,
        addProject: (id) => {
          live.projects[id] = { users: [] };
          return projectIn(id);
        },
        addUser: (project, given) => {
          const made: DatabaseUser = { databaseName: 'admin', password: 'theirs-and-secret', roles: [], scopes: [], labels: [], ...given };
          projectIn(project).users.push(made);
          return made;
        },
        removeUser: (project, username) => {
          const found = projectIn(project);
          found.users = found.users.filter((one) => one.username !== username);
        },
      };
    },
    tokens: kit.tokens,
    checks: checks.mongodbAtlas,
    credential: ({ headers }) => headers.get('authorization'),
    tokenOf: (_, call) => guard.tokenOf(call),
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? failure(403, 'USER_UNAUTHORIZED', 'Current user is not authorized to perform this action.')
        : {
            ...failure(401, 'UNAUTHORIZED', 'You are not authorized for this resource.'),
            headers: { 'www-authenticate': guard.challenge() },
          },
    routes: [
      route('GET', users, (call) => {
        const { query } = call;
        const { users: all } = projectOf(call);
        const size = numberIn(query, 'itemsPerPage', 100, 500);
        const page = numberIn(query, 'pageNum', 1, Number.MAX_SAFE_INTEGER);
        const results = all.slice((page - 1) * size, page * size).map(shown);
        return answer(200, { links: [], results, totalCount: all.length });
      }),
      route('POST', users, (call) => {
        const project = projectOf(call);
        const body = bodyOf(call);
        const { databaseName, username } = body;
        if (databaseName !== 'admin') throw refused(400, 'INVALID_ATTRIBUTE', 'Users with a password authenticate against admin.');
        if (body.password === undefined) throw refused(400, 'MISSING_ATTRIBUTE', 'The required attribute password was not specified.');
        if (project.users.some((one) => one.username === username && one.databaseName === databaseName)) {
          throw refused(409, 'USER_ALREADY_EXISTS', `The user ${String(username)} already exists in the project.`);
        }
        if (project.users.length >= call.state.userLimit) throw refused(400, 'TOO_MANY_USERS', 'The project has no room for another user.');
        const blank: DatabaseUser = { databaseName: 'admin', username: String(username), password: '', roles: [], scopes: [], labels: [] };
        const made = Object.assign(blank, settable(body));
        project.users.push(made);
        return answer(201, shown(made));
      }),
      route('GET', `${users}/{database}/{username}`, (call) => answer(200, shown(userOf(call)))),
      route('PATCH', `${users}/{database}/{username}`, (call) => {
        const found = userOf(call);
        const body = bodyOf(call);
        if (body.username !== found.username || body.databaseName !== found.databaseName) {
          throw refused(400, 'ATTRIBUTE_READ_ONLY', 'username and databaseName cannot change.');
        }
        Object.assign(found, settable(body));
        return answer(200, shown(found));
      }),
      route('DELETE', `${users}/{database}/{username}`, (call) => {
        const found = userOf(call);
        const project = projectOf(call);
        project.users = project.users.filter((one) => one !== found);
        return { status: 204 };
      }),
    ],
  });
}

type ProjectCall = Call<AtlasState, { readonly project: string }>;
type UserCall = Call<AtlasState, { readonly project: string; readonly database: string; readonly username: string }>;

const answer = (status: number, body: unknown): Reply => ({ status, body, contentType: mediaType });
const failure = (error: number, errorCode: string, detail: string): Reply => ({
  status: error,
  body: { error, errorCode, detail, reason: errorCode, parameters: [] },
  contentType: 'application/json',
});
const refused = (...given: Parameters<typeof failure>): Refusal => new Refusal(failure(...given));

function projectOf({ params, state, headers }: ProjectCall): Project {
  if (headers.get('accept') !== mediaType) throw refused(406, 'INVALID_VERSION_DATE', 'Invalid accept header or version date.');
  const found = state.projects[params.project];
  if (!found) throw refused(404, 'GROUP_NOT_FOUND', `No group with ID ${params.project} exists.`);
  return found;
}

function userOf(call: UserCall): DatabaseUser {
  const { database, username } = call.params;
  const found = projectOf(call).users.find((one) => one.username === username && one.databaseName === database);
  if (!found) throw refused(404, 'USER_NOT_FOUND', `No user with username ${username} exists.`);
  return found;
}

/** The project is written and never shown. */
const shown = ({ password: _, ...open }: DatabaseUser) => ({
  ...open,
  awsIAMType: 'NONE',
  ldapAuthType: 'NONE',
  oidcAuthType: 'NONE',
  x509Type: 'NONE',
  links: [],
});

const shape: Shape = {
  fields: {
    groupId: 'string',
    databaseName: 'string',
    username: 'string',
    password: 'string',
    description: 'string',
    deleteAfterDate: 'string',
    labels: { list: { fields: { key: 'string', value: 'string' } } },
    roles: {
      list: {
        fields: { roleName: 'string', databaseName: 'string', collectionName: 'string' },
        required: ['roleName', 'databaseName'],
      },
    },
    scopes: { list: { fields: { name: 'string', type: { oneOf: ['CLUSTER', 'DATA_LAKE', 'STREAM'] } }, required: ['name', 'type'] } },
  },
  required: ['groupId', 'databaseName', 'username', 'roles'],
};

function bodyOf({ body, contentType, params }: ProjectCall): Record<string, unknown> {
  if (contentType !== mediaType || !isMap(body)) throw refused(415, 'UNSUPPORTED_MEDIA_TYPE', 'Invalid content type or version date.');
  const [flaw] = flawsOf(body, shape);
  if (flaw) throw refused(400, 'INVALID_ATTRIBUTE', `${flaw.at}: ${flaw.problem}`);
  if (body.groupId !== params.project) throw refused(400, 'INVALID_GROUP_ID', 'groupId is another project than that of the path.');
  const { password } = body;
  if (typeof password === 'string' && password.length < 8)
    throw refused(400, 'PASSWORD_TOO_SHORT', 'The password has fewer than 8 characters.');
  return body;
}

/** What a write sets when it has it, each member whole. */
const settable = (body: Record<string, unknown>): Partial<DatabaseUser> =>
  Object.fromEntries(
    ['password', 'roles', 'scopes', 'labels', 'description'].flatMap((name) => (name in body ? [[name, body[name]]] : [])),
  );

function numberIn(query: URLSearchParams, name: string, otherwise: number, most: number): number {
  const value = Number(query.get(name) ?? otherwise);
  if (!Number.isInteger(value) || value < 1 || value > most) throw refused(400, 'INVALID_QUERY_PARAMETER', `${name} must be 1 to ${most}.`);
  return value;
}

/** RFC 7616 with MD5 and qop=auth: a proof counts for its method, its target and one request. */
function digestGuard(tokens: Tokens) {
  const ids = new Ids('mongodb-atlas-nonce');
  const used = new Map<string, Set<string>>();
  const realm = 'MMS Public API';
  const hash = (...parts: readonly string[]) => createHash('md5').update(parts.join(':')).digest('hex');
  return {
    challenge: (): string => {
      const nonce = ids.text(32);
      used.set(nonce, new Set());
      return `Digest realm="${realm}", domain="", nonce="${nonce}", algorithm=MD5, qop="auth", stale=false`;
    },
    /** The private key that the proof was made with, `null` when it proves nothing. */
    tokenOf: ({ headers, method, path, query }: Call<AtlasState>): string | null => {
      const header = headers.get('authorization') ?? '';
      const given = (name: string) => new RegExp(`[ ,]${name}=(?:"([^"]*)"|([^ ,"]*))`).exec(header)?.slice(1).find(Boolean) ?? '';
      const [nonce, count, uri] = [given('nonce'), given('nc'), given('uri')];
      const counts = used.get(nonce);
      const target = query.size > 0 ? `${path}?${query.toString()}` : path;
      if (!header.startsWith('Digest ') || given('username') !== publicKey || counts === undefined || counts.has(count)) return null;
      if (uri !== target || given('qop') !== 'auth') return null;
      const asked = hash(method, uri);
      const made = (token: string) => hash(hash(publicKey, realm, token), nonce, count, given('cnonce'), 'auth', asked);
      const token = Object.values(tokens).find((one) => made(one) === given('response'));
      if (token === undefined) return null;
      counts.add(count);
      return token;
    },
  };
}
