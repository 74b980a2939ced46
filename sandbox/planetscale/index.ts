import * as checks from '../checks.ts';
import {
  type Call,
  empty,
  flawsOf,
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
} from '../kit/index.ts';
import { isMap } from '../kit/json.ts';
import { branchAnswer, pageAnswer, passwordAnswer } from './answers.ts';
import { type Branch, type Database, emptyState, Maker, type Password, type PlanetscaleState, poll } from './state.ts';

export type { Branch, Password, PlanetscaleState } from './state.ts';

/** State, and what a person does in the dashboard. */
export interface PlanetscaleWorld {
  readonly state: PlanetscaleState;
  /** The user name that goes before the token, with a colon between them. */
  readonly tokenId: string;
  addDatabase(path: string, kind?: Branch['kind']): Database;
  branches(path?: string): readonly Branch[];
  branch(name: string, path?: string): Branch;
  addBranch(name: string, given?: Partial<Branch>, path?: string): Branch;
  removeBranch(name: string, path?: string): void;
  addPassword(branch: string, name: string, given?: Partial<Password>): Password;
  removePassword(branch: string, isIt: (password: Password) => boolean): void;
}

const tokenId = 'x1y2z3a4b5c6';
const shop = 'acme/shop';
const branches = '/v1/organizations/{organization}/databases/{database}/branches';
const passwords = `${branches}/{branch}/passwords` as const;

/** Branches and passwords of databases: https://planetscale.com/docs/api/reference (2026-11-21). */
export function planetscale(options: SimulationOptions = {}): Simulation<PlanetscaleWorld> {
  const kit = makeKit('planetscale', options);
  const make = new Maker();
  const state = emptyState();
  addDatabase(state, shop, 'mysql');

  function addDatabase(live: PlanetscaleState, path: string, kind: Branch['kind']): Database {
    const database: Database = { name: path, kind, branches: [] };
    database.branches.push(make.branch(database, 'main', kit.clock.now(), { production: true, parent_branch: null }));
    live.databases[path] = database;
    return database;
  }

  return simulate<PlanetscaleState, PlanetscaleWorld>(kit, {
    name: 'planetscale',
    origin: 'https://api.planetscale.com',
    basePath: '/v1',
    state,
    tokens: kit.tokens,
    checks: checks.planetscale,
    blind: emptyState,
    credential: ({ headers }) => {
      const value = headers.get('authorization') ?? '';
      return value.startsWith(`${tokenId}:`) ? value.slice(tokenId.length + 1) : null;
    },
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? failure(403, 'forbidden', 'You are not authorized to perform this action.')
        : failure(401, 'unauthorized', 'Unauthorized'),
    world: (live) => worldOf(live),
    routes: [
      route('GET', branches, (call) => {
        const all = databaseOf(call).branches.filter(({ name }) => name.includes(call.query.get('q') ?? ''));
        return json(200, pageAnswer(all.map(branchAnswer), call.query, `https://api.planetscale.com${call.path}`));
      }),
      route('POST', branches, (call) => {
        const database = databaseOf(call);
        const asked = checked(call, createShape, ['name']);
        const name = String(asked.name);
        const parent = database.branches.find((one) => one.name === (asked.parent_branch ?? 'main'));
        if (!parent) throw notFound();
        if (!parent.ready) throw error(422, 'unprocessable', 'The parent branch is not ready.');
        if (database.branches.some((one) => one.name === name))
          throw error(call.state.duplicate, 'unprocessable', 'Name has already been taken');
        if (database.branches.length >= call.state.branchLimit)
          throw error(422, 'unprocessable', 'You have reached the limit of branches for this database.');
        const made = make.branch(database, name, call.now, {
          parent_branch: parent.name,
          region: typeof asked.region === 'string' ? asked.region : parent.region,
          cluster_name: clusterName(typeof asked.cluster_size === 'string' ? asked.cluster_size : 'PS_10'),
          seeded: asked.seed_data !== undefined,
          deletion_protected: asked.deletion_protected === true,
          // The answer comes before the branch is ready, always.
          pollsLeft: Math.max(1, kit.faults.pollsUntilReady),
        });
        database.branches.push(made);
        return json(201, branchAnswer(made));
      }),
      route('GET', `${branches}/{branch}`, (call) => {
        const found = branchOf(call);
        poll(found);
        return json(200, branchAnswer(found));
      }),
      route('PATCH', `${branches}/{branch}`, (call) => {
        const found = branchOf(call);
        const asked = checked(call, { fields: { new_name: 'string', deletion_protected: 'boolean' } });
        if (typeof asked.new_name === 'string') found.name = asked.new_name;
        if (typeof asked.deletion_protected === 'boolean') found.deletion_protected = asked.deletion_protected;
        return json(200, branchAnswer(found));
      }),
      route('DELETE', `${branches}/{branch}`, (call) => {
        const database = databaseOf(call);
        const found = branchOf(call);
        if (found.production || found.deletion_protected)
          throw error(422, 'unprocessable', 'This branch is protected and cannot be deleted.');
        database.branches = database.branches.filter((one) => one !== found);
        return empty();
      }),
      route('GET', passwords, (call) => {
        const branch = branchOf(call);
        const all = branch.passwords.toReversed().map((one) => passwordAnswer(branch, one, call.now));
        return json(200, pageAnswer(all, call.query, `https://api.planetscale.com${call.path}`));
      }),
      route('POST', passwords, (call) => {
        const branch = branchOf(call);
        const asked = checked(call, passwordShape);
        if (branch.kind !== 'mysql') throw error(422, 'unprocessable', 'Passwords are for MySQL databases.');
        if (!branch.ready) throw error(422, 'unprocessable', 'The branch is not ready.');
        const { name, ttl, cidrs, ...rest } = asked;
        const made = make.password(typeof name === 'string' ? name : 'generated', call.now, {
          ...(rest as Partial<Password>),
          cidrs: cidrsOf(cidrs),
          ...(typeof ttl === 'number' && { ttl_seconds: ttl, expiresAt: call.now + ttl * 1000 }),
        });
        branch.passwords.push(made);
        return json(201, passwordAnswer(branch, made, call.now, made.plain_text));
      }),
      route('GET', `${passwords}/{id}`, (call) => json(200, passwordAnswer(branchOf(call), passwordOf(call), call.now))),
      route('PATCH', `${passwords}/{id}`, (call) => {
        const found = passwordOf(call);
        const { cidrs, ...asked } = checked(call, { fields: { name: 'string', cidrs: { list: 'string' } } });
        Object.assign(found, asked, cidrs !== undefined && { cidrs: cidrsOf(cidrs) });
        return json(200, passwordAnswer(branchOf(call), found, call.now));
      }),
      route('DELETE', `${passwords}/{id}`, (call) => {
        const branch = branchOf(call);
        const found = passwordOf(call);
        branch.passwords = branch.passwords.filter((one) => one !== found);
        return empty();
      }),
    ],
  });

  function worldOf(live: PlanetscaleState): PlanetscaleWorld {
    const at = (path: string): Database => {
      const found = live.databases[path];
      if (!found) throw new Error(`the world has no database ${path}`);
      return found;
    };
    const branch = (name: string, path = shop): Branch => {
      const found = at(path).branches.find((one) => one.name === name);
      if (!found) throw new Error(`the world has no branch ${name}`);
      return found;
    };
    return {
      state: live,
      tokenId,
      addDatabase: (path, kind = 'mysql') => addDatabase(live, path, kind),
      branches: (path = shop) => at(path).branches,
      branch,
      addBranch: (name, given = {}, path = shop) => {
        const made = make.branch(at(path), name, kit.clock.now(), given);
        at(path).branches.push(made);
        return made;
      },
      removeBranch: (name, path = shop) => {
        at(path).branches = at(path).branches.filter((one) => one.name !== name);
      },
      addPassword: (on, name, given = {}) => {
        const made = make.password(name, kit.clock.now(), given);
        branch(on).passwords.push(made);
        return made;
      },
      removePassword: (on, isIt) => {
        const found = branch(on);
        found.passwords = found.passwords.filter((one) => !isIt(one));
      },
    };
  }
}

type DatabaseCall = Call<PlanetscaleState, { readonly organization: string; readonly database: string }>;
type BranchCall = Call<PlanetscaleState, { readonly organization: string; readonly database: string; readonly branch: string }>;

const failure = (status: number, code: string, message: string): Reply => json(status, { code, message });
const error = (status: number, code: string, message: string): Refusal => refuse(status, { code, message });
/** It never says what is missing. */
const notFound = (): Refusal => error(404, 'not_found', 'Not Found');

function databaseOf({ params, state }: DatabaseCall): Database {
  const found = state.databases[`${params.organization}/${params.database}`];
  if (!found) throw notFound();
  return found;
}

function branchOf(call: BranchCall): Branch {
  const found = databaseOf(call).branches.find(({ name }) => name === call.params.branch);
  if (!found) throw notFound();
  return found;
}

function passwordOf(call: BranchCall & { readonly params: { readonly id: string } }): Password {
  const found = branchOf(call).passwords.find(({ id }) => id === call.params.id);
  if (!found) throw notFound();
  return found;
}

/** A size is shown with the cloud and the kind of processor that it is of (alchemy-run/alchemy PR 576, 2026-11-25). */
const clusterName = (size: string): string => (/_(?:AWS|GCP)_/.test(size) ? size : `${size}_AWS_X86`);

/** No ranges are shown as null. */
const cidrsOf = (asked: unknown): string[] | null => (Array.isArray(asked) && asked.length > 0 ? asked.map(String) : null);

const createShape: Shape = {
  fields: {
    name: 'string',
    deletion_protected: 'boolean',
    parent_branch: 'string',
    backup_id: 'string',
    region: 'string',
    restore_point: 'string',
    seed_data: { oneOf: ['last_successful_backup'] },
    cluster_size: 'string',
    keyspace_cluster_sizes: { list: 'string' },
    storage: { open: true, fields: {} },
    major_version: 'string',
    create_database_if_missing: 'boolean',
    kind: { oneOf: ['mysql', 'postgresql'] },
  },
  required: ['name'],
};

const passwordShape: Shape = {
  fields: {
    name: 'string',
    role: { oneOf: ['reader', 'writer', 'admin', 'readwriter'] },
    replica: 'boolean',
    ttl: 'integer',
    cidrs: { list: 'string' },
    direct_vtgate: 'boolean',
  },
};

function checked(
  { body, contentType }: Call<PlanetscaleState, unknown>,
  shape: Shape,
  required: readonly string[] = [],
): Record<string, unknown> {
  if (contentType !== 'application/json') throw error(415, 'unsupported_media_type', 'Send JSON.');
  const [flaw] = flawsOf(body, shape);
  const missing = required.find((name) => !isMap(body) || body[name] === undefined);
  if (flaw || missing || !isMap(body)) throw error(422, 'unprocessable', `${flaw?.at ?? missing ?? 'the body'} is invalid`);
  return body;
}
